// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Normalization over groups of channels, with TT-NN's name, arguments and defaults.
//
//     (x - mean) / sqrt(variance + epsilon) * weight + bias, mean and variance of each image and group
//
// Shapes: input [images, 1, height * width, channels]; weight and bias [1, 1, n, 32] ROW_MAJOR: the channels
// of each column of cores, padded to 32; input_mask [1, groups, 32, 32 * tiles of a group], TILE. Result: the
// input's shape and dtype, in its layout unless output_layout is given.
//
// The input lies in height or block shards of L1, bfloat16, with whole groups and whole tiles of rows, and
// needs a mask; the result lies in the same shards, or, inplace, over the input (ROW_MAJOR only). Or it is
// interleaved, in TILE, bfloat16 or float32 (group_norm_interleaved.hpp), with inplace=False; core_grid,
// num_out_blocks and use_welford count only there.
//
// Not there, refused: interleaved rows, as many images as rows of cores or more, negative masks, Welford's
// algorithm and float32 in shards, shards without mask. Throws RuntimeError (what is not there, shapes that
// do not fit), OutOfMemoryError, ProgramMemoryClashError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/operations/matmul/matmul_program_config.hpp"

namespace tilemeter {

Tensor group_norm(const Tensor& input_tensor, std::uint32_t num_groups, float epsilon = 1e-12F,
                  const OptionalTensor& input_mask = std::nullopt,
                  const OptionalTensor& weight = std::nullopt, const OptionalTensor& bias = std::nullopt,
                  const OptionalMemoryConfig& memory_config = std::nullopt, bool inplace = true,
                  const std::optional<Layout>& output_layout = std::nullopt,
                  const std::optional<CoreGrid>& core_grid = std::nullopt,
                  std::optional<std::int32_t> num_out_blocks = std::nullopt, bool use_welford = false);

}  // namespace tilemeter
