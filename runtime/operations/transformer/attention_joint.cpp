// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <array>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/compute/attention.hpp"
#include "runtime/compute/blocks.hpp"
#include "runtime/compute/rearrange.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/transformer/attention.hpp"
#include "runtime/operations/transformer/internal/attention_program.hpp"

namespace tilemeter {

namespace {

// Inputs: q, k, v of either sequence.
struct JointSdpa {
    static constexpr std::string_view kName = "JointSDPADeviceOperation";
    static constexpr std::string_view kAttributesName = "JointSDPAParams";

    std::string strategy;
    float scale;
    SDPAProgramConfig config;
    DeviceComputeKernelConfig kernel_config;

    auto attributes() const {
        return std::make_tuple(strategy, scale, DRAM_MEMORY_CONFIG, attribute_text(config),
                               attribute_text(kernel_config));
    }

    void validate(SpecsView inputs) const {
        require(strategy == "rear", "Joint strategy must be 'rear'. Got: ", strategy);
        for (const TensorSpec& input : inputs) {
            require(
                input.layout == Layout::TILE && input.shape.rank() == 4 && input.shape[3] % kTileWidth == 0,
                "joint_scaled_dot_product_attention: expected tiles of 4 dimensions, the last of whole "
                "tiles, got ",
                input.shape);
            require(
                input.dtype == inputs[0].dtype && is_attention_dtype(input.dtype),
                "joint_scaled_dot_product_attention: expected one of BFLOAT16, BFLOAT8_B, BFLOAT4_B, got ",
                name_of(input.dtype));
            require(input.memory_config.buffer_type == BufferType::DRAM && !input.memory_config.is_sharded(),
                    "Operands to Joint SDPA need to be in DRAM");
        }
        for (std::size_t i = 1; i < inputs.size(); ++i) {
            Shape expected = inputs[0].shape;
            if (i >= 3) expected.set(2, inputs[3].shape[2]);
            require(inputs[i].shape == expected, "joint_scaled_dot_product_attention: expected ", expected,
                    ", got ", inputs[i].shape);
        }
        for (const std::uint32_t chunk : {config.q_chunk_size, config.k_chunk_size}) {
            require(chunk > 0 && chunk % kTileHeight == 0,
                    "joint_scaled_dot_product_attention: program_config: expected chunks in multiples of 32, "
                    "got ",
                    chunk);
        }
    }

    void validate_program(SpecsView, const DeviceDescription& device) const {
        const CoreCoord grid = config.compute_with_storage_grid_size;
        require(
            grid.x > 0 && grid.y > 0 && grid.x <= device.compute_grid.x && grid.y <= device.compute_grid.y,
            "joint_scaled_dot_product_attention: program_config: expected a grid within the device's");
    }

    TensorSpecs infer(SpecsView inputs) const {
        const auto like = [](const TensorSpec& input) {
            return TensorSpec{input.shape, input.dtype, Layout::TILE, DRAM_MEMORY_CONFIG};
        };
        return {like(inputs[0]), like(inputs[3])};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription&) const {
        AttentionProblem problem;
        problem.q = &inputs[0];
        problem.k = &inputs[1];
        problem.v = &inputs[2];
        problem.out_dtype = outputs[0].dtype;
        problem.is_causal = false;
        problem.grid = config.compute_with_storage_grid_size;
        problem.q_chunk = config.q_chunk_size;
        problem.k_chunk = config.k_chunk_size;
        return plan_joint_attention(problem, inputs[3].shape[2]);
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        static constexpr std::array<std::uint32_t, 4> kEach = {1, 1, 1, 1};
        std::array<HostArray, 3> joined;
        for (std::size_t i = 0; i < joined.size(); ++i) {
            const std::array<const HostArray*, 2> both = {inputs[i], inputs[i + 3]};
            joined[i] = compute::converted(compute::concatenated(both, 2), DataType::FLOAT32);
        }
        const auto operand = [&](std::size_t i) {
            return compute::AttentionOperand{std::as_const(joined[i]).floats(), joined[i].shape()};
        };
        compute::AttentionRule rule;
        rule.scale = scale;
        const HostArray all =
            compute::attention(operand(0), operand(1), operand(2), {}, {}, rule, outputs[0].dtype);
        const std::array<std::uint32_t, 4> first = {0, 0, 0, 0};
        const std::array<std::uint32_t, 4> second = {0, 0, outputs[0].shape[2], 0};
        return {compute::sliced(all, first, kEach, outputs[0].shape),
                compute::sliced(all, second, kEach, outputs[1].shape)};
    }
};

}  // namespace

namespace transformer {

std::pair<Tensor, Tensor> JointScaledDotProductAttention::call() const {
    std::vector<Tensor> results = in_operation(*this, [&] {
        require_on_device(input_tensor_q, "joint_scaled_dot_product_attention", "input_tensor_q");
        return launch_all(
            JointSdpa{joint_strategy, attention_scale(scale, input_tensor_q), program_config,
                      compute_kernel_config.value_or(kAttentionKernelConfig)},
            {input_tensor_q, input_tensor_k, input_tensor_v, joint_tensor_q, joint_tensor_k, joint_tensor_v});
    });
    return {std::move(results.at(0)), std::move(results.at(1))};
}

}  // namespace transformer

}  // namespace tilemeter
