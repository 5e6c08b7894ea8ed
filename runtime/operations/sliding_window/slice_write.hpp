// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// experimental.slice_write, experimental.padded_slice: parts of a tensor written to and read from where they belong.
//
// slice_write: ROW_MAJOR into ROW_MAJOR of any rank, interleaved; or [1, 1, pixels, channels] in shards, ROW_MAJOR or
// TILE, into images [batch, height, width, channels] in DRAM. Refused: interleaved tiles, for which TT-NN puts other
// memory into the caller's tensor.
// padded_slice: four dimensions, interleaved; into ROW_MAJOR shards, whose width the channels are padded to.
//
// Throws RuntimeError, OutOfMemoryError.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter::experimental {

struct SliceWrite {
    Tensor input_tensor{};
    Tensor output_tensor{};
    std::vector<std::int64_t> start{};
    std::vector<std::int64_t> end{};
    std::vector<std::int64_t> step{};

    static constexpr OperationInfo kOperation{
        "experimental.slice_write",
        "Writes input_tensor to the elements start, start + step, ... before end of each dimension of output_tensor, "
        "and returns that."};
    static constexpr auto kParameters =
        parameters(required<&SliceWrite::input_tensor>(), required<&SliceWrite::output_tensor>().output(),
                   required<&SliceWrite::start, &SliceWrite::end, &SliceWrite::step>());
    Tensor body() const;
};
inline constexpr Operation<SliceWrite> slice_write;

struct PaddedSlice {
    Tensor input_tensor{};
    std::vector<std::int64_t> padded_slice_start{};
    std::vector<std::int64_t> padded_slice_end{};
    std::optional<std::vector<std::int64_t>> padded_slice_step{};  ///< none: 1 each; others are refused
    MemoryConfig memory_config{};
    OptionalTensor output_tensor{};
    Ignored pad_value{};

    static constexpr OperationInfo kOperation{
        "experimental.padded_slice",
        "The part [start, end) of images [batch, height, width, channels] in shards of rows, [1, 1, pixels, channels in "
        "whole shards]."};
    static constexpr auto kParameters = parameters(
        required<&PaddedSlice::input_tensor, &PaddedSlice::padded_slice_start,
                 &PaddedSlice::padded_slice_end>(),
        optional<&PaddedSlice::padded_slice_step>(), required_keyword<&PaddedSlice::memory_config>(),
        keyword<&PaddedSlice::output_tensor>().output(), keyword<&PaddedSlice::pad_value>());
    Tensor body() const;
};
inline constexpr Operation<PaddedSlice> padded_slice;

}  // namespace tilemeter::experimental
