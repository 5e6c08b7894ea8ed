// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/softmax.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/compute/normalization.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/launch.hpp"
#include "runtime/operations/operation_scope.hpp"
#include "runtime/operations/softmax_program.hpp"
#include "runtime/operations/upload.hpp"

namespace tilemeter {

namespace {

class SoftmaxDeviceOperation : public DeviceOperationWith<SoftmaxDeviceOperation> {
public:
    static constexpr std::string_view kName = "SoftmaxDeviceOperation";
    static constexpr std::string_view kAttributesName = "SoftmaxParams";

    SoftmaxDeviceOperation(std::size_t dimension, bool in_place, MemoryConfig memory_config,
                           bool numeric_stable)
        : dimension_(dimension),
          in_place_(in_place),
          memory_config_(std::move(memory_config)),
          numeric_stable_(numeric_stable) {}

    auto attributes() const {
        using std::string_view_literals::operator""sv;
        return std::make_tuple(
            in_place_ ? "SoftmaxOperationType::SoftmaxInPlace"sv : "SoftmaxOperationType::Softmax"sv,
            dimension_, "std::nullopt"sv, in_place_, memory_config_, "SoftmaxDefaultProgramConfig()"sv, false,
            "ComputeKernelConfig(math_fidelity=HiFi3,math_approx_mode=1,fp32_dest_acc_en=1,packer_l1_acc=0,"
            "dst_full_sync_en=0,throttle_level=ThrottleLevel::NO_THROTTLE)"sv,
            false, numeric_stable_, false);
    }

    void validate(std::span<const TensorSpec> inputs) const override {
        const TensorSpec& input = inputs[0];
        if (input.layout != Layout::TILE) {
            throw RuntimeError("softmax: input_tensor: expected TILE layout, got " +
                               std::string(name_of(input.layout)));
        }
        if (input.dtype != DataType::FLOAT32 && input.dtype != DataType::BFLOAT16 &&
            input.dtype != DataType::BFLOAT8_B) {
            throw RuntimeError("Input tensor must be FLOAT32, BFLOAT16, or BFLOAT8_B, got: DataType::" +
                               std::string(name_of(input.dtype)));
        }
    }

    TensorSpecs infer(std::span<const TensorSpec> inputs) const override {
        return {TensorSpec{inputs[0].shape, inputs[0].dtype, Layout::TILE, memory_config_}};
    }

    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const override {
        return plan_softmax(inputs[0], outputs[0], dimension_, numeric_stable_, device);
    }

    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const override {
        return {
            HostArray::from_floats(compute::softmax(inputs[0]->to_floats(), inputs[0]->shape(), dimension_),
                                   outputs[0].dtype, outputs[0].shape)};
    }

private:
    std::size_t dimension_;
    bool in_place_;
    MemoryConfig memory_config_;
    bool numeric_stable_;
};

std::size_t position_of(int dim, std::size_t rank) {
    const int count = static_cast<int>(std::max<std::size_t>(rank, 1));
    if (dim < -count || dim >= count) {
        throw RuntimeError("Dimension out of range (expected to be in range of [" + std::to_string(-count) +
                           ", " + std::to_string(count - 1) + "], but got " + std::to_string(dim) + ")");
    }
    return static_cast<std::size_t>(dim < 0 ? dim + count : dim);
}

// Fewer than four dimensions are filled up for the program; the result gets its own again.
Tensor over_four_dimensions(const Tensor& input, int dim, bool in_place, const MemoryConfig& memory_config,
                            bool numeric_stable) {
    const Shape shape = input.shape();
    const std::size_t rank = shape.rank();
    const std::size_t missing = rank < 4 ? 4 - rank : 0;
    const std::size_t dimension = position_of(dim, rank) + missing - (rank == 0 ? 1 : 0);
    const Tensor source = missing > 0 ? reshape_view(input, shape.to_rank(4)) : input;
    const SoftmaxDeviceOperation operation(dimension, in_place, memory_config, numeric_stable);
    const Tensor result = in_place ? launch_into(operation, {source}, source) : launch(operation, {source});
    return reshape_view(result, shape);
}

}  // namespace

Tensor softmax(const Tensor& input_tensor, int dim, const OptionalMemoryConfig& memory_config,
               bool numeric_stable) {
    static const OperationName kName("softmax");
    return in_operation(kName, std::tie(input_tensor, dim, memory_config, numeric_stable), [&] {
        require_on_device(input_tensor, "softmax", "input_tensor");
        return over_four_dimensions(input_tensor, dim, false,
                                    memory_config.value_or(input_tensor.memory_config()), numeric_stable);
    });
}

Tensor softmax_in_place(const Tensor& input_tensor, int dim, bool numeric_stable) {
    static const OperationName kName("softmax_in_place");
    return in_operation(kName, std::tie(input_tensor, dim, numeric_stable), [&] {
        require_on_device(input_tensor, "softmax_in_place", "input_tensor");
        const std::size_t rank = input_tensor.shape().rank();
        if (rank != 4 || position_of(dim, rank) != rank - 1) {
            throw RuntimeError("softmax_in_place: dim: expected the last of four dimensions, got " +
                               std::to_string(dim) + " of " + input_tensor.shape().to_string());
        }
        return over_four_dimensions(input_tensor, dim, true, input_tensor.memory_config(), numeric_stable);
    });
}

}  // namespace tilemeter
