// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// dot_general and convolution: bilinear, so that transposes are products with the other operand.

#include <algorithm>

#include "runtime/trace/derivatives/internal/rules.hpp"

namespace tilemeter::trace::internal {

namespace {

// The dimensions of one side, by their part in the product.
struct Side {
    Integers batch, contract, free;
};

Side side_of(const Attributes& attributes, const std::string& name, std::size_t rank) {
    Side side{attributes.get<Integers>(name + "_batch"), attributes.get<Integers>(name + "_contract"), {}};
    Integers used = side.batch;
    used.insert(used.end(), side.contract.begin(), side.contract.end());
    side.free = other_axes(rank, used);
    return side;
}

Attributes dot_attributes(const Integers& lhs_batch, const Integers& rhs_batch, const Integers& lhs_contract,
                          const Integers& rhs_contract) {
    return {{"lhs_batch", lhs_batch},
            {"rhs_batch", rhs_batch},
            {"lhs_contract", lhs_contract},
            {"rhs_contract", rhs_contract}};
}

// Where the contracted dimensions of the other side come to be, in their order there: those of this side.
Integers matched_contract(const Side& self, const Side& other) {
    Integers sorted = other.contract;
    std::ranges::sort(sorted);
    Integers matched;
    for (const std::int64_t axis : sorted) {
        const auto at = std::ranges::find(other.contract, axis) - other.contract.begin();
        matched.push_back(self.contract[static_cast<std::size_t>(at)]);
    }
    return matched;
}

void dot_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    FlatBuilder& to = use.to;
    const Side lhs = side_of(use.attributes, "lhs", to.shape(use[0]).rank());
    const Side rhs = side_of(use.attributes, "rhs", to.shape(use[1]).rank());
    const auto batches = static_cast<std::int64_t>(lhs.batch.size());
    const Integers ct_batch = counted(lhs.batch.size());
    const Integers ct_lhs = counted(lhs.free.size(), batches);
    const Integers ct_rhs = counted(rhs.free.size(), batches + static_cast<std::int64_t>(lhs.free.size()));
    if (use.is_linear[0]) {
        const ValueId product = to.op("dot_general", {use.cotangent(), use[1]},
                                      dot_attributes(ct_batch, rhs.batch, ct_rhs, rhs.free));
        Integers to_axis = lhs.batch;
        for (const Integers& part : {lhs.free, matched_contract(lhs, rhs)})
            to_axis.insert(to_axis.end(), part.begin(), part.end());
        cotangents[0] = with_axes_at(to, product, to_axis);
    } else {
        const ValueId product = to.op("dot_general", {use[0], use.cotangent()},
                                      dot_attributes(lhs.batch, ct_batch, lhs.free, ct_lhs));
        Integers to_axis = rhs.batch;
        for (const Integers& part : {matched_contract(rhs, lhs), rhs.free})
            to_axis.insert(to_axis.end(), part.begin(), part.end());
        cotangents[1] = with_axes_at(to, product, to_axis);
    }
}

// The mapped axis is one more batch dimension, or, of one side only, a free one, which comes to the front.
void batch_dot(const BatchUse& use, std::vector<ValueId>& results) {
    FlatBuilder& to = use.to;
    Side sides[2] = {side_of(use.attributes, "lhs", use.lane_shape(0).rank()),
                     side_of(use.attributes, "rhs", use.lane_shape(1).rank())};
    const auto batches = static_cast<std::int64_t>(sides[0].batch.size());
    const auto lhs_free = static_cast<std::int64_t>(sides[0].free.size());
    const bool is_both = use.is_mapped[0] && use.is_mapped[1];
    for (std::size_t i = 0; i < 2; ++i) {
        if (!use.is_mapped[i]) continue;
        sides[i].batch = is_both ? shifted(0, sides[i].batch) : shifted(sides[i].batch);
        sides[i].contract = shifted(sides[i].contract);
    }
    ValueId product =
        to.op("dot_general", use.operands,
              dot_attributes(sides[0].batch, sides[1].batch, sides[0].contract, sides[1].contract));
    if (!is_both) {
        const std::int64_t place = batches + (use.is_mapped[0] ? 0 : lhs_free);
        Integers perm = counted(to.shape(product).rank());
        perm.erase(perm.begin() + place);
        perm.insert(perm.begin(), place);
        product = to.transpose(product, perm);
    }
    results.push_back(product);
}

// ---- convolution of [N, C, spatial...] by [O, C / groups, spatial...]

struct Convolution {
    std::size_t spatial;
    Integers strides, low, high, lhs_dilation, rhs_dilation;
    std::int64_t groups;

    Convolution(const Attributes& attributes, std::size_t rank)
        : spatial(rank - 2),
          strides(attributes.get_or<Integers>("strides", Integers(spatial, 1))),
          low(attributes.get_or<Integers>("low", Integers(spatial, 0))),
          high(attributes.get_or<Integers>("high", Integers(spatial, 0))),
          lhs_dilation(attributes.get_or<Integers>("lhs_dilation", Integers(spatial, 1))),
          rhs_dilation(attributes.get_or<Integers>("rhs_dilation", Integers(spatial, 1))),
          groups(attributes.get_or<std::int64_t>("groups", 1)) {}

