// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Softmaxes and norms. Of bfloat16 TT-NN has gradients of softmaxes; others are written out.

#include <cmath>
#include <vector>

#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/moreh/moreh_softmax.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/operations/reduction/variance.hpp"
#include "runtime/trace/device/rules/gradient_call.hpp"

namespace tilemeter::trace::backward {

namespace {

Tensor sum_along(const Tensor& tensor, std::int64_t axis) {
    return sum(Sum{.input_tensor = tensor, .dim = static_cast<int>(axis), .keepdim = true});
}

Tensor mean_of_rows(const Tensor& tensor) {
    return mean(Mean{.input_tensor = tensor, .dim = -1, .keepdim = true});
}

Tensor softmax_back(const Tensor& y, const Tensor& gradient, std::int64_t axis) {
    if (y.dtype() == DataType::BFLOAT16)
        return moreh_softmax_backward(MorehSoftmaxBackward{
            .output_tensor = y, .output_grad_tensor = gradient, .dim = static_cast<int>(axis)});
    return multiply(y, subtract(gradient, sum_along(multiply(y, gradient), axis)));
}

Tensor softmin_back(const Tensor& y, const Tensor& gradient, std::int64_t axis) {
    if (y.dtype() == DataType::BFLOAT16)
        return moreh_softmin_backward(MorehSoftminBackward{
            .output_tensor = y, .output_grad_tensor = gradient, .dim = static_cast<int>(axis)});
    return multiply(y, subtract(sum_along(multiply(y, gradient), axis), gradient));
}

Tensor logsoftmax_back(const Tensor& y, const Tensor& gradient, std::int64_t axis) {
    if (y.dtype() == DataType::BFLOAT16)
        return moreh_logsoftmax_backward(MorehLogSoftmaxBackward{
            .output_tensor = y, .output_grad_tensor = gradient, .dim = static_cast<int>(axis)});
    return subtract(gradient, multiply(exp(y), sum_along(gradient, axis)));
}

using SoftmaxBack = Tensor (*)(const Tensor&, const Tensor&, std::int64_t);

template <SoftmaxBack kBack>
void along_dim(Call& call) {
    call.give(0, kBack(call.result(), call.gradient(), call.axis("dim", -1, call.shape(0).rank())));
}

// softmax(x * scale + mask)
void scaled_softmax_back(Call& call, double scale) {
    const auto last = static_cast<std::int64_t>(call.shape(0).rank()) - 1;
    const Tensor gradient = softmax_back(call.result(), call.gradient(), last);
    if (const auto mask = call.find("mask|attention_mask"); mask && call.wants(*mask))
        call.give(*mask, sum_to(gradient, call.shape(*mask)));
    if (call.wants(0)) call.give(0, scale == 1 ? gradient : multiply(gradient, Scalar(scale)));
}

void scale_mask_back(Call& call) {
    scaled_softmax_back(call, call.find_number("scale").value_or(1));
}

void attention_softmax_back(Call& call) {
    const std::optional<double> size = call.find_number("head_size");
    scaled_softmax_back(call, size ? 1 / std::sqrt(*size) : 1);
}

bool is_tiled_float(const Call& call) {
    return call.result_spec().layout == Layout::TILE && !call.result_spec().memory_config.is_sharded() &&
           (call.result_spec().dtype == DataType::BFLOAT16 ||
            call.result_spec().dtype == DataType::FLOAT32) &&
           !call.find("output_tensor");
}

// Rows that are not repeated: causal masks of the kernel's own are lowered.
bool takes_scaled(const Call& call) {
    const auto mask = call.find("mask|attention_mask");
    return is_tiled_float(call) && !call.flag("causal_mask") && !call.flag("is_causal_mask") &&
           (!mask || is_floating_point(call.spec(*mask).dtype));
}

// The weights as a row.
Tensor row_of(const Tensor& weights, std::uint32_t width) {
    return as_tiles(reshaped(weights, {1, width}));
}

// With n = (x - mean) * r, r = 1 / sqrt(variance + epsilon) and d the gradient of n, that of x is
// r * (d - mean(d) - n * mean(d * n)); without the mean of d where x is not centered.
void row_norm_back(Call& call, bool is_centered) {
    const std::size_t input = call.at("input_tensor");
    const Tensor x = call.operand(input);
    const Tensor gradient = call.gradient();
    const float epsilon = call.number("epsilon", 1e-12);
    const std::optional<std::size_t> weight = call.find("weight");
    const std::optional<std::size_t> bias = call.find("bias");
    const std::uint32_t width = call.shape(input)[-1];
    if (bias && call.wants(*bias))
        call.give(*bias, reshaped(sum_to(gradient, {1, width}), call.shape(*bias)));
    const bool wants_weight = weight && call.wants(*weight);
    if (!call.wants(input) && !wants_weight) return;
    const Tensor normal = is_centered ? layer_norm(LayerNorm{.input_tensor = x, .epsilon = epsilon})
                                      : rms_norm(RmsNorm{.input_tensor = x, .epsilon = epsilon});
    if (wants_weight)
        call.give(*weight, reshaped(sum_to(multiply(gradient, normal), {1, width}), call.shape(*weight)));
    if (!call.wants(input)) return;
    const Tensor variance = is_centered
                                ? var(Var{.input_tensor = x, .dim = -1, .keepdim = true, .correction = false})
                                : mean_of_rows(square(x));
    const Tensor scale =
        add(variance, Scalar(static_cast<double>(epsilon)), std::nullopt, std::nullopt, std::nullopt,
            std::vector{UnaryWithParam(UnaryOpType::RSQRT)});  // in one program
    const Tensor inner = weight ? multiply(gradient, row_of(call.operand(*weight), width)) : gradient;
    Tensor change = multiply(normal, mean_of_rows(multiply(inner, normal)));
    if (is_centered) change = add(change, mean_of_rows(inner));
    call.give(input, multiply(subtract(inner, change), scale));
}

bool takes_norm(const Call& call) {
    return is_tiled_float(call) && !call.find("residual_input_tensor") &&
           call.spec(call.at("input_tensor")).dtype == call.result_spec().dtype &&
           !call.spec(call.at("input_tensor")).memory_config.is_sharded();
}

}  // namespace

std::vector<Rule> normalization_rules() {
    return {
        {"softmax", "result", along_dim<softmax_back>, is_tiled_float},
        {"softmax_in_place", "result", along_dim<softmax_back>, is_tiled_float},
        {"moreh_softmax", "result", along_dim<softmax_back>, is_tiled_float},
        {"moreh_softmin", "result", along_dim<softmin_back>, is_tiled_float},
        {"moreh_logsoftmax", "result", along_dim<logsoftmax_back>, is_tiled_float},
        {"scale_mask_softmax", "result", scale_mask_back, takes_scaled},
        {"scale_mask_softmax_in_place", "result", scale_mask_back, takes_scaled},
        {"transformer.attention_softmax", "result", attention_softmax_back, takes_scaled},
        {"transformer.attention_softmax_", "result", attention_softmax_back, takes_scaled},
        {"layer_norm", "input_tensor weight", [](Call& call) { row_norm_back(call, true); }, takes_norm},
        {"rms_norm", "input_tensor weight", [](Call& call) { row_norm_back(call, false); }, takes_norm},
    };
}

}  // namespace tilemeter::trace::backward
