// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Reductions over windows. The first of equal elements is the maximum of a window.

#include <algorithm>
#include <limits>

#include "capture/ir/error.hpp"
#include "runtime/trace/primitives/internal/inference.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"
#include "runtime/trace/primitives/internal/summation.hpp"

namespace tilemeter::trace::internal {

namespace {

std::vector<ir::AttributeRule> window_attributes() {
    return {integers("window"),
            optional(integers("strides")),
            optional(integers("low")),
            optional(integers("high")),
            optional(integers("base_dilation")),
            optional(integers("window_dilation"))};
}

Windows windows_of(const Attributes& attributes) {
    return {attributes, attributes.get<Integers>("window")};
}

void infer_reduce_window(const Site& site, Types& types) {
    require_domain(site, 0, kNumbers);
    const Shape& from = site.shape(0);
    for (const char* const name : {"window", "strides"})
        per_dimension(site, name, from.rank(), 1, 1);
    for (const char* const name : {"low", "high"})
        per_dimension(site, name, from.rank(), 0, 0);
    for (const char* const name : {"base_dilation", "window_dilation"})
        per_dimension(site, name, from.rank(), 1, 1);
    const Windows windows = windows_of(site.use.attributes);
    TensorType type{site.type(0).element, {}, {}};
    for (std::size_t i = 0; i < from.rank(); ++i)
        type.shape.push_back(window_extent(site, windows, i, from[i]));
    types.push_back(type);
}

// Calls visit(number of the window, place in the operand) for each element of a window that is no padding. There are `counts`
// windows.
template <class Visit>
void for_each_element(const KernelUse& use, const Shape& counts, Visit&& visit) {
    const Shape& input = use.shape(0);
    const Integers strides = strides_of(input);
    const Windows windows = windows_of(use.attributes);
    const Shape window(windows.window);
    std::size_t number = 0;
    for_each_index(counts, [&](const auto& out) {
        for_each_index(window, [&](const auto& in) {
            std::int64_t from = 0;
            for (std::size_t i = 0; i < in.size(); ++i) {
                const std::int64_t place = windows.place(i, out[i], in[i], input[i]);
                if (place < 0) return;
                from += place * strides[i];
            }
            visit(number, static_cast<std::size_t>(from));
        });
        ++number;
    });
}

ValueId padded(FlatBuilder& to, const Windows& windows, ValueId value, double with) {
    Integers interior;
    for (const std::int64_t dilation : windows.base_dilation)
        interior.push_back(dilation - 1);
    return to.op("pad", {value, to.scalar(to.element(value), with)},
                 {{"low", windows.low}, {"high", windows.high}, {"interior", interior}});
}

// The element at one place of each window.
ValueId element_at(FlatBuilder& to, const Windows& windows, ValueId padded, const Integers& place,
                   const Shape& counts) {
    Integers starts;
    Integers limits;
    for (std::size_t i = 0; i < place.size(); ++i) {
        starts.push_back(place[i] * windows.window_dilation[i]);
        limits.push_back((Dim(starts[i]) + dilated(counts[i], windows.strides[i])).value());
    }
    return to.op("slice", {padded}, {{"starts", starts}, {"limits", limits}, {"strides", windows.strides}});
}

// The elements of `from`, which has the elements' shape, at the places where the windows of `x` have their maximum.
ValueId taken_at_maximum(FlatBuilder& to, const Attributes& attributes, ValueId x, ValueId from,
                         const Shape& counts) {
    const Windows windows = windows_of(attributes);
    const ValueId keys = padded(to, windows, x, -std::numeric_limits<double>::infinity());
    const ValueId values = padded(to, windows, from, 0);
    Shape window;
    for (const std::int64_t extent : windows.window)
        window.push_back(Dim(extent).number());
    Tangent best;
    Tangent taken;
    for_each_index(window, [&](const Integers& place) {
        const ValueId key = element_at(to, windows, keys, place, counts);
        const ValueId value = element_at(to, windows, values, place, counts);
        if (!best) {
            best = key;
            taken = value;
            return;
        }
        const ValueId is_larger = to.compare("GT", key, *best);
        best = to.select(is_larger, key, *best);
        taken = to.select(is_larger, value, *taken);
    });
    return taken ? *taken : to.full({to.element(from), counts, {}}, 0);
}

void batch_windows(const BatchUse& use, std::vector<ValueId>& results) {
    Attributes attributes = use.attributes;
    for (const auto& [name, first] : {std::pair{"window", 1},
                                      {"strides", 1},
                                      {"low", 0},
                                      {"high", 0},
                                      {"base_dilation", 1},
                                      {"window_dilation", 1}}) {
        if (attributes.find(name) == nullptr) continue;
        Integers numbers = attributes.get<Integers>(name);
        numbers.insert(numbers.begin(), first);
        attributes.set(name, numbers);
    }
    batch_mapped(use, attributes, results);
}

// ---- reduce_window_sum

void reduce_window_sum(const KernelUse& use, std::vector<Constant>& results) {
    with_number_type(use.types[0].element, [&]<class T>(T) {
        const Numbers<T> x(use.operand(0));
        Result<T> y(use.types[0]);
        std::vector<Sum<T>> sums(y.size());
        for_each_element(use, use.types[0].shape, [&](std::size_t window, std::size_t from) {
            sums[window] += static_cast<Sum<T>>(x[from]);
        });
        for (std::size_t i = 0; i < sums.size(); ++i)
            y[i] = static_cast<T>(sums[i]);
        results.push_back(y.finish());
    });
}

// Each element gets the sum of the windows that it is in: windows again, over the cotangents spread by the strides.
void window_sum_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    FlatBuilder& to = use.to;
    const Shape from = to.shape(use[0]);
    const Shape counts = to.shape(use.cotangent());
    const Windows windows = windows_of(use.attributes);
    Integers low;
    Integers high;
    Integers interior;
    for (std::size_t i = 0; i < from.rank(); ++i) {
        const Dim window = dilated(windows.window[i], windows.window_dilation[i]);
        low.push_back((window - 1 - windows.low[i]).value());
        high.push_back((dilated(from[i], windows.base_dilation[i]) + window - 1 -
                        dilated(counts[i], windows.strides[i]) - low[i])
                           .value());
        interior.push_back((Dim(windows.strides[i]) - 1).value());
    }
    const ValueId spread = to.op("pad", {use.cotangent(), to.scalar(to.element(use[0]), 0)},
                                 {{"low", low}, {"high", high}, {"interior", interior}});
    cotangents[0] = to.op("reduce_window_sum", {spread},
                          {{"window", windows.window},
                           {"strides", windows.base_dilation},
                           {"window_dilation", windows.window_dilation}});
}

std::string window_sum_text(const LineUse& use) {
    return window_reduction(use, "add", Constant::scalar(use.result_types[0].element, 0),
                            windows_of(use.equation.attributes()));
}

// ---- reduce_window_max

void reduce_window_max(const KernelUse& use, std::vector<Constant>& results) {
    with_number_type(use.types[0].element, [&]<class T>(T) {
        const Numbers<T> x(use.operand(0));
        Result<T> y(use.types[0]);
        const T least = Numbers<T>(least_of(use.types[0].element))[0];
        std::ranges::fill(y.span(), least);
        for_each_element(use, use.types[0].shape, [&](std::size_t window, std::size_t from) {
            if (x[from] > y[window] || x[from] != x[from]) y[window] = x[from];
        });
        results.push_back(y.finish());
    });
}

void window_max_jvp(const JvpUse& use, std::span<Tangent> tangents) {
    tangents[0] =
        taken_at_maximum(use.to, use.attributes, use[0], *use.tangents[0], use.to.shape(use.result()));
}

std::string window_max_text(const LineUse& use) {
    return window_reduction(use, "maximum", least_of(use.result_types[0].element),
                            windows_of(use.equation.attributes()));
}

// ---- select_and_scatter_add

// Operand, source: the source's elements are added where the operand's windows have their maximum.
void infer_select_and_scatter(const Site& site, Types& types) {
    Types windows;
    infer_reduce_window(site, windows);
    site.require(is_same(site.type(1), windows[0], site.constraints()), ErrorKind::kShapeMismatch, [&] {
        return "found a source of type " + text_of(site.type(1)) + ", expected " + text_of(windows[0]);
    });
    types.push_back(site.type(0));
}

void select_and_scatter_add(const KernelUse& use, std::vector<Constant>& results) {
    constexpr std::size_t kNone = ~std::size_t{0};
    with_number_type(use.types[0].element, [&]<class T>(T) {
        const Numbers<T> x(use.operand(0));
        const Numbers<T> source(use.operand(1));
        Result<T> y(use.types[0]);
        std::vector<std::size_t> best(source.size(), kNone);
        for_each_element(use, use.shape(1), [&](std::size_t window, std::size_t from) {
            if (best[window] == kNone || x[from] > x[best[window]]) best[window] = from;
        });
        std::vector<Sum<T>> sums(y.size());
        for (std::size_t window = 0; window < best.size(); ++window)
            if (best[window] != kNone) sums[best[window]] += static_cast<Sum<T>>(source[window]);
        for (std::size_t i = 0; i < sums.size(); ++i)
            y[i] = static_cast<T>(sums[i]);
        results.push_back(y.finish());
    });
}

void select_and_scatter_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    cotangents[1] = taken_at_maximum(use.to, use.attributes, use[0], use.cotangent(), use.to.shape(use[1]));
}

