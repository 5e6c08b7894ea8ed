// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compat/src/fatal.hpp"

#include <exception>
#include <utility>

#include "runtime/device/errors.hpp"

namespace tilemeter::compat {

namespace {

std::string text_of(std::string_view macro, std::string_view condition, const std::source_location& place,
                    std::string_view text) {
    std::string_view file = place.file_name();
    file.remove_prefix(file.rfind('/') + 1);  // not where it was built
    std::string whole(macro);
    whole.append(" @ ").append(file).append(":").append(std::to_string(place.line())).append(": ");
    return whole.append(condition).append("\ninfo:\n").append(text);
}

constexpr std::string_view kThrown = "tt::exception";

constinit thread_local ClientCall* outermost_call = nullptr;

}  // namespace

ClientCall::ClientCall() {
    if (outermost_call == nullptr) outermost_call = this;
}

ClientCall::~ClientCall() {
    if (outermost_call == this) outermost_call = nullptr;
}

void ClientCall::end() {
    if (thrown_ != nullptr) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

bool ClientCall::keep_thrown() {
    if (outermost_call == nullptr) return false;
    if (outermost_call->thrown_ == nullptr) outermost_call->thrown_ = std::current_exception();
    return true;
}

void refuse_as_fatal(std::string_view condition, const std::string& text, std::source_location place) {
    throw Fatal(text_of("TT_FATAL", condition, place, text));
}

void refuse_as_thrown(const std::string& text, std::source_location place) {
    throw Fatal(text_of("TT_THROW", kThrown, place, text));
}

void rethrow_as_fatal(std::string_view condition, const std::source_location& place) {
    try {
        throw;
    } catch (const ProgramMemoryClashError& error) {
        std::throw_with_nested(Fatal(text_of("TT_THROW", kThrown, place, error.what())));
    } catch (const ProgramMemoryTooLargeError& error) {
        std::throw_with_nested(Fatal(text_of("TT_THROW", kThrown, place, error.what())));
    } catch (const RuntimeError& error) {
        std::throw_with_nested(Fatal(text_of("TT_FATAL", condition, place, error.what())));
    }
}

}  // namespace tilemeter::compat
