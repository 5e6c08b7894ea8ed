// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Calls on arrays: operations as people write them, with NumPy's rules for broadcasting, element types and negative
// axes. Each is a definition of two answers, the types of its results (call_inference.cpp) and its formula in flat
// primitives (lowering_*.cpp); README.md has the table.
//
// Thread safety: any thread, any time.

#pragma once

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

}  // namespace tilemeter::trace
