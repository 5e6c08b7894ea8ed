// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Elementwise functions as texts: "x * logistic(x)".
//
// Operators, by rank: || && == != < <= > >= + - * / and unary -; functions: the unary primitives, and min, max, pow, atan2,
// rem, select(condition, yes, no), trunc. Numbers stay numbers until they meet a tensor. Comparisons make truth values.
//
// Thread safety: any thread, any time.

#pragma once

#include <functional>
#include <string_view>
#include <variant>

#include "runtime/trace/primitives/flat_builder.hpp"

namespace tilemeter::trace::lowering {

/// A tensor or a number.
using Operand = std::variant<ir::ValueId, double>;
/// The operand of a name.
using Lookup = std::function<Operand(std::string_view name)>;

/// All tensors must have one shape, and all that are no truth values one element type. Throws ir::Error (kBadArgument) where
/// the text is none.
Operand write_formula(FlatBuilder& to, std::string_view formula, const Lookup& lookup);

/// True if the formula can be computed in integers: it has neither functions of floats nor broken numbers.
bool takes_integers(std::string_view formula);

}  // namespace tilemeter::trace::lowering
