// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// dot_general and convolution: linear in each operand, so that transposes are products with the other one.

#include <algorithm>
#include <array>

#include "runtime/trace/primitives/internal/inference.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"
#include "runtime/trace/primitives/internal/summation.hpp"

namespace tilemeter::trace::internal {

namespace {

Integers joined(std::initializer_list<Integers> parts) {
    Integers all;
    for (const Integers& part : parts)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

// The dimensions of one side, by their part in the product.
struct Side {
    Integers batch, contract, free;

    Side(const Attributes& attributes, const std::string& name, std::size_t rank)
        : batch(attributes.get<Integers>(name + "_batch")),
          contract(attributes.get<Integers>(name + "_contract")),
          free(other_axes(rank, joined({batch, contract}))) {}
};

void require_one_element_type(const Site& site) {
    require_domain(site, 0, kNumbers);
    site.require(site.type(0).element == site.type(1).element, ErrorKind::kElementTypeMismatch, [&] {
        return "found " + text_of(site.type(0)) + " and " + text_of(site.type(1)) +
               ", expected operands of one element type";
    });
}

// ---- dot_general

void infer_dot_general(const Site& site, Types& types) {
    require_one_element_type(site);
    const Side sides[] = {{site.use.attributes, "lhs", site.shape(0).rank()},
                          {site.use.attributes, "rhs", site.shape(1).rank()}};
    for (std::size_t i = 0; i < 2; ++i)
        require_axes(site, joined({sides[i].batch, sides[i].contract}), site.shape(i).rank(),
                     "batch and contracting dimensions");
    TensorType type{site.type(0).element, {}, {}};
    for (const bool is_batch : {true, false}) {
        const Integers& left = is_batch ? sides[0].batch : sides[0].contract;
        const Integers& right = is_batch ? sides[1].batch : sides[1].contract;
        const auto found = [&] {
            return (is_batch ? "batch dimensions " : "contracting dimensions ") + text_of(left) + " and " +
                   text_of(right) + ": " + found_shapes(site.shape(0), site.shape(1));
        };
        site.require(left.size() == right.size(), ErrorKind::kBadArgument,
                     [&] { return found() + ", expected as many of both"; });
        for (std::size_t i = 0; i < left.size(); ++i) {
            const std::int64_t extent = site.shape(0)[static_cast<std::size_t>(left[i])];
            site.require_equal(Dim(extent), site.shape(1)[static_cast<std::size_t>(right[i])],
                               ErrorKind::kShapeMismatch,
                               [&] { return found() + ", expected equal extents"; });
            if (is_batch) type.shape.push_back(extent);
        }
    }
    for (std::size_t i = 0; i < 2; ++i)
        for (const std::int64_t axis : sides[i].free)
            type.shape.push_back(site.shape(i)[static_cast<std::size_t>(axis)]);
    types.push_back(type);
}

template <class T>
T multiply_add(T sum, T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
        return sum + a * b;
    else
        return static_cast<T>(static_cast<std::uint64_t>(sum) +
                              static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

std::size_t extent_of(const Shape& shape, const Integers& axes) {
    std::size_t count = 1;
    for (const std::int64_t axis : axes)
        count *= static_cast<std::size_t>(shape[static_cast<std::size_t>(axis)]);
    return count;
}

// A row by a matrix. Products of a few rows of the matrix are added as they are, and the sums of these in what sums are kept in.
template <class T>
void row_of_product(const T* left, const T* right, std::size_t inner, std::size_t columns, T* to) {
    constexpr std::size_t kRows = 32;
    const auto add = [&](std::size_t first, std::size_t limit) {
        for (std::size_t k = first; k < limit; ++k) {
            const T factor = left[k];
            const T* const from = right + k * columns;
            for (std::size_t column = 0; column < columns; ++column)
                to[column] = multiply_add(to[column], factor, from[column]);
        }
    };
    if (inner <= kRows || !std::is_floating_point_v<T>) return add(0, inner);
    std::vector<Sum<T>> sums(columns);
    for (std::size_t first = 0; first < inner; first += kRows) {
        std::fill_n(to, columns, T{});
        add(first, std::min(inner, first + kRows));
        for (std::size_t column = 0; column < columns; ++column)
            sums[column] += static_cast<Sum<T>>(to[column]);
    }
    for (std::size_t column = 0; column < columns; ++column)
        to[column] = static_cast<T>(sums[column]);
}

// Both operands as matrices of a batch: [batch, rows, inner] and [batch, inner, columns].
void dot_general(const KernelUse& use, std::vector<Constant>& results) {
    const Side lhs(use.attributes, "lhs", use.shape(0).rank());
    const Side rhs(use.attributes, "rhs", use.shape(1).rank());
    const Constant left = transposed(use.operand(0), joined({lhs.batch, lhs.free, lhs.contract}));
    const Constant right = transposed(use.operand(1), joined({rhs.batch, rhs.contract, rhs.free}));
    const std::size_t batch = extent_of(use.shape(0), lhs.batch);
    const std::size_t rows = extent_of(use.shape(0), lhs.free);
    const std::size_t inner = extent_of(use.shape(0), lhs.contract);
    const std::size_t columns = extent_of(use.shape(1), rhs.free);
    with_number_type(use.types[0].element, [&]<class T>(T) {
        const Numbers<T> a(left);
        const Numbers<T> b(right);
        Result<T> y(use.types[0]);
        for (std::size_t row = 0; row < batch * rows; ++row) {
            const T* const left_row = a.data() + row * inner;
            const T* const right_rows = b.data() + row / rows * inner * columns;
            T* const to = y.data() + row * columns;
            if (columns == 1)
                to[0] = static_cast<T>(sum_of_terms<T>(
                    0, inner, [&](std::size_t k) { return product_in_sum(left_row[k], right_rows[k]); }));
            else
                row_of_product(left_row, right_rows, inner, columns, to);
        }
        results.push_back(y.finish());
    });
}

Attributes dot_attributes(const Integers& lhs_batch, const Integers& rhs_batch, const Integers& lhs_contract,
                          const Integers& rhs_contract) {
    return {{"lhs_batch", lhs_batch},
            {"rhs_batch", rhs_batch},
            {"lhs_contract", lhs_contract},
            {"rhs_contract", rhs_contract}};
}

// The dimensions of this side in the places of the contracted dimensions of the other side, in their order there.
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
    const Side lhs(use.attributes, "lhs", to.shape(use[0]).rank());
    const Side rhs(use.attributes, "rhs", to.shape(use[1]).rank());
    const auto batches = static_cast<std::int64_t>(lhs.batch.size());
    const Integers ct_batch = counted(lhs.batch.size());
    const Integers ct_lhs = counted(lhs.free.size(), batches);
    const Integers ct_rhs = counted(rhs.free.size(), batches + static_cast<std::int64_t>(lhs.free.size()));
    if (use.is_linear[0]) {
        const ValueId product = to.op("dot_general", {use.cotangent(), use[1]},
                                      dot_attributes(ct_batch, rhs.batch, ct_rhs, rhs.free));
        cotangents[0] = with_axes_at(to, product, joined({lhs.batch, lhs.free, matched_contract(lhs, rhs)}));
    } else {
        const ValueId product = to.op("dot_general", {use[0], use.cotangent()},
                                      dot_attributes(lhs.batch, ct_batch, lhs.free, ct_lhs));
        cotangents[1] = with_axes_at(to, product, joined({rhs.batch, matched_contract(rhs, lhs), rhs.free}));
    }
}

// The mapped axis is one more batch dimension, or, of one side only, a free one, which comes to the front.
void batch_dot(const BatchUse& use, std::vector<ValueId>& results) {
    FlatBuilder& to = use.to;
    Side sides[] = {{use.attributes, "lhs", use.lane_shape(0).rank()},
                    {use.attributes, "rhs", use.lane_shape(1).rank()}};
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

std::string dot_general_text(const LineUse& use) {
    std::string dims;
    if (!use.integers("lhs_batch").empty())
        dims = ", batching_dims = " + use.list("lhs_batch") + " x " + use.list("rhs_batch");
    return use.line("dot_general", dims + ", contracting_dims = " + use.list("lhs_contract") + " x " +
                                       use.list("rhs_contract"));
}

// ---- convolution of [N, C, spatial...] by [O, C / groups, spatial...]

Windows filters_of(const Attributes& attributes, const Shape& filters) {
    return {attributes, integers_of(Shape(filters.dims().subspan(2))), "lhs_dilation", "rhs_dilation"};
}

std::int64_t groups_of(const Attributes& attributes) {
    return attributes.get_or<std::int64_t>("groups", 1);
}

Attributes convolution_attributes(const Windows& windows, std::int64_t groups) {
    return {{"strides", windows.strides},
            {"low", windows.low},
            {"high", windows.high},
            {"lhs_dilation", windows.base_dilation},
            {"rhs_dilation", windows.window_dilation},
            {"groups", groups}};
}

// Other layouts are transposed before.
void infer_convolution(const Site& site, Types& types) {
    require_one_element_type(site);
    const Shape& x = site.shape(0);
    const Shape& w = site.shape(1);
    site.require(x.rank() >= 2 && x.rank() == w.rank(), ErrorKind::kShapeMismatch,
                 [&] { return found_shapes(x, w) + ", expected two of the same rank, at least 2"; });
    const std::size_t spatial = x.rank() - 2;
    for (const auto& [name, least] : {std::pair<const char*, std::int64_t>{"strides", 1},
                                      {"low", kNoBound},
                                      {"high", kNoBound},
                                      {"lhs_dilation", 1},
                                      {"rhs_dilation", 1}})
        per_dimension(site, name, spatial, 1, least);
    const auto groups = groups_of(site.use.attributes);
    const auto fits = [&] {
        return groups >= 1 && site.equal(x[1], Dim(w[1]) * groups) &&
               divides(groups, w[0], site.constraints()) == ir::Answer::kYes;
    };
    site.require(fits(), ErrorKind::kShapeMismatch, [&] {
        return found_shapes(x, w) + " and " + std::to_string(groups) +
               " groups, expected as many input features in all groups, and whole groups of output features";
    });
    const Windows windows = filters_of(site.use.attributes, w);
    TensorType type{site.type(0).element, {x[0], w[0]}, {}};
    for (std::size_t i = 0; i < spatial; ++i)
        type.shape.push_back(window_extent(site, windows, i, x[i + 2]));
    types.push_back(type);
}

void convolution(const KernelUse& use, std::vector<Constant>& results) {
    const Shape& input = use.shape(0);
    const Shape& kernel = use.shape(1);
    const Shape& shape = use.types[0].shape;
    const std::size_t spatial = input.rank() - 2;
    const Windows windows = filters_of(use.attributes, kernel);
    const std::int64_t outputs_of_group = kernel[0] / groups_of(use.attributes);
    const Integers input_strides = strides_of(input);
    const Integers kernel_strides = strides_of(kernel);
    Shape window;
    window.push_back(kernel[1]);
    for (std::size_t i = 0; i < spatial; ++i)
        window.push_back(kernel[i + 2]);
    with_number_type(use.types[0].element, [&]<class T>(T) {
        const Numbers<T> x(use.operand(0));
        const Numbers<T> w(use.operand(1));
        Result<T> y(use.types[0]);
        std::size_t next = 0;
        for_each_index(shape, [&](const auto& out) {
            Sum<T> sum = 0;
            const std::int64_t first_feature = out[1] / outputs_of_group * kernel[1];
            for_each_index(window, [&](const auto& in) {
                std::int64_t from = out[0] * input_strides[0] + (first_feature + in[0]) * input_strides[1];
                std::int64_t weight = out[1] * kernel_strides[0] + in[0] * kernel_strides[1];
                for (std::size_t i = 0; i < spatial; ++i) {
                    const std::int64_t place = windows.place(i, out[i + 2], in[i + 1], input[i + 2]);
                    if (place < 0) return;
                    from += place * input_strides[i + 2];
                    weight += in[i + 1] * kernel_strides[i + 2];
                }
                sum += product_in_sum(x[static_cast<std::size_t>(from)], w[static_cast<std::size_t>(weight)]);
            });
            y[next++] = static_cast<T>(sum);
        });
        results.push_back(y.finish());
    });
}

// [a, b, rest...] as [a / count, count, b, rest...], then the first two dimensions exchanged, then joined with the
// third where `joins_third`: how groups move between the features of operands.
ValueId regrouped(FlatBuilder& to, ValueId value, const Integers& split, const Integers& perm,
                  const Integers& joined) {
    return to.reshape(to.transpose(to.reshape(value, Shape(split)), perm), Shape(joined));
}

Integers extents(std::initializer_list<std::int64_t> first, const Shape& shape, std::size_t from = 2) {
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
    const std::size_t spatial = x.rank() - 2;
    const Windows given = filters_of(use.attributes, w);
    const std::int64_t g = groups_of(use.attributes);
    Windows made = given;
    if (use.is_linear[0]) {
        // The cotangent, dilated by the strides, by the filters turned around.
        ValueId filters = regrouped(to, use[1], extents({g, ir::floordiv(w[0], g).value(), w[1]}, w),
                                    permuted({0, 2, 1}, spatial),
                                    extents({(Dim(g) * w[1]).value(), ir::floordiv(w[0], g).value()}, w));
        filters = to.op("reverse", {filters}, {{"dims", counted(spatial, 2)}});
        made.strides = given.base_dilation;
        made.base_dilation = given.strides;
        for (std::size_t i = 0; i < spatial; ++i) {
            const Dim filter = dilated(w[i + 2], given.window_dilation[i]);
            made.low[i] = (filter - 1 - given.low[i]).value();
            made.high[i] = (dilated(x[i + 2], given.base_dilation[i]) + filter - 1 -
                            dilated(y[i + 2], given.strides[i]) - made.low[i])
                               .value();
        }
        cotangents[0] = to.op("convolution", {ct, filters}, convolution_attributes(made, g));
        return;
    }
    // Images by cotangents, with batch and features exchanged.
    const ValueId images = regrouped(to, use[0], extents({x[0], g, ir::floordiv(x[1], g).value()}, x),
                                     permuted({2, 1, 0}, spatial),
                                     extents({ir::floordiv(x[1], g).value(), (Dim(g) * x[0]).value()}, x));
    const ValueId filters = to.transpose(ct, permuted({1, 0}, spatial));
    made.strides = given.window_dilation;
    made.window_dilation = given.strides;
    for (std::size_t i = 0; i < spatial; ++i)
        made.high[i] = (dilated(y[i + 2], given.strides[i]) - dilated(x[i + 2], given.base_dilation[i]) +
                        dilated(w[i + 2], given.window_dilation[i]) - given.low[i] - 1)
                           .value();
    const ValueId product = to.op("convolution", {images, filters}, convolution_attributes(made, g));
    cotangents[1] = to.transpose(product, permuted({1, 0}, spatial));
}

// Images alone: more of them. Filters too: one group for each lane.
void batch_convolution(const BatchUse& use, std::vector<ValueId>& results) {
    FlatBuilder& to = use.to;
    const Shape x = use.lane_shape(0);
    const Shape w = use.lane_shape(1);
    const std::size_t spatial = x.rank() - 2;
    const std::int64_t size = use.size;
    if (!use.is_mapped[1]) {
        const ValueId images = to.reshape(use[0], Shape(extents({(Dim(size) * x[0]).value(), x[1]}, x)));
        const ValueId product = to.op("convolution", {images, use[1]}, use.attributes);
        const Shape y = to.shape(product);
        results.push_back(to.reshape(product, Shape(extents({size, x[0], y[1]}, y))));
        return;
    }
    const ValueId images =
        regrouped(to, use.mapped(0), extents({size, x[0], x[1]}, x), permuted({1, 0, 2}, spatial),
                  extents({x[0], (Dim(size) * x[1]).value()}, x));
    const ValueId filters = to.reshape(use[1], Shape(extents({(Dim(size) * w[0]).value(), w[1]}, w)));
    const std::int64_t groups = groups_of(use.attributes);
    const ValueId product =
        to.op("convolution", {images, filters}, with(use.attributes, "groups", groups * Dim(size).number()));
    const Shape y = to.shape(product);
    results.push_back(to.transpose(to.reshape(product, Shape(extents({x[0], size, w[0]}, y))),
                                   permuted({1, 0, 2}, spatial)));
}

std::string convolution_text(const LineUse& use) {
    const Windows windows = filters_of(use.equation.attributes(), use.operand_types[1].shape);
    std::string dims;
    std::string pad;
    for (std::size_t i = 0; i < windows.low.size(); ++i) {
        dims += ", " + std::to_string(i);
        pad += (i != 0 ? ", " : "") + stablehlo_list(std::array{windows.low[i], windows.high[i]});
    }
    return "stablehlo.convolution(" + use.names() + ") dim_numbers = [b, f" + dims + "]x[o, i" + dims +
           "]->[b, f" + dims + "], window = {stride = " + stablehlo_list(windows.strides) + ", pad = [" +
           pad + "], lhs_dilate = " + stablehlo_list(windows.base_dilation) +
           ", rhs_dilate = " + stablehlo_list(windows.window_dilation) +
           "} {batch_group_count = 1 : i64, feature_group_count = " +
           std::to_string(groups_of(use.equation.attributes())) + " : i64} : " + use.signature();
}

}  // namespace

std::span<const Primitive> product_primitives() {
    static const Primitive kRows[] = {
        {.name = "dot_general",
         .operands = {2, 2},
         .attributes = {integers("lhs_batch"), integers("rhs_batch"), integers("lhs_contract"),
                        integers("rhs_contract")},
         .infer = infer_dot_general,
         .compute = dot_general,
         .derivative = {product_jvp, dot_transpose},
         .batch = batch_dot,
         .text = dot_general_text},
        {.name = "convolution",
         .operands = {2, 2},
         .attributes = {optional(integers("strides")), optional(integers("low")), optional(integers("high")),
                        optional(integers("lhs_dilation")), optional(integers("rhs_dilation")),
                        optional(integer("groups"))},
         .infer = infer_convolution,
         .compute = convolution,
         .derivative = {product_jvp, convolution_transpose},
         .batch = batch_convolution,
         .text = convolution_text},
    };
    return kRows;
}

}  // namespace tilemeter::trace::internal
