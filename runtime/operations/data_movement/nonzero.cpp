// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/nonzero.hpp"

#include <tuple>

#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/program_pieces.hpp"
#include "runtime/operations/core/require.hpp"

namespace tilemeter {

namespace {

struct NonZeroIndices {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "NonZeroIndicesDeviceOperation";
    static constexpr std::string_view kAttributesName = "NonzeroParams";

    MemoryConfig memory_config;

    auto attributes() const { return std::tie(memory_config); }

    void validate(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        const bool row = input.shape.rank() == 4 && input.shape.volume() == input.shape[-1];
        require(row && input.layout == Layout::ROW_MAJOR,
                "nonzero: input_tensor: expected Shape([1, 1, 1, N]) in ROW_MAJOR layout, got ", input.shape,
                " in ", name_of(input.layout));
    }

    TensorSpecs infer(SpecsView inputs) const {
        constexpr std::uint32_t kCount = 8, kPlacesOfAnElement = 4;
        const std::uint32_t elements = inputs[0].shape[-1];
        const auto row = [&](std::uint32_t length) {
            return TensorSpec{Shape{1, 1, 1, length}, DataType::UINT32, Layout::ROW_MAJOR, memory_config};
        };
        return {row(kCount), row(kPlacesOfAnElement * elements)};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription&) const {
        constexpr std::uint64_t kAlignment = 32;
        const CoreRange core{{0, 0}, {0, 0}};
        const std::uint64_t elements = inputs[0].shape[-1];
        return {{"ttnn::prim::NonZeroIndicesProgramFactory", 0},
                circular_buffers({round_up(elements * element_size(inputs[0].dtype), kAlignment),
                                  2 * kAlignment, round_up(elements, 2) * kAlignment},
                                 core)};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<float> values = inputs[0]->to_floats();
        std::vector<std::int64_t> count(outputs[0].shape.volume()), places(outputs[1].shape.volume());
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (values[i] != 0) places[static_cast<std::size_t>(count[0]++)] = static_cast<std::int64_t>(i);
        }
        return {HostArray::from_integers(count, outputs[0].dtype, outputs[0].shape),
                HostArray::from_integers(places, outputs[1].dtype, outputs[1].shape)};
    }
};

}  // namespace

std::vector<Tensor> Nonzero::body() const {
    require_on_device(input_tensor, "nonzero", "input_tensor");
    return launch_all(NonZeroIndices{memory_config.value_or(input_tensor.memory_config())}, {input_tensor});
}

}  // namespace tilemeter
