// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/operation_timeout.hpp"

#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "capture/log/log.hpp"
#include "runtime/device/device.hpp"

namespace tilemeter {

namespace {

constexpr const char* kVariable = "TT_METAL_OPERATION_TIMEOUT_SECONDS";

constinit std::atomic<std::int64_t> timeout_ns{0};
constinit std::atomic<bool> set_by_the_program{false};

std::chrono::nanoseconds parse_seconds(std::string_view text) {
    constexpr double kMost = 1e9;  // seconds, some 30 years: nanoseconds of more could overflow
    double seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error != std::errc() || end != text.data() + text.size() || !(seconds > 0 && seconds <= kMost))
        throw std::invalid_argument(std::string(kVariable) +
                                    ": expected a number of seconds above 0, found '" + std::string(text) +
                                    "'");
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
}

}  // namespace

void set_operation_timeout(std::chrono::nanoseconds timeout) {
    set_by_the_program.store(true, std::memory_order_relaxed);
    timeout_ns.store(timeout.count(), std::memory_order_relaxed);
}

std::chrono::nanoseconds operation_timeout() {
    return std::chrono::nanoseconds(timeout_ns.load(std::memory_order_relaxed));
}

void read_operation_timeout_of_environment() {
    if (set_by_the_program.load(std::memory_order_relaxed)) return;
    const char* const text = std::getenv(kVariable);
    if (text != nullptr && *text != '\0')
        timeout_ns.store(parse_seconds(text).count(), std::memory_order_relaxed);
    if (text != nullptr && *text != '\0')
        logging::debug({"operations end after ", text, " seconds, by ", kVariable});
}

}  // namespace tilemeter
