// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/moreh/moreh_creation.hpp"

#include <cmath>
#include <tuple>

#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/moreh/internal/moreh_program.hpp"
#include "runtime/operations/work/column_cores.hpp"

namespace tilemeter {

namespace {

HostArray host_array(const std::vector<float>& values, const TensorSpec& spec) {
    return HostArray::from_floats(values, spec.dtype, spec.shape);
}

struct FullOperation {
    static constexpr bool kTakesNdShards = true;
    static constexpr std::string_view kName = "FullDeviceOperation";

    TensorSpec spec;
    float value;

    auto attributes() const {
        return std::tie(spec.shape, value, spec.dtype, spec.layout, spec.memory_config);
    }

    TensorSpecs infer(SpecsView) const { return {spec}; }
    ProgramPlan plan(SpecsView, SpecsView outputs, const DeviceDescription& device) const {
        const bool parts = outputs[0].memory_config.memory_layout == TensorMemoryLayout::ND_SHARDED;
        const bool tiled = spec.layout == Layout::TILE;
        const PageGeometry geometry = page_geometry(parts ? outputs[0] : spec);
        const std::uint64_t pages = parts ? geometry.num_pages : tiled ? num_tiles(spec) : num_rows(spec);
        const std::uint64_t page = parts   ? geometry.page_size_bytes
                                   : tiled ? tile_size(spec.dtype)
                                           : row_bytes(spec);
        // Another page where a core fills more than one.
        const std::vector<std::uint64_t> sizes(pages > device.num_compute_cores() ? 2 : 1, page);
        return moreh_plan("ttnn::operations::full::FullInterleavedProgramFactory", 0, pages, sizes, device);
    }
    std::vector<HostArray> compute(ArraysView, SpecsView outputs) const {
        return {host_array(std::vector<float>(outputs[0].shape.volume(), value), outputs[0])};
    }
};

struct MorehArangeOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MorehArangeOperation";

    float start;
    float end;
    float step;
    bool in_rows;
    DataType dtype;
    MemoryConfig memory_config;
    std::optional<TensorSpec> output;

    auto attributes() const { return std::tie(start, end, step, in_rows, dtype, memory_config); }

    void validate(SpecsView) const {
        require(step != 0.0F, "step must be nonzero.");
        require((step > 0.0F && end >= start) || (step < 0.0F && end <= start),
                "Upper bound and larger bound inconsistent with step sign.");
        require(dtype != DataType::BFLOAT8_B, "moreh arange not support bfloat8_b dtype.");
        require(dtype != DataType::UINT32, "moreh arange not support uint32 dtype.");
        if (!output) return;
        require(dtype == output->dtype,
                "If output is provided as input, its dtype should match the dtype parameter.");
        require(!output->memory_config.is_sharded(),
                "Output memory config layout must be INTERLEAVED but got ",
                "TensorMemoryLayout::", name_of(output->memory_config.memory_layout));
        require(output->layout == (in_rows ? Layout::ROW_MAJOR : Layout::TILE),
                in_rows ? "Error: output_layout must be Layout::ROW_MAJOR when untilize_out"
                        : "Error: output_layout must be Layout::TILE when !untilize_out");
    }
    TensorSpecs infer(SpecsView) const {
        if (output) return {*output};
        if (in_rows) return {TensorSpec{Shape{count()}, dtype, Layout::ROW_MAJOR, memory_config}};
        return {TensorSpec{Shape{1, count()}, dtype, Layout::TILE, memory_config}};
    }
    ProgramPlan plan(SpecsView, SpecsView, const DeviceDescription& device) const {
        const CoreRangeSet cores = whole_columns_and_rest(ceil_div(count(), kTileWidth), device);
        return {{"ttnn::device_operation::MeshDeviceOperationAdapter<ttnn::operations::moreh::moreh_arange::"
                 "MorehArangeOperation>::DirectDescriptorFactory",
                 0},
                {circular_buffer(tile_size(dtype), cores)}};
    }
    std::vector<HostArray> compute(ArraysView, SpecsView outputs) const {
        std::vector<float> values;
        for (std::uint64_t i = 0; i < outputs[0].shape.volume(); ++i)
            values.push_back(start + static_cast<float>(i) * step);
        return {host_array(values, outputs[0])};
    }

private:
    /// Numbers below 0 wrap: an end on the wrong side of start asks for more than any memory has, which is then said first.
    std::uint32_t count() const {
        constexpr float kMost = 9.0e18F;
        const float steps = std::ceil((end - start) / step);
        if (!(std::abs(steps) < kMost)) return 0;
        return static_cast<std::uint32_t>(static_cast<std::int64_t>(steps));
    }
};

}  // namespace

Tensor unscoped::moreh_full(const TensorSpec& spec, float fill_value, const Tensor& neighbour) {
    return launch_on(FullOperation{spec, fill_value}, neighbour.shared_device());
}

Tensor MorehFull::body() const {
    require(dtype == DataType::BFLOAT16 || dtype == DataType::FLOAT32 || dtype == DataType::INT32,
            "Full: Unsupported data type DataType::", name_of(dtype));
    require(shape.rank() > 1,
            "Full operation error: Shape size must be greater than 1, but got shape size = ", shape.rank());
    return launch_on(FullOperation{TensorSpec{shape, dtype, layout, memory_config}, fill_value}, device);
}

Tensor MorehFullLike::body() const {
    const TensorSpec spec{input.shape(), dtype.value_or(input.dtype()), layout.value_or(input.layout()),
                          memory_config.value_or(input.memory_config())};
    return launch_on(FullOperation{spec, fill_value}, input.shared_device());
}

Tensor MorehArange::body() const {
    const MorehArangeOperation operation{start, end,           step,           untilize_out,
                                         dtype, memory_config, spec_of(output)};
    return output ? launch_into(operation, std::initializer_list<Tensor>{}, *output)
                  : launch_on(operation, device);
}

}  // namespace tilemeter
