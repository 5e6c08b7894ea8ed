// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/broadcast_to.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include "runtime/compute/rearrange.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter::experimental {

namespace {

// The elements of a tile that are copied: none, all from one, rows or columns.
enum class SubtileBroadcast : std::uint8_t { kNone, kScalar, kRow, kColumn };

SubtileBroadcast broadcast_within_tiles(const Shape& from, const Shape& to) {
    if (from[-2] == to[-2] && from[-1] == to[-1]) return SubtileBroadcast::kNone;
    const bool rows = from[-2] == 1 && to[-2] > 1;
    const bool columns = from[-1] == 1 && to[-1] > 1;
    if (rows && columns) return SubtileBroadcast::kScalar;
    return rows ? SubtileBroadcast::kRow : SubtileBroadcast::kColumn;
}

struct BcastToOperation {
    static constexpr std::string_view kName = "BcastToOperation";
    static constexpr std::string_view kAttributesName = "BcastToParams";

    Shape output_shape;
    MemoryConfig memory_config;
    SubtileBroadcast subtile_broadcast;

    auto attributes() const {
        return std::make_tuple(output_shape, memory_config, static_cast<std::uint32_t>(subtile_broadcast));
    }

    void validate(SpecsView inputs, const DeviceDescription&) const {
        require(inputs[0].layout == Layout::TILE,
                "bcast_to: Invalid tensor memory layout Layout::", name_of(inputs[0].layout),
                ". Input tensor layout must be TILE.");
        require(!inputs[0].memory_config.is_sharded(), "bcast_to: Invalid input memory config ",
                inputs[0].memory_config, ". Input tensor sharding not supported");
        require(!memory_config.is_sharded(), "bcast_to: Invalid output memory config ", memory_config,
                ". Output memory config sharding not supported");
    }
    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{output_shape, inputs[0].dtype, Layout::TILE, memory_config}};
    }
    // Tiles that are read, and those that are written, two of each, on every core whether it has work or not.
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const std::uint64_t tiles = 2 * tile_size(inputs[0].dtype);
        return {
            {"ttnn::device_operation::MeshDeviceOperationAdapter<ttnn::operations::experimental::broadcast_to::"
             "BcastToOperation>::DirectDescriptorFactory",
             0},
            circular_buffers({tiles, tiles}, whole_grid(device.compute_grid))};
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView) const {
        const Shape from = inputs[0]->shape().to_rank(output_shape.rank());
        std::vector<std::uint32_t> times;
        for (std::size_t i = 0; i < from.rank(); ++i)
            times.push_back(output_shape.dimensions()[i] / from.dimensions()[i]);
        return {compute::repeated(inputs[0]->reshaped(from), times)};
    }
};

// In TT-NN's words.
void require_broadcast(const Shape& from, const Shape& to) {
    require(from.rank() <= to.rank(), "Input tensor shape ", from, "(", from.rank(),
            ") must be at least as large as the broadcast shape ", to, "(", to.rank(), "), which it is not");
    require(to.rank() <= 4, "Tensor shape and broadcast size ", from, "(", from.rank(), ") ", to, "(",
            to.rank(), ") must be at most 4D");
    for (int i = -1; i >= -static_cast<int>(from.rank()); --i) {
        require(from[i] == to[i] || from[i] == 1, "Input dimension ", i, " (size ", from[i],
                ") cannot be broadcast to output dimension ", i, " (size ", to[i], ")");
    }
}

}  // namespace

Tensor BroadcastTo::body() const {
    require_broadcast(input.shape(), output_shape);
    require_on_device(input, "experimental.broadcast_to", "input");
    if (output) {
        require(output->shape() == output_shape, "bcast_to: Invalid output shape ", output->shape(),
                "Output shape must match operation attributes ", output_shape);
        require(output->layout() == input.layout(), "bcast_to: Input ", name_of(input.layout()),
                " and output ", name_of(output->layout()), " must have same layout");
        require(output->dtype() == input.dtype(), "bcast_to: Input ", name_of(input.dtype()), " and output ",
                name_of(output->dtype()), " must have same dtype");
    }
    return launch(BcastToOperation{output_shape, memory_config.value_or(input.memory_config()),
                                   broadcast_within_tiles(input.shape().to_rank(4), output_shape.to_rank(4))},
                  {input}, output);
}

}  // namespace tilemeter::experimental
