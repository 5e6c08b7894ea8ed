// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Products of matrices. The gradient of each factor is a product of the result's gradient with the other factor, transposed; that
// of the weights comes first, as hand-written passes have it.

#include "runtime/operations/matmul/matmul.hpp"

#include <optional>
#include <string>
#include <vector>

#include "runtime/operations/eltwise/unary_backward.hpp"
#include "runtime/operations/moreh/moreh_matmul.hpp"
#include "runtime/operations/moreh/moreh_reductions.hpp"
#include "runtime/trace/device/rules/rule.hpp"

namespace tilemeter::trace::lowering {

namespace {

ValueId as_matrix(const Call& call, ValueId value, bool is_transposed) {
    value = call.as_float(value);
    return is_transposed ? call.swap(value, -2, -1) : value;
}

// A bias of more dimensions has 1 in front, and gives the result its rank.
ValueId with_bias(const Call& call, ValueId product, std::optional<ValueId> bias) {
    if (!bias) return product;
    FlatBuilder& to = call.to;
    const Shape of_bias = to.shape(*bias), of_product = to.shape(product);
    ValueId added = call.as_float(*bias);
    if (of_bias.rank() > of_product.rank()) {
        const std::size_t in_front = of_bias.rank() - of_product.rank();
        Shape rest;
        for (std::size_t i = 0; i < of_bias.rank(); ++i) {
            if (i >= in_front) rest.push_back(of_bias[i]);
            call.require(i >= in_front || of_bias[i] == 1, "its bias has more rows than the product");
        }
        added = to.reshape(added, rest);
    }
    return to.add(product, to.broadcast(added, of_product));
}

ValueId activated(const Call& call, ValueId value) {
    for (const char* const each : {"activation", "fused_activation"})
        if (const std::string function = call.text(each); !function.empty())
            return call.activation(value, function);
    return value;
}

// A vector is a row in front of a matrix, and a column behind one.
ValueId with_two_axes(const Call& call, ValueId factor, bool is_row) {
    const Shape shape = call.to.shape(factor);
    if (shape.rank() != 1) return factor;
    return call.to.reshape(factor, is_row ? Shape{1, shape[0]} : Shape{shape[0], 1});
}

Values matmul(const Call& call) {
    const ValueId a =
        as_matrix(call, with_two_axes(call, call.tensor("input_tensor_a"), true), call.flag("transpose_a"));
    const ValueId b =
        as_matrix(call, with_two_axes(call, call.tensor("input_tensor_b"), false), call.flag("transpose_b"));
    const ValueId sum = with_bias(call, call.matmul(a, b), call.find("bias"));
    return {call.reshape_to_result(activated(call, sum))};
}

Values addmm(const Call& call) {
    FlatBuilder& to = call.to;
    const ValueId product =
        to.mul(call.matmul(call.as_float(call[1]), call.as_float(call[2])), call.number("alpha", 1.0));
    const double beta = call.number("beta", 1.0);
    if (beta == 0.0) return {product};
    const ValueId added = to.broadcast(call.as_float(call[0]), to.shape(product));
    return {to.add(to.mul(added, beta), product)};
}

Values minimal_matmul(const Call& call) {
    const ValueId product =
        call.matmul(call.as_float(call.tensor("input_tensor")), call.as_float(call.tensor("weight_tensor")));
    const ValueId value = activated(call, with_bias(call, product, call.find("bias_tensor")));
    Values parts;
    const auto last = static_cast<std::int64_t>(call.to.shape(value).rank()) - 1;
    std::int64_t at = 0;
    for (std::size_t i = 0; i < call.result_count(); ++i) {
        const Shape shape = call.shape(i);
        const std::int64_t extent = shape[shape.rank() - 1];
        parts.push_back(call.reshape_to_result(call.slice(value, last, at, at + extent), i));
        at += extent;
    }
    return parts;
}

Values outer(const Call& call) {
    FlatBuilder& to = call.to;
    const ValueId a = to.reshape(call[0], {to.shape(call[0]).elements(), 1});
    const ValueId b = to.reshape(call[1], {1, to.shape(call[1]).elements()});
    return {call.reshape_to_result(call.matmul(call.as_float(a), call.as_float(b)))};
}

Values moreh_product(const Call& call, const char* first, bool is_first_transposed, const char* second,
                     bool is_second_transposed) {
    const ValueId a = as_matrix(call, call.tensor(first), is_first_transposed);
    const ValueId b = as_matrix(call, call.tensor(second), is_second_transposed);
    return {call.reshape_to_result(with_bias(call, call.matmul(a, b), call.find("bias")))};
}

Values moreh_matmul(const Call& call) {
    return moreh_product(call, "input", call.flag("transpose_input"), "other", call.flag("transpose_other"));
}

// The sum over what was repeated.
ValueId summed_to(const Call& call, ValueId value, const Shape& shape) {
    const Shape from = call.to.shape(value);
    Integers axes;
    for (std::size_t i = 0; i < from.rank(); ++i) {
        const std::size_t missing = from.rank() - shape.rank();
        const std::int64_t wanted = i < missing ? 1 : shape[i - missing];
        if (from[i] != wanted) axes.push_back(static_cast<std::int64_t>(i));
    }
    return call.to.reshape(call.to.reduce("reduce_sum", value, axes, true), shape);
}

// One row of each head and user times the user's matrix: [1, heads, users, K] and [users, heads of matrices, K, N].
ValueId user_by_user(const Call& call, ValueId matrices) {
    FlatBuilder& to = call.to;
    const ValueId rows = call.as_float(call.tensor("input_tensor_a"));
    const Shape shape = to.shape(rows);
    call.require(shape.rank() == 4 && to.shape(matrices)[0] == shape[2], "it has another number of users");
    const ValueId wide = call.repeat_heads(matrices, shape[1]);
    return to.transpose(call.matmul(to.transpose(rows, {2, 1, 0, 3}), wide), {2, 1, 0, 3});
}

Values attn_matmul(const Call& call) {
    return {user_by_user(call, call.as_float(call.tensor("input_tensor_b")))};
}

Values attn_matmul_from_cache(const Call& call) {
    const ValueId cache = call.slice(call.as_float(call.tensor("input_tensor_b")), 2, 0,
                                     static_cast<std::int64_t>(call.number("num_tokens")));
    return {user_by_user(call, call.flag("transpose_hw") ? call.swap(cache, -2, -1) : cache)};
}

// As the results say which are wanted.
Values products_of_gradient(const Call& call, bool weight_is_transposed) {
    FlatBuilder& to = call.to;
    const ValueId gradient = call.as_float(call[0]);
    const ValueId a = call.as_float(call[1]);
    const ValueId b = call.as_float(call[2]);
    const auto product = [&](std::size_t i) {
        if (i == 0) return call.matmul(gradient, weight_is_transposed ? b : call.swap(b, -2, -1));
        if (weight_is_transposed) return call.matmul(call.swap(gradient, -2, -1), a);
        return call.matmul(call.swap(a, -2, -1), gradient);
    };
    std::vector<std::size_t> wanted;
    const auto given = call.booleans("are_required_outputs");
    for (std::size_t i = 0; i < 3; ++i)
        if (!given || i >= given->size() || (*given)[i]) wanted.push_back(i);
    Values values;
    for (std::size_t i = 0; i < call.result_count() && i < wanted.size(); ++i) {
        const ValueId value = wanted[i] == 2 ? gradient : product(wanted[i]);
        const Shape shape = call.shape(i);
        const bool grows = shape.rank() > to.shape(value).rank();
        values.push_back(grows ? to.reshape(value, shape) : summed_to(call, value, shape));
    }
    return values;
}

// The gradients of two rows; those that there is a tensor for.
Values moreh_dot_backward(const Call& call) {
    FlatBuilder& to = call.to;
    const ValueId gradient = call.as_float(call[0]);
    const auto given = call.booleans("are_required_outputs");
    const auto is_wanted = [&](std::size_t i, const char* into) {
        return call.result_count() == 2 || (given ? (*given)[i] : call.find(into).has_value());
    };
    Values values;
    const auto add_gradient = [&](ValueId other) {
        values.push_back(to.mul(to.broadcast(gradient, to.shape(other)), call.as_float(other)));
    };
    if (is_wanted(0, "input_grad")) add_gradient(call[2]);
    if (is_wanted(1, "other_grad")) add_gradient(call[1]);
    return values;
}

}  // namespace

}  // namespace tilemeter::trace::lowering

