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
    "grad_needs_scalar",
    "grad_needs_float",
    "not_reversible",
    "no_rule",
    "syntax",
    "foreign_text",
    "file"};
static_assert(!kNames.back().empty(), "a name for each kind");

std::string one_line(const std::string& message) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string line;
    for (const char c : message) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte != 0x7f)
            line += c;
        else
            ((line += "\\x") += kDigits[byte >> 4]) += kDigits[byte & 15];
    }
    return line;
}

}  // namespace

Error::Error(ErrorKind kind, const std::string& message)
    : std::runtime_error(one_line(message)), kind_(kind) {}

std::string_view name_of(ErrorKind kind) {
    return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace tilemeter::ir
