// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/bcast.hpp"

#include <string>
#include <tuple>
#include <vector>

#include "runtime/compute/elementwise.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/program_pieces.hpp"
#include "runtime/operations/core/require.hpp"

namespace tilemeter {

namespace {

struct BcastOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "BcastDeviceOperation";
    static constexpr std::string_view kAttributesName = "BcastParams";

    BcastOpMath math;
    BcastOpDim dim;
    MemoryConfig memory_config;

    auto attributes() const {
        return std::make_tuple(static_cast<int>(math), static_cast<int>(dim), memory_config);
    }

    void validate(SpecsView inputs) const {
        const Shape &a = inputs[0].shape, &b = inputs[1].shape;
        for (const TensorSpec& input : inputs) {
            require(input.layout == Layout::TILE && input.shape.rank() == 4,
                    "bcast: expected four dimensions in TILE layout, got ", input.shape, " in ",
                    name_of(input.layout));
        }
        Shape expected = a;
        if (dim != BcastOpDim::W) expected.set(-2, 1);
        if (dim != BcastOpDim::H) expected.set(-1, 1);
        if (b[0] == 1 && b[1] == 1) {
            expected.set(0, 1);
            expected.set(1, 1);
        }
        if (b != expected) refuse("bcast", "input_b", expected.to_string(), b.to_string());
    }
    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, inputs[0].dtype, Layout::TILE, memory_config}};
    }
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const CoreRangeSet cores = whole_grid(device.compute_grid);
        ProgramPlan plan{{dim == BcastOpDim::H   ? StaticName("ttnn::prim::BcastMultiCoreHProgramFactory")
                          : dim == BcastOpDim::W ? StaticName("ttnn::prim::BcastMultiCoreWProgramFactory")
                                                 : StaticName("ttnn::prim::BcastMultiCoreHWProgramFactory"),
                          static_cast<std::uint64_t>(dim)}};
        for (const DataType dtype : {inputs[0].dtype, inputs[1].dtype, outputs[0].dtype})
            plan.memory.push_back(dataflow_buffer(2 * tile_size(dtype), cores));
        return plan;
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const compute::BinaryKind kind = math == BcastOpMath::ADD   ? compute::BinaryKind::kAdd
                                         : math == BcastOpMath::SUB ? compute::BinaryKind::kSubtract
                                                                    : compute::BinaryKind::kMultiply;
        return {HostArray::from_floats(
            compute::binary(kind, inputs[0]->to_floats(), inputs[0]->shape(), inputs[1]->to_floats(),
                            inputs[1]->shape(), outputs[0].shape),
            outputs[0].dtype, outputs[0].shape)};
    }
};

}  // namespace

Tensor unscoped::bcast(const Tensor& input_a, const Tensor& input_b, BcastOpMath math_op, BcastOpDim dim,
                       const MemoryConfig& memory_config) {
    return launch(BcastOperation{math_op, dim, memory_config}, {input_a, input_b});
}

Tensor Bcast::body() const {
    require_on_device(input_a, "bcast", "input_a");
    const BcastOperation operation{math_op, dim, memory_config.value_or(input_a.memory_config())};
    return launch(operation, {input_a, input_b}, output_tensor);
}

}  // namespace tilemeter
