// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/require.hpp"

namespace tilemeter {

void internal::refuse_joined(std::initializer_list<std::string> parts) {
    std::string message;
    for (const std::string& part : parts)
        message += part;
    throw RuntimeError(message);
}

void refuse(std::string_view operation, std::string_view argument, std::string_view expected,
            std::string_view got) {
    std::string message(operation);
    message += ": ";
    if (!argument.empty()) message.append(argument).append(": ");
    message.append("expected ").append(expected).append(", got ").append(got);
    throw RuntimeError(message);
}

}  // namespace tilemeter
