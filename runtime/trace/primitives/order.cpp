// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Elements along one axis that stand in an order: sums of those before, and sorting.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "runtime/trace/primitives/internal/inference.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"
#include "runtime/trace/primitives/internal/summation.hpp"

namespace tilemeter::trace::internal {

namespace {

// Moves the last axis back to where it was.
Constant with_last_axis_at(const Constant& rows, std::size_t axis) {
    const std::size_t rank = rows.type().shape.rank();
    Integers perm;
    for (std::size_t i = 0; i + 1 < rank; ++i)
        perm.push_back(static_cast<std::int64_t>(i));
    perm.insert(perm.begin() + static_cast<std::ptrdiff_t>(axis), static_cast<std::int64_t>(rank - 1));
    return transposed(rows, perm);
}

// ---- cumsum

void infer_cumsum(const Site& site, Types& types) {
    require_domain(site, 0, kNumbers);
    checked_axis(site, site.integer("axis"), site.shape(0).rank());
    types.push_back(site.type(0));
}

void cumsum(const KernelUse& use, std::vector<Constant>& results) {
    const auto axis = static_cast<std::size_t>(use.attributes.get<std::int64_t>("axis"));
    const bool reverse = use.attributes.get_or("reverse", false);
    const Constant rows = with_axes_last(use.operand(0), {static_cast<std::int64_t>(axis)});
    const auto length = static_cast<std::size_t>(use.shape(0)[axis]);
    with_number_type(use.types[0].element, [&]<class T>(T) {
        const Numbers<T> x(rows);
        Result<T> y(rows.type());
        for (std::size_t row = 0; length != 0 && row < y.size() / length; ++row) {
            Sum<T> sum = 0;
            for (std::size_t k = 0; k < length; ++k) {
                const std::size_t i = row * length + (reverse ? length - 1 - k : k);
                sum += static_cast<Sum<T>>(x[i]);
                y[i] = static_cast<T>(sum);
            }
        }
        results.push_back(with_last_axis_at(y.finish(), axis));
    });
}

void cumsum_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    const bool reverse = use.attributes.get_or("reverse", false);
    cotangents[0] = use.to.op("cumsum", {use.cotangent()}, with(use.attributes, "reverse", !reverse));
}

// A window over all elements before, the place itself included.
std::string cumsum_text(const LineUse& use) {
    const Shape& shape = use.operand_types[0].shape;
    const auto axis = static_cast<std::size_t>(use.integer("axis"));
    if (shape[axis] == 0) return use.line("convert");
    Windows windows(Integers(shape.rank(), 1));
    windows.window[axis] = shape[axis];
    (use.equation.attributes().get_or("reverse", false) ? windows.high : windows.low)[axis] = shape[axis] - 1;
    return window_reduction(use, "add", Constant::scalar(use.result_types[0].element, 0), windows);
}

// ---- sort, top_k

void infer_sort(const Site& site, Types& types) {
    checked_axis(site, site.integer("axis"), site.shape(0).rank());
    for (std::size_t i = 0; i < site.size(); ++i) {
        site.require_equal(site.shape(i), site.shape(0), ErrorKind::kShapeMismatch, [&] {
            return found_shapes(site.shape(0), site.shape(i)) + ", expected equal ones";
        });
        types.push_back(site.type(i));
    }
}

// Floats in IEEE's total order as far as sorting needs it: nans come last.
template <class T>
bool is_before(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
        if (std::isnan(a) || std::isnan(b)) return !std::isnan(a) && std::isnan(b);
    }
    return a < b;
}

// For each row the places of its elements in sorted order, equal ones as they were.
std::vector<std::size_t> sorted_places(const Constant& rows, std::size_t length, bool descending) {
    std::vector<std::size_t> places(static_cast<std::size_t>(rows.type().shape.elements()));
    with_number_type(rows.type().element, [&]<class T>(T) {
        const Numbers<T> x(rows);
        for (std::size_t start = 0; start + length <= places.size() && length != 0; start += length) {
            const auto row = std::span(places).subspan(start, length);
            std::iota(row.begin(), row.end(), start);
            std::stable_sort(row.begin(), row.end(), [&](std::size_t a, std::size_t b) {
                return descending ? is_before(x[b], x[a]) : is_before(x[a], x[b]);
            });
        }
    });
    return places;
}

