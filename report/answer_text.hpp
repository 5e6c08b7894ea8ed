// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>

namespace tilemeter::report {

/// The calling thread's answer. A pointer, since what threads have of their own lies in a room that libraries loaded late share.
inline std::string& answer_of_thread() {
    static constinit thread_local std::string* said = nullptr;
    if (said == nullptr) said = new std::string;
    return *said;
}

/// The form of answers of functions in C: runs `body`, whose text says what is wrong, as does an exception. Null: all
/// went well. The text is valid until the thread's next call; it is not destroyed with the thread, for captures end at
/// the process's exit, too.
template <typename Body>
const char* answer_text(Body body) noexcept {
    std::string& said = answer_of_thread();
    try {
        said = body();
    } catch (const std::exception& error) {
        said = error.what();
    }
    return said.empty() ? nullptr : said.c_str();
}

}  // namespace tilemeter::report
