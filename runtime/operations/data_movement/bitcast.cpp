// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/bitcast.hpp"

#include <algorithm>
#include <tuple>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/tensor_pages.hpp"
#include "runtime/operations/work/work_cores.hpp"

namespace tilemeter {

namespace {

struct BitcastOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "UnaryDeviceOperation";
    static constexpr std::string_view kAttributesName = "BitcastParams";

    DataType dtype;
    MemoryConfig memory_config;
    OptionalCores sub_core_grids;

    auto attributes() const { return std::tie(dtype, memory_config, sub_core_grids); }

    /// One program serves all shapes in tiles.
    void append_program_key(ProgramKey& key, const KeyedCall& call) const {
        key.append(sub_core_grids);
        key.append(call.inputs[0].layout);
        key.append_kind(call.inputs[0]);
        key.append(dtype);
        key.append(memory_config);
        if (call.inputs[0].layout == Layout::ROW_MAJOR) key.append(call.inputs[0].shape);
    }
    void validate(SpecsView inputs, const DeviceDescription& device) const {
        const DataType from = inputs[0].dtype;
        require(!is_block_float(from) && !is_block_float(dtype) && element_size(from) == element_size(dtype),
                "bitcast: dtype: expected one of the size of ", name_of(from), ", got ", name_of(dtype));
        require_on_grid(sub_core_grids, device.compute_grid, "bitcast");
    }
    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, dtype, inputs[0].layout, memory_config}};
    }
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const CoreRangeSet cores = sub_core_grids.value_or(whole_grid(device.compute_grid));
        const auto page = [](const TensorSpec& spec) {
            constexpr std::uint64_t kTileElements = std::uint64_t{kTileHeight} * kTileWidth;
            return kTileElements * element_size(spec.dtype);
        };
        return {{"ttnn::operations::unary::UnaryDeviceOperation::ProgramFactory", 0},
                dataflow_buffers({2 * page(inputs[0]), 2 * page(outputs[0])}, cores)};
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        HostArray result(outputs[0].dtype, outputs[0].shape);
        std::copy(inputs[0]->bytes().begin(), inputs[0]->bytes().end(), result.bytes().begin());
        return {result};
    }
};

}  // namespace

Tensor Bitcast::body() const {
    require_on_device(input_tensor, "bitcast", "input_tensor");
    const BitcastOperation operation{dtype, memory_config.value_or(input_tensor.memory_config()),
                                     sub_core_grids};
    return launch(operation, {input_tensor}, output_tensor);
}

}  // namespace tilemeter
