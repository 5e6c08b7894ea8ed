// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Products, reductions and the formulas of layers.

#include <numeric>

#include "runtime/trace/calls/internal/call.hpp"

namespace tilemeter::trace::internal {

namespace {

// Batch dimensions of both are spread to those of the result; vectors have no free dimension.
ValueId matmul(const CallUse& use) {
    FlatBuilder& to = use.to;
    // Products of bool: true if any of them is.
    const bool is_bool = use.type.element == ElementType::kBool;
    const ElementType element = is_bool ? ElementType::kI32 : use.type.element;
    ValueId a = to.convert(use[0], element);
    ValueId b = to.convert(use[1], element);
    const Shape left = to.shape(a);
    const Shape right = to.shape(b);
    const bool is_matrix_a = left.rank() > 1;
    const bool is_matrix_b = right.rank() > 1;
    const std::size_t batch = use.type.shape.rank() - (is_matrix_a ? 1 : 0) - (is_matrix_b ? 1 : 0);
    const auto spread = [&](ValueId value, const Shape& shape, bool is_matrix) {
        Shape wanted(use.type.shape.dims().first(batch));
        // A vector takes part in each product of the batch as it is: the other operand has the batch alone.
        if (!is_matrix) return value;
        for (const std::int64_t dim : shape.dims().last(2))
            wanted.push_back(dim);
        return to.broadcast(value, wanted);
    };
    const bool has_both_batches = is_matrix_a && is_matrix_b;
    if (has_both_batches) {
        a = spread(a, left, true);
        b = spread(b, right, true);
    }
    Integers dims(has_both_batches ? batch : 0);
    std::iota(dims.begin(), dims.end(), 0);
    const auto last = [&](ValueId value) { return static_cast<std::int64_t>(to.shape(value).rank()) - 1; };
    const std::int64_t contract_b = is_matrix_b ? last(b) - 1 : 0;
    const ValueId product = to.op("dot_general", {a, b},
                                  {{"lhs_batch", dims},
                                   {"rhs_batch", dims},
                                   {"lhs_contract", Integers{last(a)}},
                                   {"rhs_contract", Integers{contract_b}}});
    return is_bool ? to.truth(product) : product;
}

bool keeps(const CallUse& use) {
    return use.attributes.get_or("keepdims", false);
}

Integers axes_of(const CallUse& use) {
    return reduced_axes(use.attributes, use.to.shape(use[0]).rank());
}

ValueId sum(const CallUse& use) {
    return use.to.reduce("reduce_sum", use.to.convert(use[0], use.type.element), axes_of(use), keeps(use));
}

ValueId prod(const CallUse& use) {
    return use.to.reduce("reduce_prod", use.to.convert(use[0], use.type.element), axes_of(use), keeps(use));
}

ValueId mean_over(FlatBuilder& to, ValueId x, const Integers& axes, bool keep) {
    double count = 1;
    Dim open(1);  // what has no number yet
    for (const std::int64_t axis : axes) {
        const Dim extent(to.shape(x)[static_cast<std::size_t>(axis)]);
        if (extent.is_number())
            count *= static_cast<double>(extent.value());
        else
            open = open * extent;
    }
    ValueId sum = to.reduce("reduce_sum", x, axes, keep);
    if (open != Dim(1)) sum = to.div(sum, to.broadcast(to.dimension(open, to.element(x)), to.shape(sum)));
    return open != Dim(1) && count == 1 ? sum : to.div(sum, count);
}

// The type that formulas with sums in them are computed in: a sum of f16 is often beyond 65504 where the result is not.
ElementType type_of_sums(ElementType element) {
    return element == ElementType::kF16 ? ElementType::kF32 : element;
}

ValueId mean(const CallUse& use) {
    const ValueId x = use.to.convert(use[0], type_of_sums(use.type.element));
    return use.to.convert(mean_over(use.to, x, axes_of(use), keeps(use)), use.type.element);
}

ValueId max(const CallUse& use) {
    return use.to.reduce("reduce_max", use[0], axes_of(use), keeps(use));
}

ValueId min(const CallUse& use) {
    return use.to.reduce("reduce_min", use[0], axes_of(use), keeps(use));
}

ValueId any(const CallUse& use) {
    return use.to.reduce("reduce_or", use.to.truth(use[0]), axes_of(use), keeps(use));
}

ValueId all(const CallUse& use) {
    return use.to.reduce("reduce_and", use.to.truth(use[0]), axes_of(use), keeps(use));
}

ValueId arg_extreme(const CallUse& use, const char* primitive) {
    const Shape from = use.to.shape(use[0]);
    const bool has_axis = use.attributes.find("axis") != nullptr;
    const ValueId x = has_axis ? use[0] : use.to.reshape(use[0], {elements_of(from).value()});
    const std::int64_t axis =
        has_axis ? normal_axis(use.attributes.get<std::int64_t>("axis"), from.rank()) : 0;
    return use.to.op(primitive, {x}, {{"axis", axis}, {"dtype", use.type.element}});
}

ValueId argmax(const CallUse& use) {
    return arg_extreme(use, "arg_max");
}

ValueId argmin(const CallUse& use) {
    return arg_extreme(use, "arg_min");
}

std::int64_t axis_of(const CallUse& use) {
    return normal_axis(use.attributes.get<std::int64_t>("axis"), use.to.shape(use[0]).rank());
}

ValueId cumsum(const CallUse& use) {
    return use.to.op("cumsum", {use.to.convert(use[0], use.type.element)}, {{"axis", axis_of(use)}});
}

// The operand less its maximum along the axis, so that exp() does not overflow.
ValueId shifted(const CallUse& use, const Integers& axes) {
    const ValueId x = use.to.convert(use[0], type_of_sums(use.type.element));
    const ValueId largest = use.to.reduce("reduce_max", x, axes, true);
    // The result does not depend on what is subtracted, so its derivative is left out.
    const ValueId fixed = use.to.op("copy", {largest}, {{"stop_gradient", true}});
    return use.to.sub(x, use.to.broadcast(fixed, use.type.shape));
}

ValueId softmax(const CallUse& use) {
    const Integers axes{axis_of(use)};
    const ValueId powers = use.to.op("exp", {shifted(use, axes)});
    const ValueId sum = use.to.broadcast(use.to.reduce("reduce_sum", powers, axes, true), use.type.shape);
    return use.to.convert(use.to.div(powers, sum), use.type.element);
}

ValueId log_softmax(const CallUse& use) {
    const Integers axes{axis_of(use)};
    const ValueId x = shifted(use, axes);
    const ValueId sum = use.to.reduce("reduce_sum", use.to.op("exp", {x}), axes, true);
    return use.to.convert(use.to.sub(x, use.to.broadcast(use.to.op("log", {sum}), use.type.shape)),
                          use.type.element);
}

// Over the last axis; operands: x and, optional, weight and bias.
ValueId layer_norm(const CallUse& use) {
    FlatBuilder& to = use.to;
    const ElementType element = type_of_sums(use.type.element);
    const ValueId x = to.convert(use[0], element);
    const Shape shape = to.shape(x);
    const Integers axes{static_cast<std::int64_t>(shape.rank()) - 1};
    const ValueId centered = to.sub(x, to.broadcast(mean_over(to, x, axes, true), shape));
    const ValueId variance = mean_over(to, to.mul(centered, centered), axes, true);
    const ValueId scale = to.op("rsqrt", {to.add(variance, use.attributes.get_or("eps", 1e-5))});
    ValueId y = to.broadcast(to.mul(centered, to.broadcast(scale, shape)), use.type.shape);
    const auto operand = [&](std::size_t i) {
        return to.broadcast(to.convert(use[i], element), use.type.shape);
    };
    if (use.operands.size() > 1) y = to.mul(y, operand(1));
    if (use.operands.size() > 2) y = to.add(y, operand(2));
    return to.convert(y, use.type.element);
}

}  // namespace

std::vector<CallDefinition> composite_calls() {
    const ir::AttributeRule axis{"axis", AttributeKind::kInteger};
    const ir::AttributeRule any_axis{"axis", AttributeKind::kInteger, false};
    const std::vector<ir::AttributeRule> reduction{{"axes", AttributeKind::kIntegers, false},
                                                   {"keepdims", AttributeKind::kBool, false}};
    return {
        {"matmul", {2, 2}, {}, infer_matmul, matmul, "matmul"},
        {"sum", {1, 1}, reduction, infer_sum, sum},
        {"prod", {1, 1}, reduction, infer_sum, prod},
        {"mean", {1, 1}, reduction, infer_mean, mean},
        {"max", {1, 1}, reduction, infer_extreme, max},
        {"min", {1, 1}, reduction, infer_extreme, min},
        {"any", {1, 1}, reduction, infer_any, any},
        {"all", {1, 1}, reduction, infer_any, all},
        {"argmax", {1, 1}, {any_axis}, infer_arg_extreme, argmax},
        {"argmin", {1, 1}, {any_axis}, infer_arg_extreme, argmin},
        {"cumsum", {1, 1}, {axis}, infer_call_cumsum, cumsum},
        {"softmax", {1, 1}, {axis}, infer_along_axis, softmax},
        {"log_softmax", {1, 1}, {axis}, infer_along_axis, log_softmax},
        {"layer_norm", {1, 3}, {{"eps", AttributeKind::kFloat, false}}, infer_layer_norm, layer_norm},
    };
}

}  // namespace tilemeter::trace::internal
