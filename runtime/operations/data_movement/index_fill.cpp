// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/index_fill.hpp"

#include <cmath>
#include <tuple>
#include <vector>

#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

struct IndexFillOperation {
    static constexpr std::string_view kName = "IndexFillOperation";

    std::size_t dim;
    double value;
    MemoryConfig memory_config;

    auto attributes() const { return std::tie(dim, value, memory_config); }

    void validate(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        const TensorSpec& index = inputs[1];
        require(input.layout == Layout::ROW_MAJOR && !input.memory_config.is_sharded(),
                "index_fill: input: expected interleaved ROW_MAJOR, got ", name_of(input.layout), " in ",
                input.memory_config);
        require(input.dtype == DataType::BFLOAT16 || input.dtype == DataType::FLOAT32 ||
                    input.dtype == DataType::INT32,
                "index_fill: input: expected BFLOAT16, FLOAT32 or INT32, got ", name_of(input.dtype));
        require(
            index.shape.rank() == 1 && index.dtype == DataType::UINT32 && index.layout == Layout::ROW_MAJOR,
            "index_fill: index: expected one dimension of UINT32 in ROW_MAJOR, got ", index.shape, " of ",
            name_of(index.dtype), " in ", name_of(index.layout));
        require(!memory_config.is_sharded(), "index_fill: memory_config: expected INTERLEAVED, got ",
                memory_config);
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, inputs[0].dtype, Layout::ROW_MAJOR, memory_config}};
    }

    // Rows that are read, all positions, and one row of the value.
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const CoreRangeSet cores = cores_down_columns(num_rows(inputs[0]), device);
        const auto aligned = [&](const TensorSpec& spec) {
            return round_up(row_bytes(spec), page_alignment(spec.memory_config, device));
        };
        const std::uint64_t row = aligned(inputs[0]);
        return {{"ttnn::operations::index_fill::IndexFillOperation::MultiCore", 0},
                circular_buffers({2 * row, aligned(inputs[1]), row}, cores)};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const Shape& shape = outputs[0].shape;
        const std::uint64_t size = shape.dimensions()[dim];
        std::uint64_t inner = 1;
        for (std::size_t i = dim + 1; i < shape.rank(); ++i)
            inner *= shape.dimensions()[i];
        std::vector<bool> chosen(size);
        for (const std::int64_t position : inputs[1]->to_integers()) {
            require(position >= 0 && static_cast<std::uint64_t>(position) < size,
                    "index_fill: index: expected positions below ", size, ", got ", position);
            chosen[static_cast<std::size_t>(position)] = true;
        }
        const auto filled = [&](auto values, auto with) {
            for (std::uint64_t at = 0; at < values.size(); ++at) {
                if (chosen[at / inner % size]) values[at] = with;
            }
            return values;
        };
        if (is_floating_point(outputs[0].dtype)) {
            return {HostArray::from_floats(filled(inputs[0]->to_floats(), static_cast<float>(value)),
                                           outputs[0].dtype, shape)};
        }
        return {HostArray::from_integers(filled(inputs[0]->to_integers(), std::llround(value)),
                                         outputs[0].dtype, shape)};
    }
};

}  // namespace

Tensor IndexFill::body() const {
    require_on_device(input, "index_fill", "input");
    require_on_device(index, "index_fill", "index");
    return launch(
        IndexFillOperation{input.shape().position(dim), value, memory_config.value_or(input.memory_config())},
        {input, index});
}

}  // namespace tilemeter
