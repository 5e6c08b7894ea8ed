// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/error.hpp"

#include <array>
#include <cstddef>

namespace tilemeter::ir {

namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(ErrorKind::kCount)> kNames = {
    "undefined_value",
    "cycle",
    "type_mismatch",
    "wrong_arity",
    "unknown_operation",
    "bad_attribute",
    "bad_subgraph",
    "bad_name",
    "bad_constant",
    "too_deep",
    "too_large",
    "shape_mismatch",
    "dtype_mismatch",
    "bad_argument",
    "predicate_not_scalar",
    "predicate_not_bool",
    "branch_type_mismatch",
    "carry_type_changed",
    "length_mismatch",
    "syntax",
    "foreign_text",
    "file"};
static_assert(!kNames.back().empty(), "a name for each kind");

}  // namespace

std::string_view name_of(ErrorKind kind) {
    return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace tilemeter::ir
