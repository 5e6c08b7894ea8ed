// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/embedding_backward.hpp"

#include <string>
#include <tuple>
#include <vector>

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/work/column_cores.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

/// Indices [batch, 1, 1, n] and gradients [1, 1, batch * n, width] to [1, 1, rows, width].
struct EmbeddingBackwardDeviceOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "EmbeddingBackwardDeviceOperation";
    static constexpr std::string_view kAttributesName = "EmbeddingBackwardParams";

    MemoryConfig memory_config;
    DataType dtype;
    std::uint32_t rows;

    auto attributes() const { return std::tie(memory_config, dtype, rows); }

    void validate(SpecsView inputs) const {
        const TensorSpec &indices = inputs[0], &grad = inputs[1];
        const auto layout = [](const TensorSpec& spec) {
            return "Layout::" + std::string(name_of(spec.layout));
        };
        require(indices.layout == Layout::ROW_MAJOR,
                [&] { return "Index tensor layout must be ROW_MAJOR but got " + layout(indices); });
        require(indices.dtype == DataType::UINT32 || indices.dtype == DataType::BFLOAT16,
                "Index tensor must be UINT32 or BFLOAT16");
        require(indices.shape[-1] % kTileWidth == 0,
                "Number of columns in the index tensor must be divisible by tile width");
        require(grad.layout == Layout::TILE,
                [&] { return "Gradient tensor layout must be TILE but got " + layout(grad); });
        require(grad.dtype == DataType::BFLOAT16 || grad.dtype == DataType::BFLOAT8_B,
                "Output gradient tensor must be BFLOAT16 or BFLOAT8_B");
        require(grad.dtype == dtype, "Output and input gradient tensors must have the same dtype");
        require(grad.shape[0] == 1 && grad.shape[1] == 1, [&] {
            return "First two dimensions for the gradient tensor must be 1, but found " +
                   std::to_string(grad.shape[0]) + " && " + std::to_string(grad.shape[1]) + ".";
        });
        require(grad.shape[2] == indices.shape.volume(),
                "Number of rows in gradient tensor must be equal to number of indices in index tensor");
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{Shape{1, 1, rows, inputs[1].shape[-1]}, dtype, Layout::TILE, memory_config}};
    }

    // Each core has columns of tiles of the table, and reads all indices.
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        constexpr std::uint64_t kCountBytes = 16;  // of the rows of a chunk
        const WorkSplit work =
            split_work(outputs[0].tile_columns(), device.compute_grid, CoreWalk::kDownColumns);
        const CoreRangeSet cores = whole_columns_and_rest(outputs[0].tile_columns(), device);
        const std::uint64_t tiles = work.most * tile_size(inputs[1].dtype);
        ProgramPlan plan{
            {"ttnn::device_operation::MeshDeviceOperationAdapter<ttnn::prim::EmbeddingBackwardDeviceOperation>"
             "::DirectDescriptorFactory",
             0}};
        plan.memory = {circular_buffer(tiles, cores),
                       circular_buffer(kTileHeight * element_size(inputs[0].dtype), cores),
                       circular_buffer(work.most * tile_size(outputs[0].dtype), cores),
                       circular_buffer(kTileHeight, cores),  // the rows of a tile that are meant
                       circular_buffer(kCountBytes, cores),
                       circular_buffer(tiles, cores)};
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<std::int64_t> indices = inputs[0]->to_integers();
        const std::vector<float> gradients = inputs[1]->to_floats();
        const std::size_t width = outputs[0].shape[-1];
        std::vector<float> sums(outputs[0].shape.volume());
        for (std::size_t i = 0; i < indices.size(); ++i) {
            require(indices[i] >= 0 && indices[i] < rows,
                    "embedding_bw: input_tensor: expected indices below ", rows, ", got ", indices[i]);
            for (std::size_t column = 0; column < width; ++column)
                sums[static_cast<std::size_t>(indices[i]) * width + column] += gradients[i * width + column];
        }
        return {HostArray::from_floats(sums, outputs[0].dtype, outputs[0].shape)};
    }
};

}  // namespace

Tensor EmbeddingGradient::body() const {
    const Tensor& grad = output_gradient_tensor;
    const Shape& shape = input_tensor.shape();
    const Tensor indices = unscoped::reshape(input_tensor, Shape{shape[0], 1, 1, shape[-1]});
    const EmbeddingBackwardDeviceOperation operation{memory_config.value_or(grad.memory_config()),
                                                     dtype.value_or(grad.dtype()), weight_tensor.shape()[-2]};
    return launch(operation, {indices, grad}, output_tensor);
}

}  // namespace tilemeter
