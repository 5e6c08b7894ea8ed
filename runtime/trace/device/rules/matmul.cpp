// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Products of matrices.

#include "runtime/trace/device/rules/lowering_call.hpp"

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

Values moreh_matmul(const Call& call) {
    const ValueId a = as_matrix(call, call.tensor("input"), call.flag("transpose_input"));
    const ValueId b = as_matrix(call, call.tensor("other"), call.flag("transpose_other"));
    return {call.reshape_to_result(with_bias(call, call.matmul(a, b), call.find("bias")))};
}

Values moreh_linear(const Call& call) {
    const ValueId a = call.as_float(call.tensor("input"));
    const ValueId b = as_matrix(call, call.tensor("weight"), true);
    return {call.reshape_to_result(with_bias(call, call.matmul(a, b), call.find("bias")))};
}

Values moreh_dot(const Call& call) {
    const ValueId a = call.as_float(call[0]);
    const ValueId b = as_matrix(call, call[1], true);
    return {call.reshape_to_result(call.matmul(a, b))};
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
    const ir::Booleans* const given = call.booleans("are_required_outputs");
    for (std::size_t i = 0; i < 3; ++i)
        if (given == nullptr || i >= given->size() || (*given)[i]) wanted.push_back(i);
    Values values;
    for (std::size_t i = 0; i < call.result_count() && i < wanted.size(); ++i) {
        const ValueId value = wanted[i] == 2 ? gradient : product(wanted[i]);
        const Shape shape = call.shape(i);
        const bool grows = shape.rank() > to.shape(value).rank();
        values.push_back(grows ? to.reshape(value, shape) : summed_to(call, value, shape));
    }
    return values;
}

// Of two rows; those that there is a tensor for.
Values moreh_dot_backward(const Call& call) {
    FlatBuilder& to = call.to;
    const ValueId gradient = call.as_float(call[0]);
    const ir::Booleans* const given = call.booleans("are_required_outputs");
    const auto is_wanted = [&](std::size_t i, const char* into) {
        return call.result_count() == 2 || (given != nullptr ? (*given)[i] : call.find(into).has_value());
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

std::vector<Rule> product_rules() {
    return {
        {"matmul", "input_tensor_a input_tensor_b", matmul},
        {"linear", "input_tensor_a input_tensor_b bias", matmul},
        {"addmm", "input_tensor mat1_tensor mat2_tensor", addmm},
        {"experimental.minimal_matmul", "input_tensor weight_tensor bias_tensor", minimal_matmul},
        {"experimental.minimal_matmul_split", "input_tensor weight_tensor bias_tensor", minimal_matmul},
        {"experimental.attn_matmul", "input_tensor_a input_tensor_b", attn_matmul},
        {"experimental.attn_matmul_from_cache", "input_tensor_a input_tensor_b", attn_matmul_from_cache},
        {"experimental.group_attn_matmul", "input_tensor_a input_tensor_b", attn_matmul},
        {"outer", "input_tensor_a input_tensor_b", outer},
        {"moreh_matmul", "input other output bias", moreh_matmul},
        {"moreh_bmm", "input mat2",
         [](const Call& call) -> Values {
             return {call.matmul(call.as_float(call[0]), call.as_float(call[1]))};
         }},
        {"moreh_linear", "input weight bias output", moreh_linear},
        {"moreh_dot", "input_tensor_a input_tensor_b", moreh_dot},
        {"moreh_dot_backward", "output_grad input other input_grad other_grad", moreh_dot_backward},
        {"moreh_matmul_backward", "output_grad input_a input_b",
         [](const Call& call) { return products_of_gradient(call, false); }},
        {"moreh_bmm_backward", "output_grad input mat2",
         [](const Call& call) { return products_of_gradient(call, false); }},
        {"moreh_linear_backward", "output_grad input weight",
         [](const Call& call) { return products_of_gradient(call, true); }},
    };
}

}  // namespace tilemeter::trace::lowering
