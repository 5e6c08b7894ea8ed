// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// One row for each flat primitive: all that is known of it, in one place, but what a device makes of it (device/place).
//
//   attributes, infer      what a use must have, and the types of its results      inference.hpp
//   compute                the values of its results, on the host                  kernel.hpp
//   derivative, batch      tangents and the way back; all lanes at once            rules.hpp
//   text                   how StableHLO says it                                   stablehlo_text.hpp
//
// A row has each column: where there is nothing to say, the reason.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "capture/ir/operation_set.hpp"
#include "runtime/trace/primitives/internal/column.hpp"
#include "runtime/trace/primitives/internal/kernel.hpp"
#include "runtime/trace/primitives/internal/rules.hpp"
#include "runtime/trace/primitives/internal/site.hpp"
#include "runtime/trace/primitives/internal/stablehlo_text.hpp"

namespace tilemeter::trace::internal {

/// The tangents of the results, and the way back from these.
struct Derivative {
    /// `operands`: see `linear`.
    Derivative(JvpRule rule, Column<TransposeRule> back = kNotLinear, std::uint32_t operands = 0)
        : jvp(rule), transpose(back), linear(operands) {}
    Derivative(Reason why) : jvp(why), transpose(why) {}

    Column<JvpRule> jvp;
    Column<TransposeRule> transpose;
    /// Operands in which it is linear together, as bits: those that linear_jvp() replaces.
    std::uint32_t linear = 0;
};

struct Primitive {
    std::string_view name;
    ir::Arity operands{1, 1};
    ir::Arity results{1, 1};
    std::vector<ir::AttributeRule> attributes{};
    bool any_attributes = false;
    ir::Effects effects = ir::Effects::kNone;
    ir::Control control = ir::Control::kNone;
    bool can_inline = false;
    /// Floats of any one type in, the same type out, no attributes: nothing has to be inferred.
    bool is_of_one_type = false;
    /// True if compute takes one element for an operand whose elements are all equal.
    bool takes_one_element = false;

    Column<Infer> infer;
    Column<Kernel> compute;
    Derivative derivative;
    Column<BatchRule> batch;
    Text text;
};

/// Null if there is no primitive of this name.
const Primitive* find_primitive(std::string_view name);
/// All rows, family by family.
std::span<const Primitive* const> all_primitives();

/// The row in a set of operations.
ir::Operation operation_of(const Primitive& row);

// The families, each the rows of one source.
std::span<const Primitive> elementwise_primitives();
std::span<const Primitive> bits_primitives();
std::span<const Primitive> choice_primitives();
std::span<const Primitive> conversion_primitives();
std::span<const Primitive> product_primitives();
std::span<const Primitive> movement_primitives();
std::span<const Primitive> dynamic_slice_primitives();
std::span<const Primitive> gather_primitives();
std::span<const Primitive> creation_primitives();
std::span<const Primitive> reduction_primitives();
std::span<const Primitive> window_primitives();
std::span<const Primitive> order_primitives();
std::span<const Primitive> random_primitives();
/// Those that hold graphs: any set that has graphs has them as well.
std::span<const Primitive> control_primitives();
std::span<const Primitive> custom_primitives();

/// Appends the types of the results of a custom_call by the operation of this name, which has `target` among its attributes;
/// false: none of this name is registered.
using CustomTypes = bool (*)(const std::string& target, const ir::OperationUse& use, Types& types);
/// Whoever registers operations lies above (calls/custom_operation). Any thread, before the first is registered.
void hand_in_custom_types(CustomTypes types);

// ---- attributes in rows

inline ir::AttributeRule integer(const char* name) {
    return {name, ir::AttributeKind::kInteger};
}
inline ir::AttributeRule integers(const char* name) {
    return {name, ir::AttributeKind::kIntegers};
}
inline ir::AttributeRule element_type() {
    return {"dtype", ir::AttributeKind::kElementType};
}
inline ir::AttributeRule optional(ir::AttributeRule rule) {
    rule.required = false;
    return rule;
}

}  // namespace tilemeter::trace::internal
