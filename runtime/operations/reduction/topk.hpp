// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The largest elements and where they are.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

struct TopkOptions {
    bool largest = true;
    bool sorted = true;  ///< the result is, in any case
    OptionalMemoryConfig memory_config{};
    /// One rectangle of them shares long rows, all of them have rows of their own.
    OptionalCores sub_core_grids{};
    OptionalTensor
        indices{};  ///< numbers of the elements, instead of 0, 1, ...; with the last dimension only
    /// Values and indices are written here; with another dimension than the last into new tensors.
    std::optional<std::pair<Tensor, Tensor>> output{};
    bool stable = false;  ///< the order of equal ones is kept, as it is in any case
};

/// The `k` largest (or smallest) elements along `dim`, in order, and their indices: two tensors of the
/// input's shape but for `dim`, which is k. Of equal elements the first counts as the larger. Input: TILE,
/// any rank, BFLOAT16, BFLOAT8_B or FLOAT32. Indices: UINT16; UINT32 of FLOAT32 and of rows longer than
/// 65,536. memory_config: the input's unless given; with another dimension than the last the input's in any
/// case. Throws RuntimeError, OutOfMemoryError.
std::vector<Tensor> topk(const Tensor& input_tensor, std::uint32_t k, int dim = -1, bool largest = true,
                         bool sorted = true, const OptionalMemoryConfig& memory_config = std::nullopt);
std::vector<Tensor> topk(const Tensor& input_tensor, std::uint32_t k, int dim, const TopkOptions& options);

}  // namespace tilemeter
