// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Elements compared, and chosen by what comes of it.

#include <algorithm>
#include <cmath>

#include "runtime/trace/primitives/internal/elementwise_kernels.hpp"
#include "runtime/trace/primitives/internal/inference.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"

namespace tilemeter::trace::internal {

namespace {

void infer_is_finite(const Site& site, Types& types) {
    infer_same(site, types, kFloats);
    types.back().element = ElementType::kBool;
}

void is_finite(const KernelUse& use, std::vector<Constant>& results) {
    const Numbers<double> x(use.operand(0));
    Result<std::uint64_t> y(use.types[0]);
    for (std::size_t i = 0; i < y.size(); ++i)
        y[i] = std::isfinite(x[i]) ? 1 : 0;
    results.push_back(y.finish());
}

// ---- compare

void infer_compare(const Site& site, Types& types) {
    const auto& direction = site.use.attributes.get<std::string>("direction");
    static const std::vector<std::string> kDirections = {"EQ", "NE", "LT", "LE", "GT", "GE"};
    site.require(std::ranges::find(kDirections, direction) != kDirections.end(), ErrorKind::kBadArgument,
                 [&] { return "found direction '" + direction + "', expected EQ, NE, LT, LE, GT or GE"; });
    require_same(site, 1);
    types.push_back({ElementType::kBool, site.shape(0), {}});
}

template <class T>
bool compared(std::string_view direction, T a, T b) {
    if (direction == "EQ") return a == b;
    if (direction == "NE") return a != b;
    if (direction == "LT") return a < b;
    if (direction == "LE") return a <= b;
    if (direction == "GT") return a > b;
    return a >= b;
}

void compare(const KernelUse& use, std::vector<Constant>& results) {
    const auto& direction = use.attributes.get<std::string>("direction");
    Result<std::uint64_t> y(use.types[0]);
    with_number_type(use.operand(0).type().element, [&]<class T>(T) {
        const Numbers<T> a(use.operand(0));
        const Numbers<T> b(use.operand(1));
        for (std::size_t i = 0; i < y.size(); ++i)
            y[i] = compared(direction, a[i], b[i]) ? 1 : 0;
    });
    results.push_back(y.finish());
}

std::string compare_text(const LineUse& use) {
    return "stablehlo.compare " + use.equation.attributes().get<std::string>("direction") + ", " +
           use.names() + ", " + comparison_kind(use.operand_types[0].element) + " : " + use.signature();
}

// ---- select

void infer_select(const Site& site, Types& types) {
    site.require(site.type(0).element == ElementType::kBool, ErrorKind::kElementTypeMismatch,
                 [&] { return "found a predicate of type " + text_of(site.type(0)) + ", expected bool"; });
    require_same(site, 2, 1);
    site.require(site.shape(0).rank() == 0 || site.equal(site.shape(0), site.shape(1)),
                 ErrorKind::kShapeMismatch, [&] {
                     return "found a predicate of type " + text_of(site.type(0)) +
                            ", expected a scalar or the shape of " + text_of(site.type(1));
                 });
    types.push_back(site.type(1));
}

// Bytes, since any element type is chosen alike.
void select(const KernelUse& use, std::vector<Constant>& results) {
    const TensorType& type = use.types[0];
    const auto storage = std::make_shared_for_overwrite<std::byte[]>(ir::byte_size(type));
    const std::size_t width = ir::element_bytes(type.element);
    const auto predicate = use.operand(0).bytes();
    const std::byte* const from[] = {use.operand(1).bytes().data(), use.operand(2).bytes().data()};
    const std::size_t step = use.shape(0).rank() == 0 ? 0 : 1;
    const auto count = static_cast<std::size_t>(type.shape.elements());
    for (std::size_t i = 0; i < count; ++i) {
        const std::byte* const chosen = from[predicate[i * step] != std::byte{0} ? 0 : 1];
        std::copy_n(chosen + i * width, width, storage.get() + i * width);
    }
    results.emplace_back(type, storage);
}

void select_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    const ValueId zero = use.to.full_like(use.cotangent(), 0);
    if (use.is_linear[1]) cotangents[1] = use.to.select(use[0], use.cotangent(), zero);
    if (use.is_linear[2]) cotangents[2] = use.to.select(use[0], zero, use.cotangent());
}

// A scalar predicate of each lane chooses among all its elements.
void batch_select(const BatchUse& use, std::vector<ValueId>& results) {
    ValueId predicate = use[0];
    const Shape lane = use.lane_shape(1);
    if (use.is_mapped[0] && use.lane_shape(0).rank() != lane.rank()) {
        Shape shape{use.size};
        for (const std::int64_t dim : lane)
            shape.push_back(dim);
        predicate = use.to.op("broadcast_in_dim", {predicate},
                              {{"shape", integers_of(shape)}, {"dims", Integers{0}}});
    } else if (!use.is_mapped[0] && lane.rank() != 0 && use.lane_shape(0).rank() != 0) {
        predicate = use.mapped(0);
    }
    results.push_back(use.to.select(predicate, use.mapped(1), use.mapped(2)));
}

std::string select_text(const LineUse& use) {
    return "stablehlo.select " + use.names() + " : " + stablehlo_type(use.operand_types[0]) + ", " +
           stablehlo_type(use.result_types[0]);
}

// ---- clamp

void infer_clamp(const Site& site, Types& types) {
    for (const std::size_t limit : {0U, 2U}) {
        require_domain(site, limit, kNumbers);
        site.require(site.type(limit).element == site.type(1).element, ErrorKind::kElementTypeMismatch, [&] {
            return "found a limit of type " + text_of(site.type(limit)) + ", expected the elements of " +
                   text_of(site.type(1));
        });
        site.require(site.shape(limit).rank() == 0 || site.equal(site.shape(limit), site.shape(1)),
                     ErrorKind::kShapeMismatch, [&] {
                         return "found a limit of type " + text_of(site.type(limit)) +
                                ", expected a scalar or the shape of " + text_of(site.type(1));
                     });
    }
    types.push_back(site.type(1));
}

void clamp(const KernelUse& use, std::vector<Constant>& results) {
    with_number_type(use.types[0].element, [&]<class T>(T) {
        const Numbers<T> low(use.operand(0));
        const Numbers<T> x(use.operand(1));
        const Numbers<T> high(use.operand(2));
        Result<T> y(use.types[0]);
        const std::size_t low_step = use.shape(0).rank() == 0 ? 0 : 1;
        const std::size_t high_step = use.shape(2).rank() == 0 ? 0 : 1;
        for (std::size_t i = 0; i < y.size(); ++i)
            y[i] = extreme<false>(extreme<true>(x[i], low[i * low_step]), high[i * high_step]);
        results.push_back(y.finish());
    });
}

// A scalar spread to the shape of another value; itself where it has it.
ValueId spread_like(FlatBuilder& to, ValueId scalar, ValueId value) {
    return to.broadcast(scalar, to.shape(value));
}

// The limits as tensors like the operand.
void clamp_jvp(const JvpUse& use, std::span<Tangent> tangents) {
    FlatBuilder& to = use.to;
    const ValueId x = use[1];
    const ValueId zero = to.full_like(x, 0);
    const ValueId low = spread_like(to, use[0], x);
    const ValueId high = spread_like(to, use[2], x);
    const auto add = [&](std::size_t i, ValueId mask) {
        const ValueId tangent = spread_like(to, *use.tangents[i], x);
        tangents[0] = sum_of(to, tangents[0], to.select(mask, tangent, zero));
    };
    if (use.tangents[1]) add(1, to.op("and", {to.compare("GT", x, low), to.compare("LT", x, high)}));
    if (use.tangents[0]) add(0, to.compare("GT", low, x));
    if (use.tangents[2]) add(2, to.compare("LT", high, x));
}

void batch_clamp(const BatchUse& use, std::vector<ValueId>& results) {
    const ValueId x = use.mapped(1);
    const Shape shape = use.to.shape(x);
    const auto limit = [&](std::size_t i) {
        if (!use.is_mapped[i] && use.to.shape(use[i]).rank() == 0) return use[i];
        const ValueId mapped = use.mapped(i);
        if (use.to.shape(mapped).rank() == shape.rank()) return mapped;
        return ValueId(
            use.to.op("broadcast_in_dim", {mapped}, {{"shape", integers_of(shape)}, {"dims", Integers{0}}}));
    };
    results.push_back(use.to.op("clamp", {limit(0), x, limit(2)}));
}

}  // namespace

std::span<const Primitive> choice_primitives() {
    static const Primitive kRows[] = {
        {.name = "is_finite",
         .infer = infer_is_finite,
         .compute = is_finite,
         .derivative = zero_jvp,
         .batch = batch_elementwise,
         .text = [](const LineUse& use) { return use.line("is_finite"); }},
        {.name = "compare",
         .operands = {2, 2},
         .attributes = {{"direction", AttributeKind::kString}},
         .infer = infer_compare,
         .compute = compare,
         .derivative = zero_jvp,
         .batch = batch_elementwise,
         .text = compare_text},
        {.name = "select",
         .operands = {3, 3},
         .infer = infer_select,
         .compute = select,
         .derivative = {linear_jvp, select_transpose, 0b110},
         .batch = batch_select,
         .text = select_text},
        {.name = "clamp",
         .operands = {3, 3},
         .infer = infer_clamp,
         .compute = clamp,
         .derivative = clamp_jvp,
         .batch = batch_clamp,
         .text = [](const LineUse& use) { return use.line("clamp"); }},
    };
    return kRows;
}

}  // namespace tilemeter::trace::internal
