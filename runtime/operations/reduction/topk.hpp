// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// topk: the largest elements and where they are.

#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct Topk {
    Tensor input_tensor{};  ///< any rank, TILE; BFLOAT16, BFLOAT8_B or FLOAT32
    std::uint32_t k = 32;
    int dim = -1;
    bool largest = true;
    bool sorted = true;  ///< the result is, in any case
    /// None: the input's; with another dimension than the last the input's in any case.
    OptionalMemoryConfig memory_config{};
    /// One rectangle of them shares long rows, all of them have rows of their own.
    OptionalCores sub_core_grids{};
    /// Numbers of the elements, instead of 0, 1, ...; with the last dimension only.
    OptionalTensor indices_tensor{};
    /// Values and indices are written here; with another dimension than the last into new tensors.
    std::optional<std::pair<Tensor, Tensor>> output_tensor{};
    bool stable = false;  ///< the order of equal ones is kept, as it is in any case

    static constexpr OperationInfo kOperation{
        "topk",
        "[values, indices] of the k largest (or smallest) values along dim. TILE, bfloat16, bfloat8_b or "
        "float32; indices are uint16, or uint32 of float32 and of more than 65536 elements along dim. "
        "indices_tensor: numbers of the elements, for the last dimension. sub_core_grids: the cores to work "
        "on."};
    static constexpr auto kParameters = parameters(
        required<&Topk::input_tensor>(), optional<&Topk::k, &Topk::dim, &Topk::largest, &Topk::sorted>(),
        keyword<&Topk::memory_config>(), unrecorded_keyword<&Topk::sub_core_grids, &Topk::indices_tensor>(),
        unrecorded_keyword<&Topk::output_tensor>().output(), unrecorded_keyword<&Topk::stable>());

    /// Values and indices, in order: of the input's shape but for `dim`, which is k. Of equal elements the
    /// first counts as the larger. Throws RuntimeError, OutOfMemoryError.
    std::vector<Tensor> body() const;
};

inline constexpr Operation<Topk> topk;

}  // namespace tilemeter
