// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Axes reduced to one element each: for values they become the last ones, so that a row of elements belongs to one result. Ties of
// reduce_max and reduce_min share their derivative equally.

#include <algorithm>

#include "runtime/trace/primitives/internal/elementwise_kernels.hpp"
#include "runtime/trace/primitives/internal/inference.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"
#include "runtime/trace/primitives/internal/summation.hpp"

namespace tilemeter::trace::internal {

namespace {

// ---- reduce_sum, reduce_prod, reduce_max, reduce_min, reduce_and, reduce_or

template <unsigned kDomain>
void infer_reduce(const Site& site, Types& types) {
    require_domain(site, 0, static_cast<Domain>(kDomain));
    const Integers& axes = site.integers("axes");
    require_axes(site, axes, site.shape(0).rank(), "axes");
    TensorType type{site.type(0).element, {}, {}};
    for (std::size_t i = 0; i < site.shape(0).rank(); ++i)
        if (!contains(axes, i)) type.shape.push_back(site.shape(0)[i]);
    types.push_back(type);
}

std::int64_t elements_along(const Shape& shape, const Integers& axes) {
    std::int64_t count = 1;
    for (const std::int64_t axis : axes)
        count *= shape[static_cast<std::size_t>(axis)];
    return count;
}

// The first value of a reduction.
using Start = Constant (*)(ElementType element);
template <int kNumber>
Constant number(ElementType element) {
    return Constant::scalar(element, kNumber);
}
Constant all_bits(ElementType element) {
    return ir::is_signed_integer(element) ? Constant::scalar(element, -1) : largest_of(element);
}

constexpr std::uint64_t bits_of(auto number) {
    return static_cast<std::uint64_t>(number);
}

// One element after the other: kNext(so far, element).
template <Start kStart, auto kNext>
void reduce(const KernelUse& use, std::vector<Constant>& results) {
    const auto& axes = use.attributes.get<Integers>("axes");
    const auto length = static_cast<std::size_t>(elements_along(use.shape(0), axes));
    const Constant rows = with_axes_last(use.operand(0), axes);
    const Constant start = kStart(use.types[0].element);
    with_number_type(use.types[0].element, [&]<class T>(T) {
        const T first = Numbers<T>(start)[0];
        const Numbers<T> x(rows);
        Result<T> y(use.types[0]);
        for (std::size_t row = 0; row < y.size(); ++row) {
            T value = first;
            for (std::size_t i = 0; i < length; ++i)
                value = static_cast<T>(kNext(value, x[row * length + i]));
            y[row] = value;
        }
        results.push_back(y.finish());
    });
}

// The sums of columns, row by row. Blocks of rows keep what is added to a sum in doubles of its size.
template <class T>
void sum_columns(const T* x, std::size_t rows, std::size_t columns, T* y) {
    std::vector<Sum<T>> totals(columns);
    std::vector<Sum<T>> block(columns);
    for (std::size_t first = 0; first < rows; first += kSumBlock) {
        std::ranges::fill(block, Sum<T>{});
        for (std::size_t row = first; row < std::min(rows, first + kSumBlock); ++row)
            for (std::size_t column = 0; column < columns; ++column)
                block[column] += static_cast<Sum<T>>(x[row * columns + column]);
        for (std::size_t column = 0; column < columns; ++column)
            totals[column] += block[column];
    }
    for (std::size_t column = 0; column < columns; ++column)
        y[column] = static_cast<T>(totals[column]);
}

void reduce_sum(const KernelUse& use, std::vector<Constant>& results) {
    const auto& axes = use.attributes.get<Integers>("axes");
    const Shape& shape = use.shape(0);
    const auto length = static_cast<std::size_t>(elements_along(shape, axes));
    const auto is_leading = [&](std::int64_t axis) { return axis < static_cast<std::int64_t>(axes.size()); };
    const bool is_of_columns = axes.size() < shape.rank() && std::ranges::all_of(axes, is_leading);
    with_number_type(use.types[0].element, [&]<class T>(T) {
        Result<T> y(use.types[0]);
        if (is_of_columns) {
            const Numbers<T> x(use.operand(0));
            sum_columns(x.data(), length, y.size(), y.data());
        } else {
            const Constant rows = with_axes_last(use.operand(0), axes);
            const Numbers<T> x(rows);
            const auto term = [from = x.data()](std::size_t i) { return static_cast<Sum<T>>(from[i]); };
            for (std::size_t row = 0; row < y.size(); ++row)
                y[row] = static_cast<T>(sum_of_terms<T>(row * length, length, term));
        }
        results.push_back(y.finish());
    });
}

// A reduced value, repeated along the axes that it was reduced over.
ValueId repeated(FlatBuilder& to, ValueId reduced, const Shape& shape, const Integers& axes) {
    return to.op("broadcast_in_dim", {reduced},
                 {{"shape", integers_of(shape)}, {"dims", other_axes(shape.rank(), axes)}});
}

void sum_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    cotangents[0] =
        repeated(use.to, use.cotangent(), use.to.shape(use[0]), use.attributes.get<Integers>("axes"));
}

// The tangents' sum, each with its weight.
Tangent weighted_sum(const JvpUse& use, ValueId weights) {
    return use.to.op("reduce_sum", {use.to.mul(*use.tangents[0], weights)}, use.attributes);
}

void extreme_jvp(const JvpUse& use, std::span<Tangent> tangents) {
    FlatBuilder& to = use.to;
    const Shape shape = to.shape(use[0]);
    const auto& axes = use.attributes.get<Integers>("axes");
    const ValueId is_there = to.compare("EQ", use[0], repeated(to, use.result(), shape, axes));
    const ValueId places = to.convert(is_there, to.element(use[0]));
    const ValueId count = to.op("reduce_sum", {places}, use.attributes);
    tangents[0] = weighted_sum(use, to.div(places, repeated(to, count, shape, axes)));
}

// Rows of elements [..., count], each element with the product of all others of its row: products of pairs down to
// one element, and back. No division: elements may be 0.
ValueId products_of_others(FlatBuilder& to, ValueId rows) {
    const Shape shape = to.shape(rows);
    const std::size_t rank = shape.rank();
    const auto last = static_cast<std::int64_t>(rank) - 1;
    const auto part = [&](ValueId value, std::int64_t start, std::int64_t limit) -> ValueId {
        Integers limits = integers_of(to.shape(value));
        Integers starts(rank, 0);
        starts.back() = start;
        limits.back() = limit;
        return to.op("slice", {value},
                     {{"starts", starts}, {"limits", limits}, {"strides", Integers(rank, 1)}});
    };
    const std::int64_t count = shape[rank - 1];
    if (count <= 1) return to.full_like(rows, 1);
    const std::int64_t half = count / 2;
    const ValueId first = part(rows, 0, half);
    const ValueId second = part(rows, half, 2 * half);
    const bool has_rest = count % 2 != 0;
    const ValueId products = to.mul(first, second);
    const auto together = [&](std::vector<ValueId> parts) -> ValueId {
        return to.op("concatenate", parts, {{"axis", last}});
    };
    const ValueId others =
        products_of_others(to, has_rest ? together({products, part(rows, 2 * half, count)}) : products);
    const ValueId of_pairs = has_rest ? part(others, 0, half) : others;
    std::vector<ValueId> parts{to.mul(of_pairs, second), to.mul(of_pairs, first)};
    if (has_rest) parts.push_back(part(others, half, half + 1));
    return together(parts);
}

void prod_jvp(const JvpUse& use, std::span<Tangent> tangents) {
    FlatBuilder& to = use.to;
    const Shape shape = to.shape(use[0]);
    const auto& axes = use.attributes.get<Integers>("axes");
    if (axes.empty()) {
        tangents[0] = *use.tangents[0];
        return;
    }
    const Integers kept = other_axes(shape.rank(), axes);
    Integers perm = kept;
    perm.insert(perm.end(), axes.begin(), axes.end());
    Shape rows;
    std::int64_t count = 1;
    for (const std::int64_t axis : kept)
        rows.push_back(shape[static_cast<std::size_t>(axis)]);
    for (const std::int64_t axis : axes)
        count *= Dim(shape[static_cast<std::size_t>(axis)]).number();  // the formula depends on it
    rows.push_back(count);
    const ValueId moved = to.transpose(use[0], perm);
    const ValueId others = products_of_others(to, to.reshape(moved, rows));
    tangents[0] = weighted_sum(use, with_axes_at(to, to.reshape(others, to.shape(moved)), perm));
}

void batch_axes(const BatchUse& use, std::vector<ValueId>& results) {
    results.push_back(use.again(use.operands, {{"axes", shifted(use.attributes.get<Integers>("axes"))}}));
}

std::string reduce_text(const LineUse& use, const char* operation, Start start) {
    const ElementType element = use.result_types[0].element;
    return "stablehlo.reduce(" + use.operands[0] + " init: " + use.scalar(start(element)) +
           ") applies stablehlo." + operation + " across dimensions = " + use.list("axes") + " : " +
           use.signature({scalar_type(element)});
}

// ---- arg_max, arg_min

void infer_arg_reduce(const Site& site, Types& types) {
    const std::size_t axis = checked_axis(site, site.integer("axis"), site.shape(0).rank());
    site.require_at_most(1, site.shape(0)[axis], ErrorKind::kBadArgument, [&] {
        return "axis " + std::to_string(axis) + " of " + text_of(site.type(0)) +
               ": found no elements, expected some";
    });
    TensorType type{site.use.attributes.get<ElementType>("dtype"), {}, {}};
    site.require(ir::is_integer(type.element), ErrorKind::kElementTypeMismatch, [&] {
        return "found dtype " + std::string(name_of(type.element)) + ", expected an integer";
    });
    for (std::size_t i = 0; i < site.shape(0).rank(); ++i)
        if (i != axis) type.shape.push_back(site.shape(0)[i]);
    types.push_back(type);
}

// The first of equal ones; the first nan, if there is one.
template <bool kLargest>
void arg_reduce(const KernelUse& use, std::vector<Constant>& results) {
    const Integers axes{use.attributes.get<std::int64_t>("axis")};
    const auto length = static_cast<std::size_t>(elements_along(use.shape(0), axes));
    const Constant rows = with_axes_last(use.operand(0), axes);
    Result<std::int64_t> y(use.types[0]);
    with_number_type(rows.type().element, [&]<class T>(T) {
        const Numbers<T> x(rows);
        for (std::size_t row = 0; row < y.size(); ++row) {
            std::size_t best = 0;
            for (std::size_t i = 1; i < length; ++i) {
                const T value = x[row * length + i];
                const T so_far = x[row * length + best];
                if (so_far == so_far && ((kLargest ? value > so_far : value < so_far) || value != value))
                    best = i;
            }
            y[row] = static_cast<std::int64_t>(best);
        }
    });
    results.push_back(y.finish());
}

// Pairs of a number and its place, reduced: the larger number wins, the first of equal ones, and a nan before all.
std::string arg_text(const ir::Equation& equation) {
    const TensorType from = equation.graph().type(equation.operands()[0]);
    const TensorType to = equation.graph().type(equation.results()[0]);
    const bool largest = equation.operation() == "arg_max";
    const auto axis = equation.attributes().get<std::int64_t>("axis");
    const std::string axis_text = std::to_string(axis);
    const std::string x = stablehlo_type(from);
    const std::string places = stablehlo_type({to.element, from.shape, {}});
    const std::string x1 = stablehlo_type(scalar_type(from.element));
    const std::string i1 = stablehlo_type(scalar_type(to.element));
    const std::string values = stablehlo_type({from.element, to.shape, {}});
    const std::string kind = comparison_kind(from.element);
    const std::string index_kind = comparison_kind(to.element);
    const auto compare_line = [](const std::string& name, const char* direction, const std::string& a,
                                 const std::string& b, const std::string& how, const std::string& type) {
        return "  " + name + " = stablehlo.compare " + direction + ", " + a + ", " + b + ", " + how + " : (" +
               type + ", " + type + ") -> tensor<i1>\n";
    };
    return "%start = stablehlo.constant " +
           stablehlo_splat(scalar_type(from.element),
                           largest ? least_of(from.element) : largest_of(from.element)) +
           "\n%zero = stablehlo.constant " +
           stablehlo_splat(scalar_type(to.element), Constant::scalar(to.element, 0)) +
           "\n%places = stablehlo.iota dim = " + axis_text + " : " + places +
           "\n%best:2 = stablehlo.reduce(%arg0 init: %start), (%places init: %zero) across dimensions = [" +
           axis_text + "] : (" + x + ", " + places + ", " + x1 + ", " + i1 + ") -> (" + values + ", " +
           stablehlo_type(to) + ")\n reducer(%a: " + x1 + ", %b: " + x1 + ") (%i: " + i1 + ", %k: " + i1 +
           ") {\n" + compare_line("%more", largest ? "GT" : "LT", "%a", "%b", kind, x1) +
           compare_line("%nan", "NE", "%a", "%a", kind, x1) +
           "  %first = stablehlo.or %more, %nan : tensor<i1>\n" +
           compare_line("%same", "EQ", "%a", "%b", kind, x1) +
           compare_line("%before", "LT", "%i", "%k", index_kind, i1) +
           "  %tie = stablehlo.and %same, %before : tensor<i1>\n  %which = stablehlo.or %first, %tie : tensor<i1>\n" +
           "  %value = stablehlo.select %first, %a, %b : tensor<i1>, " + x1 +
           "\n  %place = stablehlo.select %which, %i, %k : tensor<i1>, " + i1 +
           "\n  stablehlo.return %value, %place : " + x1 + ", " + i1 +
           "\n}\nreturn %best#1 : " + stablehlo_type(to) + "\n";
}

// ---- rows

template <unsigned kDomain>
Primitive reduction(std::string_view name, Kernel compute, Derivative derivative, TextLine text) {
    return {.name = name,
            .attributes = {integers("axes")},
            .infer = infer_reduce<kDomain>,
            .compute = compute,
            .derivative = derivative,
            .batch = batch_axes,
            .text = text};
}

Primitive arg_reduction(std::string_view name, Kernel compute) {
    return {.name = name,
            .attributes = {integer("axis"), element_type()},
            .infer = infer_arg_reduce,
            .compute = compute,
            .derivative = zero_jvp,
            .batch = batch_axis,
            .text = arg_text};
}

}  // namespace

