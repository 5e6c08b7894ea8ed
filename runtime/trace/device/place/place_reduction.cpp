// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Products, reductions, running sums and orders.

#include <algorithm>

#include "runtime/trace/device/place/place_rule.hpp"

namespace tilemeter::trace::placement {

namespace {

// ---- products

/// An operand of dot_general as [batch ..., free, contracted] or [batch ..., contracted, free].
struct Matrix {
    Value value;
    bool is_contracted_last;
};

std::int64_t volume(const Value& x, const Integers& axes) {
    std::int64_t product = 1;
    for (const std::int64_t axis : axes)
        product *= x.extent(static_cast<std::size_t>(axis));
    return product;
}

bool is_in_order(const Integers& axes) {
    for (std::size_t i = 0; i < axes.size(); ++i)
        if (axes[i] != static_cast<std::int64_t>(i)) return false;
    return true;
}

Matrix matrix(Calls& to, const Value& x, std::size_t rank, const Integers& batch, const Integers& contract,
              bool prefers_contracted_last) {
    Integers free;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(rank); ++i)
        if (std::ranges::find(batch, i) == batch.end() && std::ranges::find(contract, i) == contract.end())
            free.push_back(i);
    const auto order = [&](bool contracted_last) {
        Integers axes = batch;
        for (const Integers& part : {contracted_last ? free : contract, contracted_last ? contract : free})
            axes.insert(axes.end(), part.begin(), part.end());
        return axes;
    };
    // As it lies, if it is in one of the orders.
    bool contracted_last = prefers_contracted_last;
    if (!prefers_contracted_last && !is_in_order(order(false)) && is_in_order(order(true)))
        contracted_last = true;
    Integers extents;
    if (!batch.empty()) extents.push_back(volume(x, batch));
    extents.push_back(volume(x, contracted_last ? free : contract));
    extents.push_back(volume(x, contracted_last ? contract : free));
    const Value moved = rank == 0 ? x : to.permute(x, order(contracted_last));
    return {to.reshape(moved, extents), contracted_last};
}

// TT-NN has matrix products of floats: those of integers are products of elements, and their sums.
Value product_of_integers(Calls& to, const Value& a, const Value& b) {
    Integers left = a.extents();
    Integers right = b.extents();
    left.insert(left.end() - 1, 1);
    right.insert(right.end() - 2, 1);
    const Value terms = to.multiply(to.reshape(a, left), to.reshape(b, right));
    return to.sum(terms, {static_cast<std::int64_t>(left.size()) - 1});
}

void dot_general(Use& use, Values& results) {
    const bool is_float = ir::is_float(use.type(0).element);
    const Matrix a = matrix(use.to, use[0], use.shape(0).rank(), use.integers("lhs_batch"),
                            use.integers("lhs_contract"), true);
    const Matrix b = matrix(use.to, use[1], use.shape(1).rank(), use.integers("rhs_batch"),
                            use.integers("rhs_contract"), !is_float);
    results.push_back(is_float ? use.to.matmul(a.value, b.value, b.is_contracted_last)
                               : product_of_integers(use.to, a.value, b.value));
}

// ---- reductions

using Reduction = Value (Calls::*)(const Value& x, const Integers& dims);

template <Reduction kReduction>
void reduce(Use& use, Values& results) {
    const Integers axes = use.integers("axes");
    results.push_back(axes.empty() ? use[0] : (use.to.*kReduction)(use[0], axes));
}

// One axis after the other, the last first; they stay with extent 1.
template <class ReduceAxis>
Value by_axes(Use& use, ReduceAxis reduce_axis) {
    Value x = use[0];
    Integers axes = use.integers("axes");
    std::ranges::sort(axes, std::greater<>());
    for (const std::int64_t axis : axes) {
        Integers extents = x.extents();
        extents[static_cast<std::size_t>(axis)] = 1;
        x = use.to.reshape(reduce_axis(use.to.around_axis(x, static_cast<std::size_t>(axis))), extents);
    }
    return x;
}

void reduce_prod(Use& use, Values& results) {
    const bool is_float = ir::is_float(use.type(0).element);
    results.push_back(by_axes(use, [&](const Value& x) {
        if (is_float) return use.to.prod(x, 1);
        return fold_axis(use.to, x, [&](const Value& a, const Value& b) { return use.to.multiply(a, b); });
    }));
}

template <const auto* kBitwise, Reduction kOfBools>
void reduce_bits(Use& use, Values& results) {
    if (use.type(0).element == ElementType::kBool) return reduce<kOfBools>(use, results);
    results.push_back(by_axes(use, [&](const Value& x) {
        return fold_axis(use.to, x,
                         [&](const Value& a, const Value& b) { return use.to.binary(*kBitwise, a, b); });
    }));
}

// Floats along the middle of three dimensions, in tiles; integers along the last of two, in rows.
Value place_of_largest(Use& use, const Value& x) {
    Calls& to = use.to;
    const Value around = to.around_axis(x, static_cast<std::size_t>(use.integer("axis")));
    if (ir::is_float(use.type(0).element)) return to.argmax(around, 1);
    return to.argmax(to.to_layout(to.permute(around, {0, 2, 1}), Layout::ROW_MAJOR), 2);
}

void arg_max(Use& use, Values& results) {
    results.push_back(place_of_largest(use, use[0]));
}

// The smallest is the largest of the opposite numbers; of integers their complements, which always are numbers.
void arg_min(Use& use, Values& results) {
    const Value opposite = ir::is_float(use.type(0).element) ? use.to.unary(tilemeter::neg, use[0])
                                                             : use.to.unary(tilemeter::bitwise_not, use[0]);
    results.push_back(place_of_largest(use, opposite));
}

void cumsum(Use& use, Values& results) {
    results.push_back(use.to.cumsum(use[0], use.integer("axis"), use.attributes().get_or("reverse", false)));
}

// The first operand says the order; the others follow by its indices.
void sort(Use& use, Values& results) {
    const auto axis = static_cast<std::size_t>(use.integer("axis"));
    const bool descending = use.attributes().get_or("descending", false);
    const Values sorted = use.to.sort(use.to.around_axis(use[0], axis), 1, descending);
    results.push_back(sorted[0]);
    for (std::size_t i = 1; i < use.size(); ++i)
        results.push_back(use.to.gather(use.to.around_axis(use[i], axis), 1, sorted[1]));
}

void top_k(Use& use, Values& results) {
    results = use.to.topk(use[0], use.integer("k"));
}

constexpr NamedRule kReductionRules[] = {
    {"dot_general", kNumbers, dot_general},
    {"reduce_sum", kNumbers, reduce<&Calls::sum>},
    {"reduce_max", kAll, reduce<&Calls::max>},
    {"reduce_min", kAll, reduce<&Calls::min>},
    {"reduce_prod", kNumbers, reduce_prod},
    {"reduce_and", kIntegers | kBools, reduce_bits<&tilemeter::bitwise_and, &Calls::min>},
    {"reduce_or", kIntegers | kBools, reduce_bits<&tilemeter::bitwise_or, &Calls::max>},
    {"arg_max", kNumbers, arg_max},
    {"arg_min", kNumbers, arg_min},
    {"cumsum", kNumbers, cumsum},
    {"sort", kFloats, sort},
    {"top_k", kFloats, top_k},
};

}  // namespace

std::span<const NamedRule> reduction_rules() {
    return kReductionRules;
}

}  // namespace tilemeter::trace::placement
