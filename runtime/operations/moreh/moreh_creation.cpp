// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/moreh/moreh_creation.hpp"

#include <cmath>
#include <tuple>
#include <utility>

#include "runtime/operations/core/column_cores.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/moreh/internal/moreh_program.hpp"

namespace tilemeter {

namespace {

HostArray host_array(const std::vector<float>& values, const TensorSpec& spec) {
    return HostArray::from_floats(values, spec.dtype, spec.shape);
}

class FullOperation : public DeviceOperationWith<FullOperation> {
public:
    static constexpr std::string_view kName = "FullDeviceOperation";
    static constexpr std::string_view kAttributesName = "operation_attributes_t";

    FullOperation(TensorSpec spec, float value) : spec_(std::move(spec)), value_(value) {}
    auto attributes() const {
        return std::tie(spec_.shape, value_, spec_.dtype, spec_.layout, spec_.memory_config);
    }

    void validate(std::span<const TensorSpec>) const {}
    TensorSpecs infer(std::span<const TensorSpec>) const { return {spec_}; }
    ProgramPlan plan(std::span<const TensorSpec>, std::span<const TensorSpec>,
                     const DeviceDescription& device) const {
        const bool tiled = spec_.layout == Layout::TILE;
        const std::uint64_t pages = tiled ? num_tiles(spec_) : num_rows(spec_);
        const std::uint64_t page = tiled ? tile_size(spec_.dtype) : row_bytes(spec_);
        // Another page where a core fills more than one.
        const std::vector<std::uint64_t> sizes(pages > device.num_compute_cores() ? 2 : 1, page);
        return moreh_plan("ttnn::operations::full::FullInterleavedProgramFactory", 0, pages, sizes, device);
    }
    std::vector<HostArray> compute(std::span<const HostArray* const>,
                                   std::span<const TensorSpec> outputs) const {
        return {host_array(std::vector<float>(outputs[0].shape.volume(), value_), outputs[0])};
    }

private:
    TensorSpec spec_;
    float value_;
};

class MorehArangeOperation : public DeviceOperationWith<MorehArangeOperation> {
public:
    static constexpr std::string_view kName = "MorehArangeOperation";
    static constexpr std::string_view kAttributesName = "operation_attributes_t";

    MorehArangeOperation(float start, float end, float step, bool in_rows, DataType dtype,
                         MemoryConfig memory_config)
        : start_(start),
          end_(end),
          step_(step),
          in_rows_(in_rows),
          dtype_(dtype),
          memory_config_(std::move(memory_config)) {}
    auto attributes() const { return std::tie(start_, end_, step_, in_rows_, dtype_, memory_config_); }

    void validate(std::span<const TensorSpec>) const {
        require(step_ != 0.0F && (end_ - start_) / step_ > 0.0F, [&] {
            return "moreh_arange: step: expected one that leads from start to end, got " +
                   attribute_text(step_);
        });
    }
    TensorSpecs infer(std::span<const TensorSpec>) const {
        if (in_rows_) return {TensorSpec{Shape{count()}, dtype_, Layout::ROW_MAJOR, memory_config_}};
        return {TensorSpec{Shape{1, count()}, dtype_, Layout::TILE, memory_config_}};
    }
    ProgramPlan plan(std::span<const TensorSpec>, std::span<const TensorSpec>,
                     const DeviceDescription& device) const {
        const CoreRangeSet cores = whole_columns_and_rest(ceil_div(count(), kTileWidth), device);
        return {
            "ttnn::device_operation::MeshDeviceOperationAdapter<ttnn::operations::moreh::moreh_arange::"
            "MorehArangeOperation>::DirectDescriptorFactory",
            0,
            {circular_buffer(tile_size(dtype_), cores)},
            {}};
    }
    std::vector<HostArray> compute(std::span<const HostArray* const>,
                                   std::span<const TensorSpec> outputs) const {
        std::vector<float> values;
        for (std::uint32_t i = 0; i < count(); ++i)
            values.push_back(start_ + static_cast<float>(i) * step_);
        return {host_array(values, outputs[0])};
    }

private:
    std::uint32_t count() const { return static_cast<std::uint32_t>(std::ceil((end_ - start_) / step_)); }

    float start_;
    float end_;
    float step_;
    bool in_rows_;
    DataType dtype_;
    MemoryConfig memory_config_;
};

}  // namespace

Tensor MorehFull::call() const {
    return in_operation(*this, [&] {
        return launch_on(FullOperation(TensorSpec{shape, dtype, layout, memory_config}, fill_value), device);
    });
}

Tensor MorehFullLike::call() const {
    return in_operation(*this, [&] {
        const TensorSpec spec{input.shape(), dtype.value_or(input.dtype()), layout.value_or(input.layout()),
                              memory_config.value_or(input.memory_config())};
        return launch_on(FullOperation(spec, fill_value), input.shared_device());
    });
}

Tensor MorehArange::call() const {
    return in_operation(*this, [&] {
        const MorehArangeOperation operation(start, end, step, untilize_out, dtype, memory_config);
        return output ? launch_into(operation, std::initializer_list<Tensor>{}, *output)
                      : launch_on(operation, device);
    });
}

}  // namespace tilemeter
