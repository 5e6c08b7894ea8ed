// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/reshape_on_device.hpp"

#include <algorithm>
#include <tuple>

#include "capture/record/text.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

struct ReshapeOnDeviceOperation {
    static constexpr std::string_view kName = "ReshapeDeviceOperation";
    static constexpr std::string_view kAttributesName = "ReshapeOnDeviceParams";

    Shape shape;
    MemoryConfig memory_config;

    auto attributes() const { return std::make_tuple(shape, shape, memory_config); }

    void validate(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        require(!input.memory_config.is_sharded() && !memory_config.is_sharded(),
                "reshape_on_device: expected interleaved input and result, got shards");
        require(input.layout != Layout::TILE || input.padded_shape() == input.shape,
                "reshape_on_device: input ", input.shape,
                ": expected rows and columns in whole tiles of 32 x 32");
        // TT-NN's words.
        const std::uint64_t from = row_bytes(input);
        const std::uint64_t to = row_bytes(infer(inputs).front());
        require(input.layout != Layout::ROW_MAJOR || std::max(from, to) % std::min(from, to) == 0,
                "Last dimension of the old shape (", from,
                ") should be divisible by the last dimension of the new shape (", to, ") or vice versa");
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{shape, inputs[0].dtype, inputs[0].layout, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        if (inputs[0].layout == Layout::TILE) {
            return {{"ttnn::prim::ReshapeTileProgramFactory", 0},
                    {circular_buffer(2 * tile_size(inputs[0].dtype), CoreRange{})}};
        }
        // The longer rows are shared evenly; each core holds all of its own.
        const bool from_longer = row_bytes(inputs[0]) > row_bytes(outputs[0]);
        const TensorSpec& longer = from_longer ? inputs[0] : outputs[0];
        const std::uint64_t rows = ceil_div(num_rows(longer), device.num_compute_cores());
        return {{"ttnn::prim::ReshapeRMProgramFactory", 1},
                {circular_buffer(rows * row_bytes(longer), whole_grid(device.compute_grid))}};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView) const {
        return {inputs[0]->reshaped(shape)};
    }
};

// Rows that are no multiple of eight elements have no program, unless all are cut as tiles are.
bool goes_by_the_host(const Tensor& input, const Shape& shape) {
    constexpr std::uint32_t kMultiple = 8;
    const std::uint32_t from = input.shape()[-1];
    const std::uint32_t to = shape[-1];
    if (input.layout() != Layout::ROW_MAJOR || (from % kMultiple == 0 && to % kMultiple == 0)) return false;
    return from % kTileWidth != 0 || to % kTileWidth != 0 ||
           input.shape().volume() / from % kTileHeight != 0 || shape.volume() / to % kTileHeight != 0;
}

Tensor reshaped_by_the_host(const Tensor& input, const Shape& shape, const MemoryConfig& memory_config) {
    static const record::TextId kName = record::intern("Tensor::to_layout");
    const Tensor host = download(input);
    TensorSpec spec = host.spec();
    spec.shape = shape;
    const Tensor rows = in_scope(kName, std::tie(host), [&] {
        return changed_on_host(host, spec,
                               [shape](const HostArray& stored) { return stored.reshaped(shape); });
    });
    return upload(rows, input.shared_device(), memory_config);
}

}  // namespace

Shape ReshapeOnDevice::shape() const {
    const std::int64_t dimensions[] = {w, z, y, x};
    return resolve_shape(input_tensor, dimensions);
}

Tensor unscoped::reshape_on_device(const Tensor& input, const Shape& shape,
                                   const OptionalMemoryConfig& memory_config) {
    require_on_device(input, "reshape_on_device", "input_tensor");
    require(input.shape().rank() == shape.rank() && input.shape().volume() == shape.volume(),
            "reshape_on_device: expected ", shape.rank(), " dimensions and equal volumes, got ",
            input.shape(), " to ", shape);
    if (input.shape()[-1] == shape[-1]) return reshape_view(input, shape);
    if (goes_by_the_host(input, shape)) {
        require(input.dtype() == DataType::BFLOAT16,
                "Input tensor dtype must be BFLOAT16 for this reshape operation but got ",
                name_of(input.dtype()));
        return reshaped_by_the_host(input, shape, memory_config.value_or(input.memory_config()));
    }
    return launch(ReshapeOnDeviceOperation{shape, memory_config.value_or(input.memory_config())}, {input});
}

Tensor ReshapeOnDevice::body() const {
    return unscoped::reshape_on_device(input_tensor, shape(), memory_config);
}

}  // namespace tilemeter
