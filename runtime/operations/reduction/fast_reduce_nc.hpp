// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Sums along dimensions outside of the tiles, without moving anything, and of images.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <vector>

#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter::experimental {

/// Sums along `dims`, which stay as 1: any but the last two, which become those of the padded shape, as TT-NN
/// has it. TILE, floating point. memory_config: DRAM,
/// interleaved, unless given. Throws RuntimeError, OutOfMemoryError.
Tensor fast_reduce_nc(const Tensor& input, const std::vector<std::int32_t>& dims,
                      const OptionalTensor& output = std::nullopt,
                      const MemoryConfig& memory_config = DRAM_MEMORY_CONFIG,
                      const OptionalCores& sub_core_grids = std::nullopt);

/// Of images [1, H, W, C] in TILE the sums over all rows and columns up to each place; BFLOAT16, FLOAT32.
/// Throws RuntimeError, OutOfMemoryError.
Tensor intimg(const Tensor& input_tensor);

}  // namespace tilemeter::experimental
