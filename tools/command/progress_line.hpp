// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>

namespace tilemeter::command {

/// One line on standard error that is rewritten a few times a second: share, rate, time left. Thread safety: one call
/// at a time.
class ProgressLine {
public:
    void show(const std::string& file, std::uint64_t done, std::uint64_t all) {
        if (seconds_since(shown_) < 0.2) return;
        shown_ = Clock::now();
        const double elapsed = seconds_since(start_);
        const double megabytes = static_cast<double>(done) / 1e6;
        const double rate = elapsed > 0 ? megabytes / elapsed : 0;
        const double left = rate > 0 ? static_cast<double>(all - done) / 1e6 / rate : 0;
        std::fprintf(stderr, "\r\033[K%s: %.0f %% of %.0f MB, %.0f MB/s, %.0f s left",
                     std::filesystem::path(file).filename().c_str(),
                     all > 0 ? 100.0 * static_cast<double>(done) / static_cast<double>(all) : 100.0,
                     static_cast<double>(all) / 1e6, rate, left);
        any_ = true;
    }
    void clear() {
        if (any_) std::fputs("\r\033[K", stderr);
        any_ = false;
    }

private:
    using Clock = std::chrono::steady_clock;
    static double seconds_since(Clock::time_point start) {
        return std::chrono::duration<double>(Clock::now() - start).count();
    }

    Clock::time_point start_ = Clock::now();
    Clock::time_point shown_ = Clock::now();
    bool any_ = false;
};

}  // namespace tilemeter::command