// Elements of rows by their places, of any element type.
Constant taken(const Constant& rows, const TensorType& type, const std::vector<std::size_t>& places) {
    const std::size_t width = ir::element_bytes(type.element);
    const auto storage = std::make_shared<std::byte[]>(ir::byte_size(type));
    for (std::size_t i = 0; i < places.size(); ++i)
        std::copy_n(rows.bytes().data() + places[i] * width, width, storage.get() + i * width);
    return {type, storage};
}

void sort(const KernelUse& use, std::vector<Constant>& results) {
    const auto axis = static_cast<std::size_t>(use.attributes.get<std::int64_t>("axis"));
    const auto length = static_cast<std::size_t>(use.shape(0)[axis]);
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < use.operands.size(); ++i) {
        const Constant rows = with_axes_last(use.operand(i), {static_cast<std::int64_t>(axis)});
        if (i == 0) places = sorted_places(rows, length, use.attributes.get_or("descending", false));
        results.push_back(with_last_axis_at(taken(rows, rows.type(), places), axis));
    }
}

// Elements of `value` along the axis, by indices with the shape of the result.
ValueId taken_along(FlatBuilder& to, ValueId value, ValueId indices, std::int64_t axis) {
    const Shape shape = to.shape(indices);
    const std::size_t rank = shape.rank();
    // A window of one element does not fit into nothing.
    if (std::ranges::find(shape, 0) != shape.end()) return to.full({to.element(value), shape, {}}, 0);
    Integers column = integers_of(shape);
    column.push_back(1);
    std::vector<ValueId> columns;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(rank); ++i)
        columns.push_back(
            i == axis ? to.reshape(indices, Shape(column))
                      : ValueId(to.op("iota", {},
                                      {{"shape", column}, {"dim", i}, {"dtype", to.element(indices)}})));
    const auto last = static_cast<std::int64_t>(rank);
    return to.op("gather", {value, to.op("concatenate", columns, {{"axis", last}})},
                 {{"offset_dims", Integers{}},
                  {"collapsed_slice_dims", counted(rank)},
                  {"start_index_map", counted(rank)},
                  {"index_vector_dim", last},
                  {"slice_sizes", Integers(rank, 1)}});
}

// The places that elements come from, found by sorting them as well.
void sort_jvp(const JvpUse& use, std::span<Tangent> tangents) {
    FlatBuilder& to = use.to;
    const auto axis = use.attributes.get<std::int64_t>("axis");
    std::vector<ValueId> operands(use.operands.begin(), use.operands.end());
    operands.push_back(to.op(
        "iota", {}, {{"shape", integers_of(to.shape(use[0]))}, {"dim", axis}, {"dtype", ElementType::kI32}}));
    const ir::ValueRange sorted = use.again(operands);
    const ValueId places = sorted[sorted.size() - 1];
    for (std::size_t i = 0; i < tangents.size(); ++i)
        if (use.tangents[i]) tangents[i] = taken_along(to, *use.tangents[i], places, axis);
}

std::string sort_text(const LineUse& use) {
    const ElementType element = use.operand_types[0].element;
    std::string arguments;
    for (std::size_t i = 0; i < use.operands.size(); ++i)
        for (const char* const side : {"a", "b"})
            arguments += (arguments.empty() ? "%" : ", %") + std::string(side) + std::to_string(i) + ": " +
                         stablehlo_type(scalar_type(use.operand_types[i].element));
    const std::string type = stablehlo_type(scalar_type(element));
    const bool descending = use.equation.attributes().get_or("descending", false);
    return "\"stablehlo.sort\"(" + use.names() + ") <{dimension = " + std::to_string(use.integer("axis")) +
           " : i64, is_stable = true}> ({ ^bb0(" + arguments + "): %before = stablehlo.compare " +
           (descending ? "GT" : "LT") + ", %a0, %b0, " +
           (ir::is_float(element) ? "TOTALORDER" : comparison_kind(element)) + " : (" + type + ", " + type +
           ") -> tensor<i1> stablehlo.return %before : tensor<i1> }) : " + use.signature();
}

