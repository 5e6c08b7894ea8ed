// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Calls on arrays: operations as people write them, with NumPy's rules for broadcasting, element types and negative
// axes. Each is a definition of two answers, the types of its results (call_inference.cpp) and its formula in flat
// primitives (lowering_*.cpp).
//
// Thread safety: any thread, any time.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "capture/ir/operation_set.hpp"

namespace tilemeter::trace {

inline constexpr std::string_view kCall = "call";

/// Calls of this prefix are flat primitives as they are: "flat.dot_general".
inline constexpr std::string_view kFlatPrefix = "flat.";

const ir::OperationSet& call_operations();

/// The element type that values of both have in common, as NumPy chooses it: bool below integers below floats, the
/// wider of two that are alike, a wider float where f16 or f32 do not hold the integers, f64 for signed with u64;
/// f32 for f16 with bf16, and bf16 with all integers, for which NumPy has no rule.
ir::ElementType promoted(ir::ElementType a, ir::ElementType b);

/// The element type of a function's result, by that which its operands have in common.
enum class ResultRule : std::uint8_t {
    kNumbers,    ///< the same
    kFractions,  ///< floats as they are, f64 of all else
    kTruths,     ///< bool
    kOther       ///< a rule of its own, or operands that are no floats
};

/// A call that is a function of its operands alone, or of axes to reduce: what bindings make functions, methods, NumPy's and
/// torch's own functions of.
struct CallFunction {
    std::string_view name;  ///< of the call
    std::size_t operands;
    bool is_reduction;  ///< takes axes and keepdims
    ResultRule result;
    std::string_view
        numpy;  ///< NumPy's universal functions, with blanks between; "divmod/1" is its second result
    std::string_view torch;  ///< torch's functions: "special.erf"
};

const std::vector<CallFunction>& call_functions();

}  // namespace tilemeter::trace
