// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/command/progress_line.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

namespace tilemeter::command {

namespace {

constexpr double kSecondsBetween = 0.2;

double seconds(std::chrono::steady_clock::duration time) {
    return std::chrono::duration<double>(time).count();
}

/// A line that fills the last column would go on in the next.
std::size_t columns() {
    winsize size{};
    constexpr std::size_t kUnknown = 80;
    if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUnknown - 1;
    return size.ws_col - 1U;
}

}  // namespace

bool knows_escapes() {
    const char* const terminal = std::getenv("TERM");  // NOLINT(concurrency-mt-unsafe): nobody here sets it
    return terminal != nullptr && *terminal != '\0' && std::string_view(terminal) != "dumb";
}

ProgressLine::ProgressLine() : is_shown_(::isatty(STDERR_FILENO) == 1 && knows_escapes()) {}

void ProgressLine::show(const std::string& file, std::uint64_t done, std::uint64_t all) {
    const Clock::time_point now = Clock::now();
    if (done < done_ || file != file_) {
        start_ = now;
        file_ = file;
    }
    done_ = done;
    if (!is_shown_ || seconds(now - shown_) < kSecondsBetween) return;
    shown_ = now;
    const double elapsed = seconds(now - start_), megabytes = static_cast<double>(done) / 1e6;
    const double rate = elapsed > 0 ? megabytes / elapsed : 0;
    const double share = all > 0 ? 100.0 * static_cast<double>(done) / static_cast<double>(all) : 100.0;
    std::array<char, 100> figures{};
    std::snprintf(figures.data(), figures.size(), "%.0f %% of %.0f MB", share,
                  static_cast<double>(all) / 1e6);
    std::string line = figures.data();
    // The further parts that find room; bytes count as columns, which is never too little.
    const auto add = [&line, most = columns()](const std::string& before, const std::string& behind) {
        if (before.size() + line.size() + behind.size() <= most) line = before + line + behind;
    };
    add(std::filesystem::path(file).filename().string() + ": ", "");
    if (rate > 0) {
        const double left = (static_cast<double>(all) / 1e6 - megabytes) / rate;
        std::snprintf(figures.data(), figures.size(), ", %.0f MB/s, %.0f s left", rate, left);
        add("", figures.data());
    }
    std::fprintf(stderr, "\r\033[K%s", line.c_str());
    any_ = true;
}

void ProgressLine::clear() {
    if (any_) std::fputs("\r\033[K", stderr);
    any_ = false;
}

}  // namespace tilemeter::command
