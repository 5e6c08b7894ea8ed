// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The questions of derivatives and vmap to a flat primitive: the rules in its row (primitive.hpp).
//
//   jvp        tangents of the results from tangents of the operands; the primal results are there already
//   transpose  of an equation that is linear in some operands: their cotangents from those of the results
//   batch      the equation with a mapped axis, which is axis 0 of all that is mapped
//
// Rules append equations, by a FlatBuilder. Only floats have tangents: a rule sees none of other types, and what
// it says about results of other types is not looked at.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "capture/ir/decide.hpp"
#include "runtime/trace/primitives/flat_builder.hpp"
#include "runtime/trace/primitives/internal/site.hpp"

namespace tilemeter::trace::internal {

using ir::Attributes;
using ir::ElementType;
using ir::Integers;
using ir::Shape;
using ir::TensorType;
using ir::ValueId;

/// A tangent or cotangent; none is zero, and no equation.
using Tangent = std::optional<ValueId>;

struct Primitive;

/// One equation with the tangents of its operands, at least one of which is there.
struct JvpUse {
    FlatBuilder& to;
    const Primitive& primitive;
    std::span<const ValueId> operands;
    ir::ValueRange results;
    const Attributes& attributes;
    std::span<const Tangent> tangents;

    ValueId operator[](std::size_t i) const { return operands[i]; }
    [[nodiscard]] ValueId result() const { return results; }
    /// The equation's primitive with other operands.
    [[nodiscard]] ir::ValueRange again(std::span<const ValueId> with) const;
};
/// `tangents` has one for each result, none of them set.
using JvpRule = void (*)(const JvpUse& use, std::span<Tangent> tangents);

/// One equation that is linear in some of its operands, with the cotangents of its results, at least one of which is
/// there.
struct TransposeUse {
    FlatBuilder& to;
    const Primitive& primitive;
    std::span<const ValueId> operands;  ///< a linear one has a type and nothing else
    const std::vector<bool>& is_linear;
    const Attributes& attributes;
    std::span<const Tangent> cotangents;

    ValueId operator[](std::size_t i) const { return operands[i]; }
    [[nodiscard]] ValueId cotangent() const { return *cotangents[0]; }
};
/// `cotangents` has one for each operand, none of them set; only those of linear operands are looked at.
using TransposeRule = void (*)(const TransposeUse& use, std::span<Tangent> cotangents);

/// One equation, at least one operand of which is mapped.
struct BatchUse {
    FlatBuilder& to;
    const Primitive& primitive;
    std::span<const ValueId> operands;
    const std::vector<bool>& is_mapped;
    std::int64_t size;  ///< of the mapped axis
    const Attributes& attributes;

    ValueId operator[](std::size_t i) const { return operands[i]; }
    /// The operand with axis 0 mapped, repeated along it if it was not.
    [[nodiscard]] ValueId mapped(std::size_t i) const;
    /// The shape of one lane.
    [[nodiscard]] Shape lane_shape(std::size_t i) const;
    /// The equation's primitive with other operands and attributes.
    [[nodiscard]] ir::ValueRange again(std::span<const ValueId> with, const Attributes& attributes) const;
};
/// Appends the results, all of them mapped.
using BatchRule = void (*)(const BatchUse& use, std::vector<ValueId>& results);

inline constexpr std::uint32_t kAllOperands = ~std::uint32_t{0};

// ---- rules of more than one family

/// Derivative 0 wherever there is one.
void zero_jvp(const JvpUse& use, std::span<Tangent> tangents);
/// The same primitive of the tangents, zeros where one has none.
void linear_jvp(const JvpUse& use, std::span<Tangent> tangents);
/// Linear in each operand by itself: the sum of the primitive with one operand's tangent in its place.
void product_jvp(const JvpUse& use, std::span<Tangent> tangents);
/// All operands mapped, the attributes as they are.
void batch_elementwise(const BatchUse& use, std::vector<ValueId>& results);
/// The same with other attributes.
void batch_mapped(const BatchUse& use, const Attributes& attributes, std::vector<ValueId>& results);
/// The same along an axis, which is one behind the mapped one.
void batch_axis(const BatchUse& use, std::vector<ValueId>& results);

// ---- parts of rules

/// The extent with dilation - 1 elements between each two.
inline Dim dilated(Dim extent, Dim dilation) {
    if (extent == Dim(0) || dilation == Dim(1)) return extent;
    const Dim spread = (extent - 1) * dilation + 1;
    return ir::is_less_equal(1, extent, nullptr) ? spread : max(spread, 0);
}

inline Integers integers_of(const Shape& shape) {
    return {shape.begin(), shape.end()};
}
/// 0, 1, ... count - 1
Integers counted(std::size_t count, std::int64_t first = 0);
/// The axes that are not named, in order.
Integers other_axes(std::size_t rank, const Integers& axes);
/// Each number plus one; `before`, if given, first.
Integers shifted(const Integers& numbers);
Integers shifted(std::int64_t before, const Integers& numbers);
Attributes with(Attributes attributes, std::string_view name, ir::Attribute value);

/// The sum, of which none, one or both may be there.
Tangent sum_of(FlatBuilder& to, Tangent a, Tangent b);
/// Zeros where there is none.
ValueId materialized(FlatBuilder& to, Tangent tangent, const TensorType& type);
/// The value with another order of axes: axis i becomes axis to_axis[i].
ValueId with_axes_at(FlatBuilder& to, ValueId value, const Integers& to_axis);

}  // namespace tilemeter::trace::internal
