// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/reduction/ema.hpp"

#include <tuple>
#include <vector>

#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/largest_divisor.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

struct EmaOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "EmaDeviceOperation";
    static constexpr std::string_view kAttributesName = "EmaParams";

    float alpha;
    std::optional<CoreCoord> core_grid;
    MemoryConfig memory_config;

    auto attributes() const { return std::tie(alpha, core_grid, memory_config); }

    void validate(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        require(input.layout == Layout::TILE, "ema: input_tensor: expected TILE layout, got ",
                name_of(input.layout));
        require(input.dtype == DataType::BFLOAT16,
                "Input tensor must be BFLOAT16, got: ", name_of(input.dtype));
        require(input.shape.rank() == 4, "ema: input_tensor: expected four dimensions, got ", input.shape);
        require(input.shape[0] == 1, "EMA expects leading dimension to be 1, got ", input.shape[0]);
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, inputs[0].dtype, Layout::TILE, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const std::uint64_t value = tile_size(inputs[0].dtype);
        // Each core has as many rows of tiles as any other.
        const CoreCoord grid = core_grid.value_or(device.compute_grid);
        const std::uint64_t rows = inputs[0].tile_rows();
        const std::uint64_t num_cores = largest_divisor(rows, std::uint64_t{grid.x} * grid.y);
        const CoreRangeSet cores = split_work(num_cores, grid, CoreWalk::kDownColumns).cores;
        return {{"ttnn::prim::EmaProgramFactory", 0},
                dataflow_buffers({2 * value, 2 * tile_size(outputs[0].dtype), value}, cores)};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        std::vector<float> values = inputs[0]->to_floats();
        const std::uint64_t width = inputs[0]->shape()[-1];
        for (std::uint64_t i = 0; i < values.size(); ++i) {
            const float before = i % width == 0 ? 0.0F : values[i - 1];
            values[i] = alpha * before + (1 - alpha) * values[i];
        }
        return {HostArray::from_floats(values, outputs[0].dtype, outputs[0].shape)};
    }
};

}  // namespace

Tensor Ema::body() const {
    require_on_device(input_tensor, "ema", "input_tensor");
    std::optional<CoreCoord> cores;
    if (core_grid) cores = CoreCoord{core_grid->x, core_grid->y};
    const EmaOperation operation{alpha, cores, memory_config.value_or(input_tensor.memory_config())};
    return launch(operation, {input_tensor}, out);
}

}  // namespace tilemeter
