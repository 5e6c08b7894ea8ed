// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The definition of a call, and the parts that inference and lowering share.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "runtime/trace/primitives/flat_builder.hpp"
#include "runtime/trace/primitives/internal/site.hpp"

namespace tilemeter::trace::internal {

using ir::ValueId;

/// One equation on its way into flat primitives.
struct CallUse {
    FlatBuilder& to;
    std::span<const ValueId> operands;  ///< in the flat graph
    const ir::Attributes& attributes;
    const TensorType& type;  ///< of the result, as inferred

    ValueId operator[](std::size_t i) const { return operands[i]; }
};
using Lowering = ValueId (*)(const CallUse& use);

struct CallDefinition {
    const char* name;
    ir::Arity operands;
    std::vector<ir::AttributeRule> attributes;
    Infer infer;
    Lowering lower;
    /// The universal functions of NumPy that the call is, with blanks between; "divmod/1" is the second result of divmod.
    std::string_view numpy = {};
    /// The functions of torch that it is: "special.erf".
    std::string_view torch = {};
};

/// All calls by the tables of their families.
const std::vector<CallDefinition>& call_definitions();
std::vector<CallDefinition> elementwise_calls();
std::vector<CallDefinition> formula_calls();
std::vector<CallDefinition> shape_calls();
std::vector<CallDefinition> composite_calls();
std::vector<CallDefinition> random_calls();

/// Null if there is no call of this name that holds no graphs.
Lowering find_lowering(std::string_view call);

// ---- rules of NumPy, for inference (refusing in the name of a site) and for lowering (what was inferred holds)

/// Throws Error (kShapeMismatch).
Shape broadcast_shape(const Site& site, std::span<const std::size_t> operands);
/// An axis that may be negative, from 0. Throws Error (kBadArgument).
std::int64_t normal_axis(const Site& site, std::int64_t axis, std::size_t rank);
inline std::int64_t normal_axis(std::int64_t axis, std::size_t rank) {
    return axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
}
/// The axes of a reduction, from 0 in order; all of them where the attribute is missing.
Integers reduced_axes(const ir::Attributes& attributes, std::size_t rank);

/// The type that arithmetic with fractions has: floats as they are, all else f64.
ElementType fractional(ElementType element);
/// The type that sums have: bool and integers in 64 bits, as NumPy has it.
ElementType summed(ElementType element);

// ---- inference
void infer_numbers(const Site& site, Types& types);    ///< common element type and shape
void infer_fractions(const Site& site, Types& types);  ///< the same, as fractions
void infer_truths(const Site& site, Types& types);     ///< the same, as bool
void infer_no_bool(const Site& site, Types& types);    ///< numbers but bool
void infer_i8_of_bool(const Site& site,
                      Types& types);  ///< numbers; of bool i8, as NumPy's powers and quotients are
void infer_bits(const Site& site, Types& types);   ///< integers or bool
void infer_shift(const Site& site, Types& types);  ///< integers; of bool i8
void infer_where(const Site& site, Types& types);
void infer_matmul(const Site& site, Types& types);
void infer_sum(const Site& site, Types& types);
void infer_mean(const Site& site, Types& types);
void infer_extreme(const Site& site, Types& types);
void infer_any(const Site& site, Types& types);
void infer_arg_extreme(const Site& site, Types& types);
void infer_call_cumsum(const Site& site, Types& types);
void infer_call_reshape(const Site& site, Types& types);
void infer_call_transpose(const Site& site, Types& types);
void infer_broadcast_to(const Site& site, Types& types);
void infer_concat(const Site& site, Types& types);
void infer_call_slice(const Site& site, Types& types);
void infer_call_pad(const Site& site, Types& types);
void infer_call_gather(const Site& site, Types& types);
void infer_embedding(const Site& site, Types& types);
void infer_one_hot(const Site& site, Types& types);
void infer_call_iota(const Site& site, Types& types);
void infer_along_axis(const Site& site, Types& types);  ///< fractions of the operand's shape; axis is checked
void infer_layer_norm(const Site& site, Types& types);
void infer_flip(const Site& site, Types& types);
void infer_call_sort(const Site& site, Types& types);

/// Starts, limits and strides of a slice: negative places count from the end.
struct SliceBounds {
    Integers starts, limits, strides;
};
SliceBounds slice_bounds(const ir::Attributes& attributes, const Shape& shape,
                         const ir::Constraints* constraints);

}  // namespace tilemeter::trace::internal
