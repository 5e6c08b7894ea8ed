// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Products of matrices: the gradient of each factor is a product of the result's gradient with the other factor, transposed.
// That of the weights comes first, as hand-written passes have it.

#include <optional>
#include <string>

#include "runtime/operations/eltwise/unary_backward.hpp"
#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/operations/moreh/moreh_matmul.hpp"
#include "runtime/operations/moreh/moreh_reductions.hpp"
#include "runtime/trace/device/rules/gradient_call.hpp"

namespace tilemeter::trace::backward {

namespace {

OptionalComputeKernelConfig precision_of(const Tensor& tensor) {
    if (tensor.dtype() != DataType::FLOAT32) return std::nullopt;
    return DeviceComputeKernelConfig{
        .math_fidelity = MathFidelity::HiFi4, .math_approx_mode = false, .fp32_dest_acc_en = true};
}

// `place`: of the value that it is the gradient of.
Tensor times(const Tensor& a, bool transpose_a, const Tensor& b, bool transpose_b,
             const MemoryConfig& place) {
    return matmul(Matmul{.input_tensor_a = a,
                         .input_tensor_b = b,
                         .transpose_a = transpose_a,
                         .transpose_b = transpose_b,
                         .memory_config = place.is_sharded() ? DRAM_MEMORY_CONFIG : place,
                         .compute_kernel_config = precision_of(a)});
}

bool is_matrix(const Shape& shape) {
    return shape.rank() >= 2 && shape.volume() == static_cast<std::uint64_t>(shape[-1]) * shape[-2];
}

// All rows of a batch as one matrix.
Tensor as_matrix(const Tensor& tensor) {
    const Shape& shape = tensor.shape();
    return reshaped(tensor, {static_cast<std::uint32_t>(shape.volume() / shape[-1]), shape[-1]});
}

// One product instead of one for each matrix of the batch and their sum.
bool is_one_product(const Call& call) {
    const Shape& a = call.shape(call.at("input_tensor_a"));
    return is_matrix(call.shape(call.at("input_tensor_b"))) && !call.flag("transpose_a") && !is_matrix(a);
}

// `rows`: the gradient as one matrix where it is_one_product().
void matmul_back(Call& call, const Tensor& gradient, const Tensor& rows) {
    const std::size_t a = call.at("input_tensor_a");
    const std::size_t b = call.at("input_tensor_b");
    const bool transposed_a = call.flag("transpose_a");
    const bool transposed_b = call.flag("transpose_b");
    if (call.wants(b)) {
        Tensor other = interleaved(call.operand(a));
        if (is_one_product(call)) other = as_matrix(other);
        const MemoryConfig& place = call.spec(b).memory_config;
        call.give(b, transposed_b ? times(rows, true, other, transposed_a, place)
                                  : times(other, !transposed_a, rows, false, place));
    }
    if (!call.wants(a)) return;
    const Tensor other = interleaved(call.operand(b));
    const MemoryConfig& place = call.spec(a).memory_config;
    call.give(a, transposed_a ? times(other, transposed_b, gradient, true, place)
                              : times(gradient, false, other, !transposed_b, place));
}

struct ActivationRow {
    const char* name;
    Gradients (*gradient)(const Tensor& gradient, const Tensor& input);
};
constexpr ActivationRow kActivations[] = {
    {"relu", [](const Tensor& g, const Tensor& x) { return relu_bw(g, x); }},
    {"gelu", [](const Tensor& g, const Tensor& x) { return gelu_bw(g, x); }},
    {"silu", [](const Tensor& g, const Tensor& x) { return silu_bw(g, x); }},
    {"sigmoid", [](const Tensor& g, const Tensor& x) { return sigmoid_bw(g, x); }},
    {"tanh", [](const Tensor& g, const Tensor& x) { return tanh_bw(g, x); }},
};

const ActivationRow* activation_of(const Call& call) {
    const std::string name = call.text("activation");
    for (const ActivationRow& row : kActivations)
        if (name == row.name) return &row;
    return nullptr;
}

bool takes_matmul(const Call& call) {
    const std::string activation = call.text("activation");
    return (activation.empty() || activation_of(call) != nullptr) &&
           !(call.has("program_config") && call.has("fused_activation")) && call.shape(0).rank() >= 2 &&
           call.shape(1).rank() >= 2 && !call.find("optional_output_tensor");
}

// Of the product before its activation, which is made again.
Tensor before_activation(Call& call) {
    const ActivationRow* const row = activation_of(call);
    if (row == nullptr) return call.gradient();
    const Tensor a = interleaved(call.operand("input_tensor_a"));
    Linear again{.input_tensor_a = a,
                 .input_tensor_b = interleaved(call.operand("input_tensor_b")),
                 .transpose_a = call.flag("transpose_a"),
                 .transpose_b = call.flag("transpose_b"),
                 .compute_kernel_config = precision_of(a)};
    if (const auto bias = call.find("bias")) again.bias = call.operand(*bias);
    return row->gradient(call.gradient(), linear(again)).at(0).value();
}

void linear_back(Call& call) {
    const Tensor gradient = interleaved(before_activation(call));
    const auto bias = call.find("bias");
    const bool wants_bias = bias && call.wants(*bias);
    const bool needs_rows = (wants_bias || call.wants(call.at("input_tensor_b"))) && is_one_product(call);
    const Tensor rows = needs_rows ? as_matrix(gradient) : gradient;
    matmul_back(call, gradient, rows);
    if (!wants_bias) return;
    const bool is_row = call.shape(*bias).volume() == gradient.shape()[-1];
    call.give(*bias, sum_to(is_row ? rows : gradient, call.shape(*bias)));
}

// A factor is read for the other one's gradient, and all where the product is made again.
bool reads_factor(const Call& call, std::size_t operand) {
    if (activation_of(call) != nullptr) return true;
    const std::size_t a = call.at("input_tensor_a");
    const std::size_t b = call.at("input_tensor_b");
    if (operand == a) return call.wants(b);
    return operand == b && call.wants(a);
}

// ---- moreh's

Tensor moreh_times(const Tensor& a, const Tensor& b, bool transpose_a, bool transpose_b) {
    return moreh_matmul(
        MorehMatmul{.input = a, .other = b, .transpose_input = transpose_a, .transpose_other = transpose_b});
}

void moreh_product_back(Call& call, std::size_t a, std::size_t b, bool transposed_a, bool transposed_b) {
    const Tensor gradient = call.gradient();
    if (call.wants(b)) {
        const Tensor other = call.operand(a);
        call.give(b, transposed_b ? moreh_times(gradient, other, true, transposed_a)
                                  : moreh_times(other, gradient, !transposed_a, false));
    }
    if (call.wants(a)) {
        const Tensor other = call.operand(b);
        call.give(a, transposed_a ? moreh_times(other, gradient, transposed_b, true)
                                  : moreh_times(gradient, other, false, !transposed_b));
    }
    const std::optional<std::size_t> bias = call.find("bias");
    if (!bias || !call.wants(*bias)) return;
    const Shape& shape = call.shape(*bias);
    std::vector<int> dims;
    for (std::size_t i = 0; i < gradient.shape().rank(); ++i)
        if (i + 1 < gradient.shape().rank() || shape.volume() == 1) dims.push_back(static_cast<int>(i));
    call.give(*bias, reshaped(moreh_sum(MorehSum{.input = gradient, .dim = dims, .keepdim = true}), shape));
}

void moreh_dot_back(Call& call) {
    for (const std::size_t i : {0, 1})
        if (call.wants(i)) call.give(i, multiply(call.operand(1 - i), call.gradient()));
}

bool is_bfloat16(const Call& call) {
    for (std::size_t i = 0; i < call.size(); ++i)
        if (call.spec(i).dtype != DataType::BFLOAT16) return false;
    return call.result_spec().dtype == DataType::BFLOAT16 && !call.find("output");
}

bool reads_other(const Call& call, std::size_t operand) {
    return operand < 2 && call.wants(1 - operand);
}

}  // namespace

std::vector<Rule> product_rules() {
    return {
        {"matmul", "input_tensor_a input_tensor_b", linear_back, takes_matmul, reads_factor},
        {"linear", "input_tensor_a input_tensor_b bias", linear_back, takes_matmul, reads_factor},
        {"moreh_matmul", "input other",
         [](Call& call) {
             moreh_product_back(call, 0, 1, call.flag("transpose_input"), call.flag("transpose_other"));
         },
         is_bfloat16, reads_other},
        {"moreh_linear", "input weight", [](Call& call) { moreh_product_back(call, 0, 1, false, true); },
         is_bfloat16, reads_other},
        {"moreh_bmm", "input mat2", [](Call& call) { moreh_product_back(call, 0, 1, false, false); },
         is_bfloat16, reads_other},
        {"moreh_dot", "input_tensor_a input_tensor_b", moreh_dot_back, is_bfloat16, reads_other},
    };
}

}  // namespace tilemeter::trace::backward
