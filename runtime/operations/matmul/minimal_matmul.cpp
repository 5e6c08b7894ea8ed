// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/matmul/minimal_matmul.hpp"

#include <string>
#include <tuple>
#include <utility>

#include "runtime/compute/elementwise.hpp"
#include "runtime/compute/matmul.hpp"
#include "runtime/compute/rearrange.hpp"
#include "runtime/compute/unary.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

struct MinimalMatmulOptions {
    const OptionalTensor& bias;
    const std::optional<UnaryWithParam>& activation;
    const std::optional<MinimalMatmulConfig>& config;
    const OptionalMemoryConfig& memory_config;
    const OptionalDataType& dtype;
    const OptionalComputeKernelConfig& compute_kernel_config;
};

/// Inputs: both matrices, then the bias if there is one.
class MinimalMatmulOperation {
public:
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MinimalMatmulDeviceOperation";
    static constexpr std::string_view kAttributesName = "MinimalMatmulParams";

    MinimalMatmulOperation(const MinimalMatmulOptions& options, MemoryConfig memory_config, DataType dtype,
                           std::uint32_t chunks)
        : activation_(options.activation),
          config_(options.config),
          memory_config_(std::move(memory_config)),
          dtype_(dtype),
          sums_in_fp32_(!options.compute_kernel_config || options.compute_kernel_config->fp32_dest_acc_en),
          chunks_(chunks) {}
    auto attributes() const {
        return std::tie(config_, activation_, memory_config_, dtype_, sums_in_fp32_, chunks_);
    }

    void validate(SpecsView inputs) const {
        for (const TensorSpec& input : inputs) {
            require(input.layout == Layout::TILE && input.shape.rank() >= 2,
                    "minimal_matmul: expected matrices in TILE layout, got ", input.shape, " in ",
                    name_of(input.layout));
        }
        const std::uint32_t k = inputs[0].shape[-1], k_of_weight = inputs[1].shape[-2];
        require(k == k_of_weight, "minimal_matmul inner dimensions must match, got K=", k,
                " and K_w=", k_of_weight);
        require(inputs[1].shape.volume() == std::uint64_t{k_of_weight} * inputs[1].shape[-1],
                "minimal_matmul: weight_tensor: expected one matrix, got ", inputs[1].shape);
        require(inputs.size() <= 2 || inputs[2].shape.volume() == inputs[1].shape[-1], [&] {
            return "minimal_matmul: bias_tensor: expected " + std::to_string(inputs[1].shape[-1]) +
                   " elements, got " + inputs[2].shape.to_string();
        });
    }

    TensorSpecs infer(SpecsView inputs) const {
        Shape shape = inputs[0].shape;
        shape.set(-1, inputs[1].shape[-1] / chunks_);
        return TensorSpecs(chunks_, TensorSpec{shape, dtype_, Layout::TILE, memory_config_});
    }

    // Two blocks of what comes and goes; one of sums.
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        constexpr std::uint32_t kBlock = 8;
        const MinimalMatmulConfig config =
            config_.value_or(MinimalMatmulConfig{kBlock, kBlock, kBlock, 1, 1, device.compute_grid});
        const CoreRangeSet cores = whole_grid(config.compute_with_storage_grid_size);
        const std::uint64_t m = config.M_block_size, k = config.K_block_size, n = config.N_block_size;
        ProgramPlan plan{
            {"ttnn::experimental::prim::MinimalMatmulProgramFactory", 0},
            dataflow_buffers({2 * m * k * tile_size(inputs[0].dtype), 2 * k * n * tile_size(inputs[1].dtype),
                              2 * m * n * tile_size(outputs[0].dtype),
                              m * n * tile_size(sums_in_fp32_ ? DataType::FLOAT32 : DataType::BFLOAT16)},
                             cores)};
        if (inputs.size() > 2) plan.memory.push_back(dataflow_buffer(n * tile_size(inputs[2].dtype), cores));
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<float> a = inputs[0]->to_floats(), b = inputs[1]->to_floats();
        const std::uint32_t columns = inputs[1]->shape()[-1];
        Shape whole = outputs[0].shape;
        whole.set(-1, columns);
        std::vector<float> product = compute::matmul({a, inputs[0]->shape(), false},
                                                     {b, Shape{inputs[1]->shape()[-2], columns}, false});
        if (inputs.size() > 2) {
            const std::vector<float> bias = inputs[2]->to_floats();
            for (std::size_t i = 0; i < product.size(); ++i)
                product[i] += bias[i % columns];
        }
        if (activation_) product = compute::unary(activation_->op_type, activation_->parameters, product);
        const HostArray all = HostArray::from_floats(product, dtype_, whole);
        if (chunks_ == 1) return {all};
        std::vector<HostArray> parts;
        std::vector<std::uint32_t> begin(whole.rank(), 0);
        const std::vector<std::uint32_t> step(whole.rank(), 1);
        for (std::uint32_t i = 0; i < chunks_; ++i) {
            begin.back() = i * outputs[0].shape[-1];
            parts.push_back(compute::sliced(all, begin, step, outputs[0].shape));
        }
        return parts;
    }

private:
    std::optional<UnaryWithParam> activation_;
    std::optional<MinimalMatmulConfig> config_;
    MemoryConfig memory_config_;
    DataType dtype_;
    bool sums_in_fp32_;
    std::uint32_t chunks_;
};

std::vector<Tensor> multiplied(const Tensor& input, const Tensor& weight, const MinimalMatmulOptions& options,
                               std::uint32_t chunks) {
    require_on_device(input, "minimal_matmul", "input_tensor");
    std::vector<Tensor> inputs{input, weight};
    if (options.bias) inputs.push_back(*options.bias);
    return launch_all(MinimalMatmulOperation(options, options.memory_config.value_or(input.memory_config()),
                                             options.dtype.value_or(input.dtype()), chunks),
                      inputs);
}

}  // namespace

std::string attribute_text(const MinimalMatmulConfig& config) {
    return "MinimalMatmulConfig(M_block_size=" + std::to_string(config.M_block_size) +
           ",K_block_size=" + std::to_string(config.K_block_size) +
           ",N_block_size=" + std::to_string(config.N_block_size) +
           ",subblock_h=" + std::to_string(config.subblock_h) +
           ",subblock_w=" + std::to_string(config.subblock_w) +
           ",compute_with_storage_grid_size=" + attribute_text(config.compute_with_storage_grid_size) + ")";
}

namespace experimental {

Tensor MinimalMatmul::call() const {
    require(!fuse_swiglu, "fuse_swiglu: expected False, got True, which is not there");
    return in_operation(*this, [&] {
        return multiplied(
                   input_tensor, weight_tensor,
                   {bias_tensor, fused_activation, config, memory_config, dtype, compute_kernel_config}, 1)
            .front();
    });
}

std::vector<Tensor> MinimalMatmulSplit::call() const {
    require(!fuse_swiglu, "fuse_swiglu: expected False, got True, which is not there");
    return in_operation(*this, [&] {
        require(dim == -1, "minimal_matmul_split: dim: expected -1, got ", dim);
        require(chunks != 0 && weight_tensor.shape()[-1] % chunks == 0, [&] {
            return "Output width N=" + std::to_string(weight_tensor.shape()[-1]) +
                   " must be divisible by chunks=" + std::to_string(chunks);
        });
        return multiplied(
            input_tensor, weight_tensor,
            {bias_tensor, fused_activation, config, memory_config, dtype, compute_kernel_config}, chunks);
    });
}

}  // namespace experimental

}  // namespace tilemeter
