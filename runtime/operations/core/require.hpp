// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Refusing the arguments of operations.
//
//     require(shape.rank() == 4, [&] { return "Input tensor must be 4D, but got shape " + shape.to_string(); });
//     if (expand) refuse("rotate", "expand", "False", "True");
//
// A message is made only when it is needed: good calls are checked on every planned call and build no text.
// Where TT-NN refuses the same arguments, the message is TT-NN's; otherwise it has the form of refuse().
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include "runtime/types/runtime_error.hpp"

namespace tilemeter {

/// Throws RuntimeError with what `make_message` returns (a std::string) unless `holds`.
template <typename MakeMessage>
requires std::invocable<MakeMessage>
void require(bool holds, MakeMessage make_message) {
    if (!holds) [[unlikely]]
        throw RuntimeError(make_message());
}
/// The same with a message that needs no making.
inline void require(bool holds, const char* message) {
    if (!holds) [[unlikely]]
        throw RuntimeError(message);
}

/// Throws RuntimeError "operation: argument: expected ..., got ...". `argument` may be empty.
[[noreturn]] void refuse(std::string_view operation, std::string_view argument, std::string_view expected,
                         std::string_view got);

}  // namespace tilemeter