std::string select_and_scatter_text(const LineUse& use) {
    const std::size_t rank = use.operand_types[0].shape.rank();
    for (const char* const name : {"base_dilation", "window_dilation"})
        for (const std::int64_t dilation : use.integers(name, rank, 1))
            if (dilation != 1)
                throw ir::Error(ir::ErrorKind::kBadArgument,
                                "StableHLO: select_and_scatter_add: found dilated windows, "
                                "expected none");
    const ElementType element = use.result_types[0].element;
    const std::string type = stablehlo_type(scalar_type(element));
    const std::string start = use.scalar(Constant::scalar(element, 0));
    return "\"stablehlo.select_and_scatter\"(" + use.names() + ", " + start +
           ") <{padding = " + stablehlo_padding(use.integers("low", rank), use.integers("high", rank)) +
           ", window_dimensions = " + stablehlo_array(use.integers("window")) +
           ", window_strides = " + stablehlo_array(use.integers("strides", rank, 1)) +
           "}> ({ ^bb0(%a: " + type + ", %b: " + type + "): %ge = stablehlo.compare GE, %a, %b, " +
           comparison_kind(element) + " : (" + type + ", " + type +
           ") -> tensor<i1> stablehlo.return %ge : tensor<i1> }, " + binary_region("add", element).substr(1) +
           ") : " + use.signature({scalar_type(element)});
}

}  // namespace

