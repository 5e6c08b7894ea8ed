// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Refusing the arguments of operations.
//
//     require(shape.rank() == 4, "Input tensor must be 4D, but got shape ", shape);
//     if (expand) refuse("rotate", "expand", "False", "True");
//
// A message is made only when it is needed: good calls are checked on every planned call and build no text.
// Where a part of it can only be had when the arguments are refused, a function makes it:
//
//     require(!mask || mask->rank() == 4, [&] { return "mask: got " + mask->to_string(); });
//
// For arguments that TT-NN refuses, too, the message is TT-NN's; otherwise it has the form of refuse().

#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

#include "runtime/types/runtime_error.hpp"

namespace tilemeter {

namespace internal {

inline std::string message_part(std::string_view text) {
    return std::string(text);
}
template <typename Number>
requires std::is_arithmetic_v<Number> std::string message_part(Number number) {
    return std::to_string(number);
}
template <typename Value>
requires requires(const Value& value) {
    value.to_string();
}
std::string message_part(const Value& value) {
    return value.to_string();
}

[[noreturn]] void refuse_joined(std::initializer_list<std::string> parts);
[[noreturn]] void refuse_unmodelled_joined(std::initializer_list<std::string> parts);

}  // namespace internal

/// Throws RuntimeError. The message: these texts, numbers and what has to_string(), one after the other.
template <typename... Parts>
[[noreturn]] void refuse_with(const Parts&... message) {
    internal::refuse_joined({internal::message_part(message)...});
}
/// The same unless `holds`.
template <typename... Parts>
void require(bool holds, const Parts&... message) {
    if (!holds) [[unlikely]]
        refuse_with(message...);
}
/// The same for what the device does and the model does not: throws NotModelledError.
template <typename... Parts>
[[noreturn]] void refuse_unmodelled(const Parts&... message) {
    internal::refuse_unmodelled_joined({internal::message_part(message)...});
}
template <typename... Parts>
void require_modelled(bool holds, const Parts&... message) {
    if (!holds) [[unlikely]]
        refuse_unmodelled(message...);
}
/// require() with what `make_message` returns (a std::string).
template <typename MakeMessage>
requires std::invocable<MakeMessage>
void require(bool holds, MakeMessage make_message) {
    if (!holds) [[unlikely]]
        throw RuntimeError(make_message());
}

/// Throws RuntimeError "operation: argument: expected ..., got ...". `argument` may be empty.
[[noreturn]] void refuse(std::string_view operation, std::string_view argument, std::string_view expected,
                         std::string_view got);

}  // namespace tilemeter
