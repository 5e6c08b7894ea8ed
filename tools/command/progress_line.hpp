// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace tilemeter::command {

/// True if the user's terminal takes escape sequences (TERM).
bool knows_escapes();

/// One line on standard error that is rewritten a few times a second: share, rate, time left. It is within the width of the
/// terminal there; where that is none, or takes no escape sequences, nothing is shown. Thread safety: one call at a time.
class ProgressLine {
public:
    ProgressLine();
    /// `done` bytes of `all` in `file`. Where there is less than before, or another file, a new pass has begun.
    void show(const std::string& file, std::uint64_t done, std::uint64_t all);
    /// Takes the line away.
    void clear();

private:
    using Clock = std::chrono::steady_clock;

    bool is_shown_;
    bool any_ = false;
    std::string file_;
    std::uint64_t done_ = 0;
    Clock::time_point start_ = Clock::now();
    Clock::time_point shown_ = Clock::now();
};

}  // namespace tilemeter::command