std::int64_t window_extent(const Site& site, const Windows& windows, std::size_t i, std::int64_t extent) {
    const std::int64_t window = windows.window[i];
    const std::int64_t stride = windows.strides[i];
    const std::int64_t padding[] = {windows.low[i], windows.high[i]};
    const std::int64_t dilation[] = {windows.base_dilation[i], windows.window_dilation[i]};
    const std::int64_t all[] = {extent, window, stride, padding[0], padding[1], dilation[0], dilation[1]};
    if (std::ranges::all_of(all, [](Dim dim) { return dim.is_number(); })) {
        const std::int64_t base =
            (extent == 0 ? 0 : (extent - 1) * dilation[0] + 1) + padding[0] + padding[1];
        const std::int64_t covered = window == 0 ? 0 : (window - 1) * dilation[1] + 1;
        return base < covered || base <= 0 ? 0 : (base - covered) / stride + 1;
    }
    const Dim base = (Dim(extent) - 1) * dilation[0] + 1 + padding[0] + padding[1];
    const Dim covered = (Dim(window) - 1) * dilation[1] + 1;
    const auto found = [&] {
        return "found an extent of " + Dim(extent).text() + " and a window of " + Dim(window).text();
    };
    for (const std::int64_t each : {extent, window, stride})
        site.require_at_most(1, each, ErrorKind::kBadArgument, found);
    site.require_at_most(covered, base, ErrorKind::kBadArgument, found);
    return (floordiv(base - covered, stride) + 1).value();
}

std::span<const Primitive> window_primitives() {
    static const Primitive kRows[] = {
        {.name = "reduce_window_sum",
         .attributes = window_attributes(),
         .infer = infer_reduce_window,
         .compute = reduce_window_sum,
         .derivative = {linear_jvp, window_sum_transpose, kAllOperands},
         .batch = batch_windows,
         .text = window_sum_text},
        {.name = "reduce_window_max",
         .attributes = window_attributes(),
         .infer = infer_reduce_window,
         .compute = reduce_window_max,
         .derivative = window_max_jvp,
         .batch = batch_windows,
         .text = window_max_text},
        {.name = "select_and_scatter_add",
         .operands = {2, 2},
         .attributes = window_attributes(),
         .infer = infer_select_and_scatter,
         .compute = select_and_scatter_add,
         .derivative = {linear_jvp, select_and_scatter_transpose, 0b10},
         .batch = batch_windows,
         .text = select_and_scatter_text},
    };
    return kRows;
}

}  // namespace tilemeter::trace::internal