namespace tilemeter::trace::rules {

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
           call.shape(1).rank() >= 2 && !call.position("optional_output_tensor");
}

// The result of the product before its activation, which is made again.
Tensor before_activation(Call& call) {
    const ActivationRow* const row = activation_of(call);
    if (row == nullptr) return call.gradient();
    const Tensor a = interleaved(call.operand("input_tensor_a"));
    Linear again{.input_tensor_a = a,
                 .input_tensor_b = interleaved(call.operand("input_tensor_b")),
                 .transpose_a = call.flag("transpose_a"),
                 .transpose_b = call.flag("transpose_b"),
                 .compute_kernel_config = precision_of(a)};
    if (const auto bias = call.position("bias")) again.bias = call.operand(*bias);
    return row->gradient(call.gradient(), linear(again)).at(0).value();
}

void linear_back(Call& call) {
    const Tensor gradient = interleaved(before_activation(call));
    const auto bias = call.position("bias");
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
    const std::optional<std::size_t> bias = call.position("bias");
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
    return call.result_spec().dtype == DataType::BFLOAT16 && !call.position("output");
}

bool reads_other(const Call& call, std::size_t operand) {
    return operand < 2 && call.wants(1 - operand);
}

void moreh_matmul_back(Call& call) {
    moreh_product_back(call, 0, 1, call.flag("transpose_input"), call.flag("transpose_other"));
}

}  // namespace

