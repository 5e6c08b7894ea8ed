// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Reductions over windows. The first of equal elements is the maximum of a window.

#include <limits>

#include "runtime/trace/derivatives/internal/rules.hpp"
#include "runtime/trace/primitives/internal/flat_inference.hpp"

namespace tilemeter::trace::internal {

namespace {

struct Windows {
    std::size_t rank;
    Integers window, strides, low, high, base_dilation, window_dilation;

    Windows(const Attributes& attributes, std::size_t count)
        : rank(count),
          window(attributes.get<Integers>("window")),
          strides(attributes.get_or<Integers>("strides", Integers(count, 1))),
          low(attributes.get_or<Integers>("low", Integers(count, 0))),
          high(attributes.get_or<Integers>("high", Integers(count, 0))),
          base_dilation(attributes.get_or<Integers>("base_dilation", Integers(count, 1))),
          window_dilation(attributes.get_or<Integers>("window_dilation", Integers(count, 1))) {}

    [[nodiscard]] ValueId padded(FlatBuilder& to, ValueId value, double with) const {
        Integers interior;
        for (const std::int64_t dilation : base_dilation)
            interior.push_back(dilation - 1);
        return to.op("pad", {value, to.scalar(to.element(value), with)},
                     {{"low", low}, {"high", high}, {"interior", interior}});
    }

    // Of each window the element at one place.
    [[nodiscard]] ValueId at(FlatBuilder& to, ValueId padded, const Integers& place,
                             const Shape& counts) const {
        Integers starts;
        Integers limits;
        for (std::size_t i = 0; i < rank; ++i) {
            starts.push_back(place[i] * window_dilation[i]);
            limits.push_back((Dim(starts[i]) + dilated(counts[i], strides[i])).value());
        }
        return to.op("slice", {padded}, {{"starts", starts}, {"limits", limits}, {"strides", strides}});
    }

    // Calls visit(place) for each place in a window, row-major.
    template <class Visit>
    void for_each_place(Visit&& visit) const {
        std::int64_t count = 1;
        for (const std::int64_t extent : window)
            count *= Dim(extent).number();
        Integers place(rank, 0);
        for (; count > 0; --count) {
            visit(place);
            for (std::size_t i = rank; i-- > 0;) {
                if (++place[i] < window[i]) break;
                place[i] = 0;
            }
        }
    }
};

// Of `from`, which has the elements' shape, those where the windows of `x` have their maximum.
ValueId taken_at_maximum(FlatBuilder& to, const Attributes& attributes, ValueId x, ValueId from,
                         const Shape& counts) {
    const Windows windows(attributes, to.shape(x).rank());
    const ValueId keys = windows.padded(to, x, -std::numeric_limits<double>::infinity());
    const ValueId values = windows.padded(to, from, 0);
    Tangent best;
    Tangent taken;
    windows.for_each_place([&](const Integers& place) {
        const ValueId key = windows.at(to, keys, place, counts);
        const ValueId value = windows.at(to, values, place, counts);
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

void window_max_jvp(const JvpUse& use, std::span<Tangent> tangents) {
    tangents[0] =
        taken_at_maximum(use.to, use.attributes, use[0], *use.tangents[0], use.to.shape(use.result()));
}

// Each element gets the sum of the windows that it is in: windows again, over the cotangents spread by the strides.
void window_sum_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    FlatBuilder& to = use.to;
    const Shape from = to.shape(use[0]);
    const Shape counts = to.shape(use.cotangent());
    const Windows windows(use.attributes, from.rank());
    Integers low;
    Integers high;
    Integers interior;
    for (std::size_t i = 0; i < windows.rank; ++i) {
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

void select_and_scatter_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    cotangents[1] = taken_at_maximum(use.to, use.attributes, use[0], use.cotangent(), use.to.shape(use[1]));
}

void batch_windows(const BatchUse& use, std::vector<ValueId>& results) {
    std::vector<ValueId> operands;
    for (std::size_t i = 0; i < use.operands.size(); ++i)
        operands.push_back(use.mapped(i));
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
    results.push_back(use.again(operands, attributes));
}

constexpr DerivativeRules kWindowRules[] = {
    {"reduce_window_sum", linear_jvp, window_sum_transpose, batch_windows, kAllOperands},
    {"reduce_window_max", window_max_jvp, nullptr, batch_windows},
    {"select_and_scatter_add", linear_jvp, select_and_scatter_transpose, batch_windows, 0b10},
};

}  // namespace

std::span<const DerivativeRules> window_rules() {
    return kWindowRules;
}

}  // namespace tilemeter::trace::internal
