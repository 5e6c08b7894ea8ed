// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/example.hpp"

#include <tuple>

#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/work/column_cores.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

// The attributes that TT-NN's examples show; without effect.
constexpr bool kAttribute = true;
constexpr int kOtherAttribute = 42;

TensorSpec in_dram(const TensorSpec& input) {
    return {input.shape, input.dtype, input.layout, DRAM_MEMORY_CONFIG};
}

std::vector<std::uint64_t> tiles_that_pass(const TensorSpec& input) {
    return {2 * tile_size(input.dtype), 2 * tile_size(input.dtype)};
}

struct ExampleDeviceOperation {
    static constexpr std::string_view kName = "ExampleDeviceOperation";

    auto attributes() const { return std::make_tuple(kAttribute, kOtherAttribute); }

    TensorSpecs infer(SpecsView inputs) const { return {in_dram(inputs[0])}; }
    // Tiles, also of rows: of those what fills whole ones.
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const std::uint64_t tiles = inputs[0].padded_shape().volume() / (kTileHeight * kTileWidth);
        return {{"ttnn::operations::examples::ExampleDeviceOperation::MultiCore", 1},
                circular_buffers(tiles_that_pass(inputs[0]), whole_columns_and_rest(tiles, device))};
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView) const { return {*inputs[0]}; }
};

struct ExampleMultipleReturnDeviceOperation {
    static constexpr std::string_view kName = "ExampleMultipleReturnDeviceOperation";

    bool return_output1;
    bool return_output2;

    auto attributes() const {
        return std::make_tuple(kAttribute, kOtherAttribute, return_output1, return_output2);
    }

    void validate(SpecsView) const {
        require(return_output1 || return_output2,
                "At least one output must be returned. return_output1 = ", static_cast<int>(return_output1),
                ", return_output2 = ", static_cast<int>(return_output2), " ");
    }
    TensorSpecs infer(SpecsView inputs) const {
        return TensorSpecs((return_output1 ? 1 : 0) + (return_output2 ? 1 : 0), in_dram(inputs[0]));
    }
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription&) const {
        return {{"ttnn::operations::examples::ExampleMultipleReturnDeviceOperation::SingleCore", 0},
                circular_buffers(tiles_that_pass(inputs[0]), CoreRangeSet(CoreRange{{0, 0}, {0, 0}}))};
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        return std::vector<HostArray>(outputs.size(), *inputs[0]);
    }
};

}  // namespace

Tensor CompositeExample::body() const {
    require_on_device(input_tensor, "composite_example", "input_tensor");
    const ScopedTensor first(launch(ExampleDeviceOperation{}, {input_tensor}));
    return launch(ExampleDeviceOperation{}, {*first});
}

std::vector<OptionalTensor> CompositeExampleMultipleReturn::body() const {
    require_on_device(input_tensor, "composite_example_multiple_return", "input_tensor");
    std::vector<Tensor> made =
        launch_all(ExampleMultipleReturnDeviceOperation{return_output1, return_output2}, {input_tensor});
    std::vector<OptionalTensor> results(2);
    if (return_output1) results[0] = made.front();
    if (return_output2) results[1] = made.back();
    return results;
}

}  // namespace tilemeter
