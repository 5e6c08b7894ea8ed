// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Images with their channels last made into such with their channels first, and back, in shards.
//
// Throws RuntimeError, OutOfMemoryError.

#pragma once

#include "runtime/operations/core/definition.hpp"

namespace tilemeter::experimental {

/// [1, 1, height * width, channels], TILE, in HEIGHT shards -> [1, 1, channels, height * width], ROW_MAJOR, in WIDTH
/// shards on the same cores. At most 32 channels; height * width, and the rows of a shard, are multiples of 32.
struct ConvertToChw {
    Tensor input{};
    OptionalDataType dtype{};  ///< none: the input's

    static constexpr OperationInfo kOperation{
        "experimental.convert_to_chw",
        "[1, 1, height * width, channels], at most 32 channels, HEIGHT_SHARDED, TILE, to [1, 1, channels, "
        "height * width], WIDTH_SHARDED on the same cores, ROW_MAJOR. dtype: the input's unless given."};
    static constexpr auto kParameters =
        parameters(required<&ConvertToChw::input>(), keyword<&ConvertToChw::dtype>());
    Tensor body() const;
};
inline constexpr Operation<ConvertToChw> convert_to_chw;

/// [1, images, channels, height * width], ROW_MAJOR, in WIDTH shards -> [1, 1, images * height * width, channels],
/// ROW_MAJOR, in HEIGHT shards. At most 32 channels; those of the result are rounded up to whole 16 bytes, the further
/// ones hold zeros. `memory_config`: needed for an input in DRAM; else by default on the input's cores.
struct ConvertToHwc {
    Tensor input{};
    OptionalMemoryConfig memory_config{};
    OptionalDataType dtype{};  ///< none: the input's

    static constexpr OperationInfo kOperation{
        "experimental.convert_to_hwc",
        "[1, images, channels, height * width], at most 32 channels, WIDTH_SHARDED, ROW_MAJOR, to [1, 1, images * "
        "height * width, channels in whole 16 bytes], HEIGHT_SHARDED, ROW_MAJOR. memory_config: needed for an input "
        "in DRAM, by default on the input's cores. dtype: the input's unless given."};
    static constexpr auto kParameters = parameters(
        required<&ConvertToHwc::input>(), keyword<&ConvertToHwc::memory_config, &ConvertToHwc::dtype>());
    Tensor body() const;
};
inline constexpr Operation<ConvertToHwc> convert_to_hwc;

}  // namespace tilemeter::experimental
