// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The types of the results of the flat primitives. Messages name both shapes or types.

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

/// Operands of one type, results of the same.
void infer_same(const Site& site, Types& types, Domain domain);
/// Throws Error (kElementTypeMismatch).
void require_domain(const Site& site, std::size_t operand, Domain domain);
/// Throws Error (kElementTypeMismatch, kShapeMismatch) where the operand is not of the first one's type.
void require_same(const Site& site, std::size_t operand, std::size_t as = 0);
/// The axis counted from 0. Throws Error (kBadArgument) where it is not one of a tensor of this rank.
std::size_t checked_axis(const Site& site, std::int64_t axis, std::size_t rank);
/// Distinct axes. Throws Error (kBadArgument).
void require_axes(const Site& site, const Integers& axes, std::size_t rank, std::string_view what);

// each the rule of the primitive, or the primitives, that its name says
void infer_compare(const Site& site, Types& types);
void infer_select(const Site& site, Types& types);
void infer_clamp(const Site& site, Types& types);
void infer_convert(const Site& site, Types& types);
void infer_bitcast(const Site& site, Types& types);
void infer_dot_general(const Site& site, Types& types);
void infer_convolution(const Site& site, Types& types);
void infer_reshape(const Site& site, Types& types);
void infer_transpose(const Site& site, Types& types);
void infer_broadcast_in_dim(const Site& site, Types& types);
void infer_slice(const Site& site, Types& types);
void infer_pad(const Site& site, Types& types);
void infer_concatenate(const Site& site, Types& types);
void infer_reverse(const Site& site, Types& types);
void infer_dynamic_slice(const Site& site, Types& types);
void infer_dynamic_update_slice(const Site& site, Types& types);
void infer_gather(const Site& site, Types& types);
void infer_scatter(const Site& site, Types& types);
void infer_iota(const Site& site, Types& types);
void infer_full(const Site& site, Types& types);
void infer_dimension(const Site& site, Types& types);
void infer_reduce(const Site& site, Types& types, Domain domain);
void infer_arg_reduce(const Site& site, Types& types);
void infer_reduce_window(const Site& site, Types& types);
void infer_select_and_scatter(const Site& site, Types& types);
void infer_cumsum(const Site& site, Types& types);
void infer_sort(const Site& site, Types& types);
void infer_top_k(const Site& site, Types& types);
void infer_threefry(const Site& site, Types& types);

/// The extent of one dimension under a window: padded, dilated, in strides. REQUIRES: stride, dilations >= 1
std::int64_t window_count(std::int64_t extent, std::int64_t low, std::int64_t high,
                          std::int64_t base_dilation, std::int64_t window, std::int64_t window_dilation,
                          std::int64_t stride);

}  // namespace tilemeter::trace::internal