    [[nodiscard]] Attributes attributes() const {
        return {
            {"strides", strides},           {"low", low},      {"high", high}, {"lhs_dilation", lhs_dilation},
            {"rhs_dilation", rhs_dilation}, {"groups", groups}};
    }
};

// [a, b, rest...] as [a / count, count, b, rest...], then the first two dimensions exchanged, then joined with the
// third where `joins_third`: how groups move between the features of operands.
ValueId regrouped(FlatBuilder& to, ValueId value, const Integers& split, const Integers& perm,
                  const Integers& joined) {
    return to.reshape(to.transpose(to.reshape(value, Shape(split)), perm), Shape(joined));
}

Integers joined(std::initializer_list<std::int64_t> first, const Shape& shape, std::size_t from = 2) {
    Integers all(first);
    for (std::size_t i = from; i < shape.rank(); ++i)
        all.push_back(shape[i]);
    return all;
}

// Axes 0 and 1 or others exchanged among the first ones, the spatial ones as they are.
Integers permuted(std::initializer_list<std::int64_t> first, std::size_t spatial) {
    Integers perm(first);
    const Integers rest = counted(spatial, static_cast<std::int64_t>(first.size()));
    perm.insert(perm.end(), rest.begin(), rest.end());
    return perm;
}

void convolution_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    FlatBuilder& to = use.to;
    const Shape x = to.shape(use[0]);
    const Shape w = to.shape(use[1]);
    const ValueId ct = use.cotangent();
    const Shape y = to.shape(ct);
    const Convolution given(use.attributes, x.rank());
    const std::int64_t g = given.groups;
    Convolution made = given;
    if (use.is_linear[0]) {
        // The cotangent, dilated by the strides, by the filters turned around.
        ValueId filters = regrouped(to, use[1], joined({g, ir::floordiv(w[0], g).value(), w[1]}, w),
                                    permuted({0, 2, 1}, given.spatial),
                                    joined({(Dim(g) * w[1]).value(), ir::floordiv(w[0], g).value()}, w));
        filters = to.op("reverse", {filters}, {{"dims", counted(given.spatial, 2)}});
        made.strides = given.lhs_dilation;
        made.lhs_dilation = given.strides;
        for (std::size_t i = 0; i < given.spatial; ++i) {
            const Dim filter = dilated(w[i + 2], given.rhs_dilation[i]);
            made.low[i] = (filter - 1 - given.low[i]).value();
            made.high[i] = (dilated(x[i + 2], given.lhs_dilation[i]) + filter - 1 -
                            dilated(y[i + 2], given.strides[i]) - made.low[i])
                               .value();
        }
        cotangents[0] = to.op("convolution", {ct, filters}, made.attributes());
        return;
    }
    // Images by cotangents, with batch and features exchanged.
    const ValueId images = regrouped(to, use[0], joined({x[0], g, ir::floordiv(x[1], g).value()}, x),
                                     permuted({2, 1, 0}, given.spatial),
                                     joined({ir::floordiv(x[1], g).value(), (Dim(g) * x[0]).value()}, x));
    const ValueId filters = to.transpose(ct, permuted({1, 0}, given.spatial));
    made.strides = given.rhs_dilation;
    made.rhs_dilation = given.strides;
    for (std::size_t i = 0; i < given.spatial; ++i)
        made.high[i] = (dilated(y[i + 2], given.strides[i]) - dilated(x[i + 2], given.lhs_dilation[i]) +
                        dilated(w[i + 2], given.rhs_dilation[i]) - given.low[i] - 1)
                           .value();
    const ValueId product = to.op("convolution", {images, filters}, made.attributes());
    cotangents[1] = to.transpose(product, permuted({1, 0}, given.spatial));
}

// Images alone: more of them. Filters too: one group for each lane.
void batch_convolution(const BatchUse& use, std::vector<ValueId>& results) {
    FlatBuilder& to = use.to;
    const Shape x = use.lane_shape(0);
    const Shape w = use.lane_shape(1);
    const std::size_t spatial = x.rank() - 2;
    const std::int64_t size = use.size;
    if (!use.is_mapped[1]) {
        const ValueId images = to.reshape(use[0], Shape(joined({(Dim(size) * x[0]).value(), x[1]}, x)));
        const ValueId product = to.op("convolution", {images, use[1]}, use.attributes);
        const Shape y = to.shape(product);
        results.push_back(to.reshape(product, Shape(joined({size, x[0], y[1]}, y))));
        return;
    }
    const ValueId images =
        regrouped(to, use.mapped(0), joined({size, x[0], x[1]}, x), permuted({1, 0, 2}, spatial),
                  joined({x[0], (Dim(size) * x[1]).value()}, x));
    const ValueId filters = to.reshape(use[1], Shape(joined({(Dim(size) * w[0]).value(), w[1]}, w)));
    const auto groups = use.attributes.get_or<std::int64_t>("groups", 1);
    const ValueId product =
        to.op("convolution", {images, filters}, with(use.attributes, "groups", groups * Dim(size).number()));
    const Shape y = to.shape(product);
    results.push_back(to.transpose(to.reshape(product, Shape(joined({x[0], size, w[0]}, y))),
                                   permuted({1, 0, 2}, spatial)));
}

constexpr DerivativeRules kProductRules[] = {
    {"dot_general", product_jvp, dot_transpose, batch_dot},
    {"convolution", product_jvp, convolution_transpose, batch_convolution},
};

}  // namespace

std::span<const DerivativeRules> product_rules() {
    return kProductRules;
}

}  // namespace tilemeter::trace::internal
