// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions of tensors on the host, parts of meshes, grids of cores.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tilemeter_ttnn/tensor.hpp"

namespace ttnn {

// Of host tensors with values; others are refused by std::runtime_error.
/// `input_tensor` at `start` in a tensor of `output_shape`, whose other elements are `value`.
Tensor pad(const Tensor& input_tensor, const Shape& output_shape, const Shape& start, float value);
/// The elements from `start` up to but not with `end`.
Tensor unpad(const Tensor& input_tensor, const Shape& start, const Shape& end);
/// Whole tiles along the last two dimensions.
Tensor pad_to_tile(const Tensor& input_tensor, float value);
/// The first `output_shape`.
Tensor unpad_from_tile(const Tensor& input_tensor, const Shape& output_shape);

/// As create_device_tensor. Throws std::runtime_error for a topology that is no copy on every chip.
Tensor create_device_tensor(const tt::tt_metal::TensorSpec& tensor_spec,
                            tt::tt_metal::distributed::MeshDevice* mesh_device,
                            std::optional<tt::tt_metal::TensorTopology> topology);

/// To four dimensions, of which one may be -1 in the first form. Throws std::runtime_error for others.
Tensor reshape_on_device(const Tensor& input_tensor, std::span<const std::int32_t> shape,
                         const std::optional<MemoryConfig>& memory_config = std::nullopt);
Tensor reshape_on_device(const Tensor& input_tensor, const Shape& shape,
                         const std::optional<MemoryConfig>& memory_config = std::nullopt);

/// Each core by itself, in order.
CoreRangeSet cores_to_corerangeset(const std::vector<CoreCoord>& cores);

namespace distributed {
enum class DistributionMode : std::uint8_t { ROW_MAJOR, SUBMESH };
/// SUBMESH without a shape, and where one of as many dimensions fits into the mesh.
DistributionMode compute_distribution_mode(const std::optional<MeshShape>& mesh_shape_override,
                                           const MeshShape& device_shape);
/// The chip of each part of a distribution, both row by row. Throws std::runtime_error where there are more parts than
/// chips.
std::vector<MeshCoordinate> compute_distribution_to_mesh_mapping(const MeshShape& distribution_shape,
                                                                 const MeshShape& mesh_shape);
std::shared_ptr<MeshDevice> open_mesh_device(
    std::size_t l1_small_size, std::size_t trace_region_size, std::size_t num_command_queues,
    const tt::tt_metal::DispatchCoreConfig& dispatch_core_config,
    const std::optional<MeshShape>& mesh_shape = std::nullopt,
    const std::optional<MeshCoordinate>& offset = std::nullopt,
    const std::vector<int>& physical_device_ids = {},
    std::size_t worker_l1_size = tt::tt_metal::DEFAULT_WORKER_L1_SIZE);
}  // namespace distributed

namespace operations::normalization {
/// Columns and rows of the rectangle.
CoreGrid core_grid_from_shard_bounding_box(const CoreRange& box);
}  // namespace operations::normalization

}  // namespace ttnn
