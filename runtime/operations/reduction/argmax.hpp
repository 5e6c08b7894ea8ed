// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Where the largest elements are.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <optional>

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// The index of the first largest element along `dim` (negative: from the end), or, without one, its running
/// number in the whole tensor. UINT32, ROW_MAJOR. `keepdim`: 1 is left of each reduced dimension, else
/// nothing. Input: ROW_MAJOR of any type but the block formats (other dimensions than the last: BFLOAT16,
/// FLOAT32), or TILE of BFLOAT16, FLOAT32. memory_config: the input's unless given. sub_core_grids: the cores
/// that work on rows in ROW_MAJOR or along the first dimensions. output_tensor: as many UINT32, its rows as
/// long. enable_secondary_dm: whether a core reads by two processors; TT-NN's choice unless given. Throws
/// RuntimeError, OutOfMemoryError.
Tensor argmax(const Tensor& input_tensor, const std::optional<int>& dim = std::nullopt, bool keepdim = false,
              const OptionalMemoryConfig& memory_config = std::nullopt,
              const OptionalCores& sub_core_grids = std::nullopt,
              const OptionalTensor& output_tensor = std::nullopt,
              std::optional<bool> enable_secondary_dm = std::nullopt);

}  // namespace tilemeter