std::span<const Primitive> reduction_primitives() {
    static const Primitive kRows[] = {
        // name, compute, derivative, text; a nan stays
        reduction<kNumbers>("reduce_sum", reduce_sum, {linear_jvp, sum_transpose, kAllOperands},
                            [](const LineUse& use) { return reduce_text(use, "add", number<0>); }),
        reduction<kNumbers>(
            "reduce_prod", reduce<number<1>, [](auto a, auto b) { return wrapping(a) * wrapping(b); }>,
            prod_jvp, [](const LineUse& use) { return reduce_text(use, "multiply", number<1>); }),
        reduction<kAll>(
            "reduce_max", reduce<least_of, [](auto a, auto b) { return (b > a) || b != b ? b : a; }>,
            extreme_jvp, [](const LineUse& use) { return reduce_text(use, "maximum", least_of); }),
        reduction<kAll>(
            "reduce_min", reduce<largest_of, [](auto a, auto b) { return (b < a) || b != b ? b : a; }>,
            extreme_jvp, [](const LineUse& use) { return reduce_text(use, "minimum", largest_of); }),
        reduction<kBits>("reduce_and",
                         reduce<all_bits, [](auto a, auto b) { return bits_of(a) & bits_of(b); }>, zero_jvp,
                         [](const LineUse& use) { return reduce_text(use, "and", all_bits); }),
        reduction<kBits>("reduce_or",
                         reduce<number<0>, [](auto a, auto b) { return bits_of(a) | bits_of(b); }>, zero_jvp,
                         [](const LineUse& use) { return reduce_text(use, "or", number<0>); }),
        arg_reduction("arg_max", arg_reduce<true>),
        arg_reduction("arg_min", arg_reduce<false>),
    };
    return kRows;
}

}  // namespace tilemeter::trace::internal
