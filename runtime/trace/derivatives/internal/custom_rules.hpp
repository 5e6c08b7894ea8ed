// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations that programs register, under derivatives and vmap: what their own rules say.
//
// A rule `vjp` is linear in cotangents and opaque to the transposer. So the linear part of a function has an equation of
// its own kind for it, kCustomLinear: operands, results and tangents of the operands -> tangents of the results. It
// stands in graphs that are about to be transposed, and in no others.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "runtime/trace/calls/custom_operation.hpp"
#include "runtime/trace/primitives/internal/rules.hpp"

namespace tilemeter::trace::internal {

inline constexpr std::string_view kCustomCall = "custom_call";
inline constexpr std::string_view kCustomLinear = "custom_linear";

/// True for operations that derivatives and vmap do not take apart by their rule `lower`.
bool has_derivative(const CustomOperation& custom);
bool has_batch(const CustomOperation& custom);

/// One custom_call with the tangents of its operands, and where its tangents go.
struct CustomUse {
    FlatBuilder& to;
    std::span<const ValueId> operands;
    std::span<const ValueId> results;
    const Attributes& attributes;  ///< with the target
    std::span<const Tangent> tangents;
};

/// Tangents of the results. `for_transpose`: the rule vjp is wanted, and kCustomLinear is what stands for it.
/// Throws ir::Error (kNoRule), TraceError (kBadResult).
std::vector<Tangent> custom_jvp(const CustomUse& use, bool for_transpose);

/// Cotangents of the operands of a kCustomLinear; of those that are no tangents none.
std::vector<Tangent> transposed_custom(FlatBuilder& to, std::span<const ValueId> operands,
                                       const Attributes& attributes, std::span<const Tangent> cotangents);

/// The results, all of them mapped. Throws ir::Error (kNoRule), TraceError (kBadResult).
std::vector<ValueId> custom_batch(FlatBuilder& to, std::span<const ValueId> operands,
                                  const std::vector<bool>& is_mapped, std::int64_t lanes,
                                  const Attributes& attributes, std::span<const TensorType> lane_types);

}  // namespace tilemeter::trace::internal
