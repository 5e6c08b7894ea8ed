// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/indexed_fill.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

// `high` in the first h_high rows and w_high columns of each image, else `low`.
struct FilledCorner {
    Shape shape;
    std::uint32_t h_high = 0;
    std::uint32_t w_high = 0;
    float high = 1;
    float low = 0;
};

constexpr std::uint64_t kRowAlignment = 32;

struct IndexedFillOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "IndexedFillDeviceOperation";
    static constexpr std::string_view kAttributesName = "IndexedFillParams";

    std::size_t dim;
    MemoryConfig memory_config;

    auto attributes() const { return std::make_tuple(memory_config, dim); }

    void validate(SpecsView inputs) const {
        const TensorSpec &ids = inputs[0], &a = inputs[1], &b = inputs[2];
        if (ids.layout != Layout::ROW_MAJOR || ids.dtype != DataType::UINT32)
            refuse("indexed_fill", "batch_id", "UINT32 in ROW_MAJOR layout", name_of(ids.dtype));
        if (a.layout != b.layout || a.dtype != b.dtype)
            refuse("indexed_fill", "input_tensor_b", "dtype and layout of input_tensor_a", name_of(b.dtype));
        Shape expected = a.shape;
        expected.set(static_cast<std::int64_t>(dim), static_cast<std::uint32_t>(ids.shape.volume()));
        if (b.shape != expected)
            refuse("indexed_fill", "input_tensor_b", expected.to_string(), b.shape.to_string());
        if (dim != 0 && a.layout != Layout::ROW_MAJOR)
            refuse("indexed_fill", "dim", "0 of tensors in TILE layout", std::to_string(dim));
    }
    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[1].shape, inputs[1].dtype, inputs[1].layout, memory_config}};
    }
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const CoreRangeSet cores = whole_grid(device.compute_grid);
        const TensorSpec& a = inputs[1];
        const std::uint64_t page =
            a.layout == Layout::TILE ? tile_size(a.dtype) : round_up(row_bytes(a), kRowAlignment);
        const std::uint64_t ids =
            round_up(inputs[0].shape.volume() * element_size(inputs[0].dtype), kRowAlignment);
        return {{"ttnn::prim::IndexedFillProgramFactory", 0},
                {dataflow_buffer(2 * page, cores), scratchpad(ids, cores)}};
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<std::int64_t> ids = inputs[0]->to_integers();
        std::vector<float> values = inputs[1]->to_floats();
        const std::vector<float> slices = inputs[2]->to_floats();
        const Shape& shape = inputs[1]->shape();
        std::uint64_t inner = 1;
        for (std::size_t i = dim + 1; i < shape.rank(); ++i)
            inner *= shape.dimensions()[i];
        const std::uint64_t length = shape.dimensions()[dim];
        for (std::uint64_t outer = 0; outer < values.size() / (length * inner); ++outer) {
            for (std::uint64_t i = 0; i < ids.size(); ++i) {
                const auto id = static_cast<std::uint64_t>(ids[i]);
                if (id >= length)
                    refuse("indexed_fill", "batch_id", "less than " + std::to_string(length),
                           std::to_string(id));
                std::copy_n(slices.begin() + static_cast<std::ptrdiff_t>((outer * ids.size() + i) * inner),
                            inner,
                            values.begin() + static_cast<std::ptrdiff_t>((outer * length + id) * inner));
            }
        }
        return {HostArray::from_floats(values, outputs[0].dtype, outputs[0].shape)};
    }

private:
};

struct FillRM {
    static constexpr std::string_view kName = "FillRMDeviceOperation";
    static constexpr std::string_view kAttributesName = "FillRmParams";

    FilledCorner corner;
    MemoryConfig memory_config;

    auto attributes() const {
        return std::tie(corner.shape, corner.h_high, corner.w_high, corner.high, corner.low, memory_config);
    }

    void validate(SpecsView) const {
        const Shape& shape = corner.shape;
        require(corner.h_high <= shape[2] && corner.w_high <= shape[3],
                "fill_rm: hOnes, wOnes: expected at most ", shape[2], " and ", shape[3], ", got ",
                corner.h_high, " and ", corner.w_high);
    }
    TensorSpecs infer(SpecsView) const {
        return {TensorSpec{corner.shape, DataType::BFLOAT16, Layout::ROW_MAJOR, memory_config}};
    }
    // One core has a row of each kind, as long as any may be.
    ProgramPlan plan(SpecsView, SpecsView, const DeviceDescription&) const {
        constexpr std::uint64_t kLongestRow = 32768;
        const CoreRange core{{0, 0}, {0, 0}};
        return {{"ttnn::prim::FillRMProgramFactory", 0},
                {scratchpad(kLongestRow, core), scratchpad(kLongestRow, core)}};
    }
    std::vector<HostArray> compute(ArraysView, SpecsView outputs) const {
        const std::uint64_t width = corner.shape[3], height = corner.shape[2];
        std::vector<float> values(corner.shape.volume());
        for (std::uint64_t i = 0; i < values.size(); ++i) {
            const bool high = i % width < corner.w_high && i / width % height < corner.h_high;
            values[i] = high ? corner.high : corner.low;
        }
        return {HostArray::from_floats(values, outputs[0].dtype, outputs[0].shape)};
    }
};

Tensor filled(const FilledCorner& corner, const Tensor& any, const OptionalMemoryConfig& memory_config) {
    require_on_device(any, "fill_rm", "any");
    return launch(FillRM{corner, memory_config.value_or(any.memory_config())}, {any});
}

}  // namespace

Tensor IndexedFill::body() const {
    require_on_device(input_tensor_a, "indexed_fill", "input_tensor_a");
    return launch(IndexedFillOperation{input_tensor_a.shape().position(dim),
                                       memory_config.value_or(input_tensor_a.memory_config())},
                  {batch_id, input_tensor_a, input_tensor_b});
}

std::tuple<Shape, const Tensor&, const OptionalMemoryConfig&> FillRm::recorded() const {
    return {Shape{n, c, h, w}, any, memory_config};
}

Tensor FillRm::body() const {
    return filled({Shape{n, c, h, w}, h_ones, w_ones, val_hi, val_lo}, any, memory_config);
}

std::tuple<Shape, const Tensor&, const OptionalMemoryConfig&> FillOnesRm::recorded() const {
    return {Shape{n, c, h, w}, any, memory_config};
}

Tensor FillOnesRm::body() const {
    return filled({Shape{n, c, h, w}, h_ones, w_ones, 1, 0}, any, memory_config);
}

}  // namespace tilemeter
