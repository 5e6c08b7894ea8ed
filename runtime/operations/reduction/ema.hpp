// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Exponential moving averages.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <optional>

#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

/// Along the last dimension: the first element, then alpha times the average before plus (1 - alpha) times
/// the element. [1, B, C, T], BFLOAT16, TILE. core_grid: columns and rows of cores to take at most, the
/// device's unless given. memory_config: the input's unless given. Throws RuntimeError, OutOfMemoryError.
Tensor ema(const Tensor& input_tensor, float alpha, const OptionalTensor& out = std::nullopt,
           const std::optional<CoreCoord>& core_grid = std::nullopt,
           const OptionalMemoryConfig& memory_config = std::nullopt);

}  // namespace tilemeter