std::vector<Rule> matmul_rules() {
    const char* const pair = "input_tensor_a input_tensor_b";
    const char* const minimal = "input_tensor weight_tensor bias_tensor";
    return {
        {"matmul", {pair, lowering::matmul}, {pair, linear_back, takes_matmul, reads_factor}},
        {"linear",
         {"input_tensor_a input_tensor_b bias", lowering::matmul},
         {"input_tensor_a input_tensor_b bias", linear_back, takes_matmul, reads_factor}},
        {"addmm", {"input_tensor mat1_tensor mat2_tensor", lowering::addmm}},
        {"experimental.minimal_matmul", {minimal, lowering::minimal_matmul}},
        {"experimental.minimal_matmul_split", {minimal, lowering::minimal_matmul}},
        {"experimental.attn_matmul", {pair, lowering::attn_matmul}},
        {"experimental.attn_matmul_from_cache", {pair, lowering::attn_matmul_from_cache}},
        {"experimental.group_attn_matmul", {pair, lowering::attn_matmul}},
        {"outer", {pair, lowering::outer}},
        {"moreh_matmul",
         {"input other output bias", lowering::moreh_matmul},
         {"input other", moreh_matmul_back, is_bfloat16, reads_other}},
        {"moreh_bmm",
         {"input mat2", with(lowering::moreh_product, "input", false, "mat2", false)},
         {"input mat2", with(moreh_product_back, 0U, 1U, false, false), is_bfloat16, reads_other}},
        {"moreh_linear",
         {"input weight bias output", with(lowering::moreh_product, "input", false, "weight", true)},
         {"input weight", with(moreh_product_back, 0U, 1U, false, true), is_bfloat16, reads_other}},
        {"moreh_dot",
         {pair, with(lowering::moreh_product, "input_tensor_a", false, "input_tensor_b", true)},
         {pair, moreh_dot_back, is_bfloat16, reads_other}},
        {"moreh_dot_backward",
         {"output_grad input other input_grad other_grad", lowering::moreh_dot_backward}},
        {"moreh_matmul_backward",
         {"output_grad input_a input_b", with(lowering::products_of_gradient, false)}},
        {"moreh_bmm_backward", {"output_grad input mat2", with(lowering::products_of_gradient, false)}},
        {"moreh_linear_backward", {"output_grad input weight", with(lowering::products_of_gradient, true)}},
    };
}

}  // namespace tilemeter::trace::rules
