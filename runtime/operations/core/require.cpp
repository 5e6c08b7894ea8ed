// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/require.hpp"

#include <exception>

#include "runtime/device/query_shadow.hpp"

namespace tilemeter {

namespace {

std::string joined(std::initializer_list<std::string> parts) {
    std::string message;
    for (const std::string& part : parts)
        message += part;
    return message;
}

}  // namespace

void internal::refuse_joined(std::initializer_list<std::string> parts) {
    throw RuntimeError(joined(parts));
}

void internal::refuse_unmodelled_joined(std::initializer_list<std::string> parts) {
    const auto error = std::make_exception_ptr(NotModelledError(joined(parts)));
    if (QueryShadow* const query = QueryShadow::current()) query->note_refusal(error);
    std::rethrow_exception(error);
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
