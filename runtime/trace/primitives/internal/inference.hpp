// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Parts of the rules that say what types the results of primitives have. Messages name both shapes or types.

#pragma once

#include "runtime/trace/primitives/internal/site.hpp"

namespace tilemeter::trace::internal {

/// Element types that an operation takes, as a set of bits.
enum Domain : unsigned {
    kFloats = 1,
    kSigned = 2,
    kUnsigned = 4,
    kBools = 8,
    kIntegers = kSigned | kUnsigned,
    kNumbers = kFloats | kIntegers,
    kBits = kIntegers | kBools,
    kAll = kNumbers | kBools
};

bool is_in(Domain domain, ElementType element);

/// Throws Error (kElementTypeMismatch).
void require_domain(const Site& site, std::size_t operand, Domain domain);
/// Throws Error (kElementTypeMismatch, kShapeMismatch) where the operand is not of the first one's type.
void require_same(const Site& site, std::size_t operand, std::size_t as = 0);
/// The axis counted from 0. Throws Error (kBadArgument) where it is not one of a tensor of this rank.
std::size_t checked_axis(const Site& site, std::int64_t axis, std::size_t rank);
/// Distinct axes. Throws Error (kBadArgument).
void require_axes(const Site& site, const Integers& axes, std::size_t rank, std::string_view what);

/// Operands of one type, results of the same.
void infer_same(const Site& site, Types& types, Domain domain);
template <unsigned kDomain>
void infer_same(const Site& site, Types& types) {
    infer_same(site, types, static_cast<Domain>(kDomain));
}

/// "found shapes [2] and [3]"
std::string found_shapes(const Shape& a, const Shape& b);

/// No bound that an expression would have to keep.
inline constexpr std::int64_t kNoBound = -(1LL << 40);
/// Integers and, optional, their default: one for each dimension. Throws Error (kBadArgument).
Integers per_dimension(const Site& site, std::string_view attribute, std::size_t count,
                       std::int64_t otherwise, std::int64_t least);

}  // namespace tilemeter::trace::internal
