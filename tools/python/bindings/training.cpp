// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations of training loops ("moreh_..."): sums, softmax, products, steps of optimizers.

#include <nanobind/stl/variant.h>

#include "runtime/device/errors.hpp"
#include "runtime/operations/moreh/moreh_creation.hpp"
#include "runtime/operations/moreh/moreh_matmul.hpp"
#include "runtime/operations/moreh/moreh_matmul_backward.hpp"
#include "runtime/operations/moreh/moreh_optimizers.hpp"
#include "runtime/operations/moreh/moreh_reductions.hpp"
#include "runtime/operations/moreh/moreh_softmax.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"

namespace tilemeter::python {

namespace {

using OptionalPlace = OptionalMemoryConfig;
using OptionalKernels = OptionalComputeKernelConfig;
/// Arguments of TT-NN's that choose among programs; ours is the one that it chooses by itself.
using Unused = nb::handle;

void bind_reductions(nb::module_& m) {
    constexpr const char* kDoc =
        "Over one dimension, several, or all (None), the last first. bfloat16 (sums also int32), TILE. "
        "keepdim: they stay as 1, as the last two always do. memory_config: that of the input unless given.";
    operation(m, "moreh_sum", &moreh_sum, "input"_a, "dim"_a = nb::none(), nb::kw_only(), "keepdim"_a = false,
              "output"_a = nb::none(), "memory_config"_a = nb::none(), "compute_kernel_config"_a = nb::none(),
              kDoc);
    operation(
        m, "moreh_mean",
        [](const Tensor& input, const ReduceDims& dim, bool keepdim, std::optional<std::uint32_t> divisor,
           const OptionalTensor& output, const OptionalPlace& memory_config, const OptionalKernels& kernels) {
            if (divisor) throw RuntimeError("divisor not supported yet.");
            return moreh_mean(input, dim, keepdim, output, memory_config, kernels);
        },
        "input"_a, nb::kw_only(), "dim"_a = nb::none(), "keepdim"_a = false, "divisor"_a = nb::none(),
        "output"_a = nb::none(), "memory_config"_a = nb::none(), "compute_kernel_config"_a = nb::none(),
        kDoc);
    operation(m, "moreh_norm", &moreh_norm, "input"_a, "p"_a, nb::kw_only(), "dim"_a = nb::none(),
              "keepdim"_a = false, "output"_a = nb::none(), "memory_config"_a = nb::none(),
              "compute_kernel_config"_a = nb::none(),
              "(sum of |x| ^ p) ^ (1 / p) over dimensions; p may be infinite. bfloat16, TILE.");
    operation(m, "moreh_abs_pow", &moreh_abs_pow, "input"_a, "p"_a, nb::kw_only(), "output"_a = nb::none(),
              "memory_config"_a = nb::none(), "compute_kernel_config"_a = nb::none(),
              "|x| ^ p of each element. bfloat16, TILE.");
}

void bind_gradients_of_reductions(nb::module_& m) {
    constexpr const char* kDoc = "The gradient of the input, from that of the result. bfloat16, TILE.";
    operation(
        m, "moreh_sum_backward",
        [](const Tensor& output_grad, const OptionalTensor& input, const ReduceDims& dim, bool keepdim,
           const OptionalTensor& input_grad, const OptionalPlace& memory_config,
           const OptionalKernels& kernels) {
            if (!input && !input_grad)
                throw RuntimeError("input: expected a tensor, or input_grad, got neither");
            return moreh_sum_backward(output_grad, input ? *input : *input_grad, dim, keepdim, input_grad,
                                      memory_config, kernels);
        },
        "output_grad"_a, nb::kw_only(), "input"_a = nb::none(), "dim"_a = nb::none(), "keepdim"_a = false,
        "input_grad"_a = nb::none(), "memory_config"_a = nb::none(), "compute_kernel_config"_a = nb::none(),
        kDoc);
    operation(
        m, "moreh_mean_backward",
        [](const Tensor& output_grad, const ReduceDims& dim, bool keepdim, const std::optional<Shape>& shape,
           const OptionalTensor& input_grad, const OptionalPlace& memory_config,
           const OptionalKernels& kernels) {
            if (!shape && !input_grad)
                throw RuntimeError("input_grad_shape: expected one, or input_grad, got neither");
            return moreh_mean_backward(output_grad, shape ? *shape : input_grad->shape(), dim, keepdim,
                                       input_grad, memory_config, kernels);
        },
        "output_grad"_a, nb::kw_only(), "dim"_a = nb::none(), "keepdim"_a = false,
        "input_grad_shape"_a = nb::none(), "input_grad"_a = nb::none(), "memory_config"_a = nb::none(),
        "compute_kernel_config"_a = nb::none(), kDoc);
}

using Softmax = Tensor (*)(const Tensor&, int, const OptionalTensor&, const OptionalPlace&,
                           const OptionalKernels&);
using SoftmaxBackward = Tensor (*)(const Tensor&, const Tensor&, int, const OptionalTensor&,
                                   const OptionalPlace&, const OptionalKernels&);

void bind_softmax(nb::module_& m, const char* name, Softmax function) {
    operation(
        m, name,
        [function](const Tensor& input, int dim, const OptionalTensor& output, Unused, Unused,
                   const OptionalPlace& memory_config, const OptionalKernels& kernels) {
            return function(input, dim, output, memory_config, kernels);
        },
        "input_tensor"_a, "dim"_a, nb::kw_only(), "output_tensor"_a = nb::none(), "op"_a = nb::none(),
        "strategy"_a = nb::none(), "memory_config"_a = nb::none(), "compute_kernel_config"_a = nb::none(),
        "Along one dimension. bfloat16, float32, TILE. memory_config: that of the input unless given.");
}

void bind_softmax_backward(nb::module_& m, const char* name, SoftmaxBackward function) {
    operation(
        m, name,
        [function](const Tensor& output, const Tensor& output_grad, int dim, const OptionalTensor& input_grad,
                   Unused, Unused, const OptionalPlace& memory_config, const OptionalKernels& kernels) {
            return function(output, output_grad, dim, input_grad, memory_config, kernels);
        },
        "output_tensor"_a, "output_grad_tensor"_a, "dim"_a, nb::kw_only(), "input_grad_tensor"_a = nb::none(),
        "op"_a = nb::none(), "strategy"_a = nb::none(), "memory_config"_a = nb::none(),
        "compute_kernel_config"_a = nb::none(),
        "The gradient of the input, from the result and its gradient. bfloat16, TILE.");
}

void bind_softmaxes(nb::module_& m) {
#define TILEMETER_BIND(name, kind)                  \
    bind_softmax(m, "moreh_" #name, &moreh_##name); \
    bind_softmax_backward(m, "moreh_" #name "_backward", &moreh_##name##_backward);
    TILEMETER_MOREH_SOFTMAXES(TILEMETER_BIND)
#undef TILEMETER_BIND
}

void bind_products(nb::module_& m) {
    operation(m, "moreh_matmul", &moreh_matmul, "input"_a, "other"_a, nb::kw_only(),
              "transpose_input"_a = false, "transpose_other"_a = false, "output"_a = nb::none(),
              "bias"_a = nb::none(), "memory_config"_a = nb::none(), "compute_kernel_config"_a = nb::none(),
              "Matrix product, plus bias ([1, columns] or one element). bfloat16, TILE; batches of 1 are "
              "repeated.");
    operation(m, "moreh_bmm", &moreh_bmm, "input"_a, "mat2"_a, nb::kw_only(), "output"_a = nb::none(),
              "memory_config"_a = nb::none(), "compute_kernel_config"_a = nb::none(),
              "Products of matrices in a batch: three dimensions each. bfloat16, TILE.");
    operation(
        m, "moreh_linear", &moreh_linear, "input"_a, "weight"_a, nb::kw_only(), "bias"_a = nb::none(),
        "output"_a = nb::none(), "memory_config"_a = nb::none(), "compute_kernel_config"_a = nb::none(),
        "input times the transpose of weight, plus bias ([1, columns] or one element). bfloat16, TILE.");
    operation(m, "moreh_dot", &moreh_dot, "input_tensor_a"_a, "input_tensor_b"_a, nb::kw_only(),
              "output"_a = nb::none(), "dtype"_a = nb::none(), "memory_config"_a = nb::none(),
              "compute_kernel_config"_a = nb::none(),
              "Of two rows of one length: one element. bfloat16, TILE.");
}

constexpr const char* kGivenDoc =
    "The gradients, each written into the tensor given for it; None where are_required_outputs says so. "
    "bfloat16, TILE.";

using ProductBackward = std::vector<OptionalTensor> (*)(const Tensor&, const Tensor&, const Tensor&,
                                                        const std::vector<bool>&, const OptionalTensor&,
                                                        const OptionalTensor&, const OptionalPlace&,
                                                        const OptionalKernels&);

void bind_gradients_of_products(nb::module_& m) {
    const std::vector<bool> both{true, true};
    operation(m, "moreh_matmul_backward", static_cast<ProductBackward>(&moreh_matmul_backward),
              "output_grad"_a, "input_a"_a, "input_b"_a, nb::kw_only(), "are_required_outputs"_a = both,
              "input_a_grad"_a = nb::none(), "input_b_grad"_a = nb::none(), "memory_config"_a = nb::none(),
              "compute_kernel_config"_a = nb::none(), kGivenDoc);
    operation(
        m, "moreh_bmm_backward",
        [](const Tensor& grad, const Tensor& input, const Tensor& mat2, const std::vector<bool>& required,
           const OptionalTensor& input_grad, const OptionalTensor& mat2_grad, const OptionalPlace&,
           const OptionalPlace&, const OptionalKernels& kernels) {
            return moreh_bmm_backward(grad, input, mat2, required, input_grad, mat2_grad, std::nullopt,
                                      kernels);
        },
        "output_grad"_a, "input"_a, "mat2"_a, nb::kw_only(), "are_required_outputs"_a = both,
        "input_grad"_a = nb::none(), "mat2_grad"_a = nb::none(), "input_grad_memory_config"_a = nb::none(),
        "mat2_grad_memory_config"_a = nb::none(), "compute_kernel_config"_a = nb::none(), kGivenDoc);
    operation(
        m, "moreh_linear_backward",
        [](const Tensor& grad, const Tensor& input, const Tensor& weight, const std::vector<bool>& required,
           const OptionalTensor& bias, const OptionalTensor& input_grad, const OptionalTensor& weight_grad,
           const OptionalTensor& bias_grad, const OptionalPlace&, const OptionalPlace& weight_place,
           const OptionalPlace&, const OptionalKernels& kernels) {
            return moreh_linear_backward(grad, input, weight, required, bias,
                                         {input_grad, weight_grad, bias_grad}, weight_place, kernels);
        },
        "output_grad"_a, "input"_a, "weight"_a, nb::kw_only(),
        "are_required_outputs"_a = std::vector<bool>{true, true, true}, "bias"_a = nb::none(),
        "input_grad"_a = nb::none(), "weight_grad"_a = nb::none(), "bias_grad"_a = nb::none(),
        "input_grad_memory_config"_a = nb::none(), "weight_grad_memory_config"_a = nb::none(),
        "bias_grad_memory_config"_a = nb::none(), "compute_kernel_config"_a = nb::none(), kGivenDoc);
    operation(m, "moreh_norm_backward", &moreh_norm_backward, "input"_a, "output"_a, "output_grad"_a, "p"_a,
              nb::kw_only(), "dim"_a = nb::none(), "keepdim"_a = false, "input_grad"_a = nb::none(),
              "memory_config"_a = nb::none(), "compute_kernel_config"_a = nb::none(),
              "The gradient of a norm's input, from the norm and its gradient; p is finite. bfloat16, TILE.");
}

void bind_sgd(nb::module_& m) {
    operation(
        m, "moreh_sgd",
        [](const Tensor& param, const Tensor& grad, const OptionalTensor& buffer,
           const OptionalTensor& param_out, const OptionalTensor& buffer_out, float lr, float momentum,
           float dampening, float weight_decay, bool nesterov, bool initialized,
           const OptionalPlace& param_place, const OptionalPlace& buffer_place,
           const OptionalKernels& kernels) {
            const SgdStep step{lr, momentum, dampening, weight_decay, nesterov, initialized};
            return moreh_sgd(param, grad, buffer, step, param_out, buffer_out, param_place, buffer_place,
                             kernels);
        },
        "param_in"_a, "grad"_a, "momentum_buffer_in"_a = nb::none(), "param_out"_a = nb::none(),
        "momentum_buffer_out"_a = nb::none(), "lr"_a = 0.001F, "momentum"_a = 0.0F, "dampening"_a = 0.0F,
        "weight_decay"_a = 0.0F, "nesterov"_a = false, nb::kw_only(), "momentum_initialized"_a,
        "param_out_memory_config"_a = nb::none(), "momentum_buffer_out_memory_config"_a = nb::none(),
        "compute_kernel_config"_a = nb::none(),
        "One step: [parameters, momentum buffer or None]. bfloat16, TILE, all of the parameters' shape.");
}

using Adam = std::vector<OptionalTensor> (*)(const Tensor&, const Tensor&, const Tensor&, const Tensor&,
                                             const AdamStep&, const OptionalTensor&, const AdamOutputs&,
                                             const OptionalPlace&, const OptionalKernels&);
constexpr const char* kAdamDoc =
    "One step: [parameters, averages of gradients, of their squares, largest of these or None]. bfloat16, "
    "TILE, all of the parameters' shape. step counts from 1.";

auto adam_call(Adam function) {
    return [function](const Tensor& param, const Tensor& grad, const Tensor& average, const Tensor& square,
                      float lr, float beta1, float beta2, float eps, float weight_decay, std::uint32_t step,
                      bool amsgrad, const OptionalTensor& largest, const OptionalTensor& param_out,
                      const OptionalTensor& average_out, const OptionalTensor& square_out,
                      const OptionalTensor& largest_out, const OptionalPlace& memory_config,
                      const OptionalKernels& kernels) {
        return function(param, grad, average, square, {lr, beta1, beta2, eps, weight_decay, step, amsgrad},
                        largest, {param_out, average_out, square_out, largest_out}, memory_config, kernels);
    };
}

void bind_adam(nb::module_& m) {
    operation(m, "moreh_adam", adam_call(&moreh_adam), "param_in"_a, "grad"_a, "exp_avg_in"_a,
              "exp_avg_sq_in"_a, nb::kw_only(), "lr"_a = 0.001F, "beta1"_a = 0.9F, "beta2"_a = 0.999F,
              "eps"_a = 1e-8F, "weight_decay"_a = 0.0F, "step"_a = 0, "amsgrad"_a = false,
              "max_exp_avg_sq_in"_a = nb::none(), "param_out"_a = nb::none(), "exp_avg_out"_a = nb::none(),
              "exp_avg_sq_out"_a = nb::none(), "max_exp_avg_sq_out"_a = nb::none(),
              "memory_config"_a = nb::none(), "compute_kernel_config"_a = nb::none(), kAdamDoc);
    operation(m, "moreh_adamw", adam_call(&moreh_adamw), "param_in"_a, "grad"_a, "exp_avg_in"_a,
              "exp_avg_sq_in"_a, "lr"_a = 0.001F, "beta1"_a = 0.9F, "beta2"_a = 0.999F, "eps"_a = 1e-8F,
              "weight_decay"_a = 0.01F, "step"_a = 0, "amsgrad"_a = false, nb::kw_only(),
              "max_exp_avg_sq_in"_a = nb::none(), "param_out"_a = nb::none(), "exp_avg_out"_a = nb::none(),
              "exp_avg_sq_out"_a = nb::none(), "max_exp_avg_sq_out"_a = nb::none(),
              "memory_config"_a = nb::none(), "compute_kernel_config"_a = nb::none(), kAdamDoc);
}

void bind_created(nb::module_& m) {
    operation(m, "moreh_full", &moreh_full, "shape"_a, "fill_value"_a, "device"_a, nb::kw_only(),
              "dtype"_a = DataType::BFLOAT16, "layout"_a = Layout::TILE,
              "memory_config"_a = DRAM_MEMORY_CONFIG, "One value, filled in by the device.");
    operation(m, "moreh_full_like", &moreh_full_like, "input"_a, "fill_value"_a, "dtype"_a = nb::none(),
              "layout"_a = nb::none(), "memory_config"_a = nb::none(),
              "One value in another tensor's shape, dtype, layout and place, filled in by the device.");
    operation(m, "moreh_arange", &moreh_arange, "start"_a, "end"_a, "step"_a, "device"_a, nb::kw_only(),
              "output"_a = nb::none(), "untilize_out"_a = false, "dtype"_a = DataType::BFLOAT16,
              "memory_config"_a = DRAM_MEMORY_CONFIG,
              "start, start + step, ... below end: [1, n] in tiles, or [n] in rows (untilize_out).");
}

}  // namespace

void bind_training(nb::module_& m) {
    bind_reductions(m);
    bind_gradients_of_reductions(m);
    bind_softmaxes(m);
    bind_products(m);
    bind_gradients_of_products(m);
    bind_sgd(m);
    bind_adam(m);
    bind_created(m);
}

}  // namespace tilemeter::python
