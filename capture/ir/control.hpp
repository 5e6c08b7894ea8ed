// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations that hold subgraphs: which value of the equation becomes which parameter, and which result comes
// back as which. One description serves the verifier, dead code and type inference.
//
//   call                       cond (kBranch)             while                     scan
//   operands  a b              pred a b                   consts k, carry c         consts k, carry c, inputs x
//             | |                   | |                     | |                       |  |  | row by row
//   body    ( a b )            then(a b) else(a b)        cond(k c) -> bool         body(k c x_i)
//             | |                   | |                   body(k c) -> c              -> c, y_i
//   results   r s                   r s                   last c                    last c, y stacked
//
// Attributes: n_consts of while; n_consts, n_carry, length and, optional, reverse of scan. All are integers but
// reverse, a bool.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/ir/operation_set.hpp"

namespace tilemeter::ir {

inline constexpr std::string_view kConstsAttribute = "n_consts";
inline constexpr std::string_view kCarryAttribute = "n_carry";
inline constexpr std::string_view kLengthAttribute = "length";
inline constexpr std::string_view kReverseAttribute = "reverse";

inline constexpr std::string_view kBody = "body";
inline constexpr std::string_view kCond = "cond";
inline constexpr std::string_view kThen = "then";
inline constexpr std::string_view kElse = "else";
inline constexpr std::string_view kBranchPrefix = "branch_";  ///< and a number, from 0 without gaps

/// An operation that holds subgraphs, with the attributes that its kind of control needs; what is special about it
/// (effects, can_inline) is the caller's to add. REQUIRES: control is not kNone
Operation control_operation(std::string name, Control control);

/// The operands of a holder in their parts: choice (0 or 1), then consts, carry and the rest, which is passed as
/// it is (kCall, kBranch) or row by row (kScan). All but the choice are the subgraphs' parameters, in order.
struct ControlOperands {
    std::size_t choice = 0;
    std::size_t consts = 0;
    std::size_t carry = 0;
    std::size_t rest = 0;
};

/// Throws Error (kWrongAttribute, kWrongArity) where the attributes do not fit the number of operands.
ControlOperands control_operands(Control control, std::size_t operands, const Attributes& attributes);

/// Throws Error (kWrongSubgraph) where subgraphs are missing, unknown, null or, being branches, not in order.
void check_subgraph_names(const Operation& operation, std::span<const Subgraph> subgraphs);

/// The types of the results of a holder, appended to `types`. Throws Error: a predicate that is no scalar or no
/// bool or integer, arguments that do not fit the subgraphs' parameters, branches of different types, a carry
/// that changes its type, inputs of another length. REQUIRES: check_use() passes
void infer_control(const Operation& operation, const OperationUse& use, std::vector<TensorType>& types);

}  // namespace tilemeter::ir
