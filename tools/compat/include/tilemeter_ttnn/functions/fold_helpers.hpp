// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Steps of fold: what it takes, where its result lies, its form by transpositions.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tilemeter_ttnn/tensor.hpp"

namespace ttnn::operations::data_movement {

/// True of rows in height shards of L1, which are folded where they lie.
bool is_fast_path_input(const Tensor& input);
/// Throws std::runtime_error for what fold does not take.
void validate_fold(const std::vector<Tensor>& input_tensors, std::uint32_t stride_h, std::uint32_t stride_w);
/// Shards of `rows` and `cols` on as few cores as have some, in the input's orientation.
tt::tt_metal::ShardSpec synthesize_fold_output_shard_spec(const Tensor& input_tensor,
                                                          TensorMemoryLayout layout, std::uint32_t rows,
                                                          std::uint32_t cols);
/// `override_memory_config`; sharded without shards, with those of the input or new ones.
MemoryConfig derive_effective_override_memory_config(const Tensor& input_tensor, const Tensor& fold_output,
                                                     const MemoryConfig& override_memory_config,
                                                     std::uint32_t stride_h, std::uint32_t stride_w);
/// In shards of whole rows of blocks, if it is not in such. Throws std::runtime_error where no cores share those out.
Tensor reshard_if_needed(const Tensor& input, std::uint32_t stride_h, std::uint32_t stride_w);
/// Height shards of L1 over the cores, or what is asked for.
MemoryConfig create_sharded_memory_config(Shape tensor_shape, const CoreRangeSet& grid_size,
                                          ShardOrientation orientation,
                                          const std::optional<MemoryConfig>& override_memory_config);

// Images [batch, channels, height, width], padded behind: the one result. Throw std::runtime_error for images in, and not in,
// shards.
std::vector<Tensor> fold_with_transpose_(const Tensor& input, const std::optional<const Shape>& output_shape,
                                         std::uint32_t stride_h, std::uint32_t stride_w, std::uint32_t pad_c,
                                         std::uint32_t pad_h, std::uint32_t pad_w);
std::vector<Tensor> fold_with_transpose_sharded_(const Tensor& input,
                                                 const std::optional<const Shape>& output_shape,
                                                 std::uint32_t stride_h, std::uint32_t stride_w,
                                                 std::uint32_t pad_c, std::uint32_t pad_h,
                                                 std::uint32_t pad_w, const CoreRangeSet& grid_size,
                                                 const std::optional<MemoryConfig>& override_memory_config);

}  // namespace ttnn::operations::data_movement