// Values and their i32 indices along the last axis, the largest first.
void infer_top_k(const Site& site, Types& types) {
    require_domain(site, 0, kNumbers);
    const std::int64_t k = site.integer("k");
    Shape shape = site.shape(0);
    const auto fits = [&] {
        return shape.rank() > 0 && site.at_most(0, k) && site.at_most(k, shape[shape.rank() - 1]);
    };
    site.require(fits(), ErrorKind::kBadArgument, [&] {
        return "found k = " + Dim(k).text() + ", expected at most the last extent of " +
               text_of(site.type(0));
    });
    shape[shape.rank() - 1] = k;
    types.push_back({site.type(0).element, shape, {}});
    types.push_back({ElementType::kI32, shape, {}});
}

void top_k(const KernelUse& use, std::vector<Constant>& results) {
    const Shape& shape = use.shape(0);
    const auto length = static_cast<std::size_t>(shape[shape.rank() - 1]);
    const auto k = static_cast<std::size_t>(use.attributes.get<std::int64_t>("k"));
    const std::vector<std::size_t> places = sorted_places(use.operand(0), length, true);
    std::vector<std::size_t> chosen;
    Result<std::int64_t> indices(use.types[1]);
    for (std::size_t start = 0; k != 0 && start < places.size(); start += length)
        for (std::size_t i = 0; i < k; ++i) {
            indices[chosen.size()] = static_cast<std::int64_t>(places[start + i] - start);
            chosen.push_back(places[start + i]);
        }
    results.push_back(taken(use.operand(0), use.types[0], chosen));
    results.push_back(indices.finish());
}

void top_k_jvp(const JvpUse& use, std::span<Tangent> tangents) {
    const auto last = static_cast<std::int64_t>(use.to.shape(use[0]).rank()) - 1;
    tangents[0] = taken_along(use.to, *use.tangents[0], use.results[1], last);
}

std::vector<ValueId> top_k_text(FlatBuilder& to, std::span<const ValueId> operands,
                                const Attributes& attributes) {
    const ValueId x = operands[0];
    const TensorType type = to.type(x);
    const auto last = static_cast<std::int64_t>(type.shape.rank()) - 1;
    const Integers shape(type.shape.begin(), type.shape.end());
    const ValueId places = to.op("iota", {}, {{"shape", shape}, {"dim", last}, {"dtype", ElementType::kI32}});
    const ir::ValueRange sorted = to.op("sort", {x, places}, {{"axis", last}, {"descending", true}});
    Integers limits = shape;
    limits.back() = attributes.get<std::int64_t>("k");
    const Attributes part{{"starts", Integers(shape.size(), 0)}, {"limits", limits}};
    return {to.op("slice", {sorted[0]}, part), to.op("slice", {sorted[1]}, part)};
}

}  // namespace

std::span<const Primitive> order_primitives() {
    static const Primitive kRows[] = {
        {.name = "cumsum",
         .attributes = {integer("axis"), optional({"reverse", AttributeKind::kBool})},
         .infer = infer_cumsum,
         .compute = cumsum,
         .derivative = {linear_jvp, cumsum_transpose, kAllOperands},
         .batch = batch_axis,
         .text = cumsum_text},
        {.name = "sort",
         .operands = {1},
         .results = {1},
         .attributes = {integer("axis"), optional({"descending", AttributeKind::kBool})},
         .infer = infer_sort,
         .compute = sort,
         .derivative = sort_jvp,
         .batch = batch_axis,
         .text = sort_text},
        // Along the last axis, mapped or not.
        {.name = "top_k",
         .results = {2, 2},
         .attributes = {integer("k")},
         .infer = infer_top_k,
         .compute = top_k,
         .derivative = top_k_jvp,
         .batch = batch_elementwise,
         .text = top_k_text},
    };
    return kRows;
}

}  // namespace tilemeter::trace::internal
