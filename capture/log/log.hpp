// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Messages of libraries and programs besides their answers, as lines on stderr. TILEMETER_LOG says from which level on:
// off, error, warn, info, debug or trace. Where it is not set, libraries are silent and the programs warn.
//
//     logging::debug({"device ", id, " is an ", description.name});
//
// A message below the level costs one load; so no line is written where events are recorded.
//
// Thread safety: all functions may be called from any thread, not from a signal handler. None throws.

#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace tilemeter::logging {

enum class Level : std::uint8_t { kTrace, kDebug, kInfo, kWarn, kError, kOff };

/// A piece of a message: a text or an integer. It only points at texts.
class Part {
public:
    template <typename Text>
    requires std::convertible_to<const Text&, std::string_view> Part(const Text& text)
        : text_(text) {}  // NOLINT(google-explicit-constructor): pieces of a braced list
    template <std::integral Number>
    requires(!std::same_as<Number, bool>) Part(Number number)  // NOLINT(google-explicit-constructor)
        : number_(static_cast<std::uint64_t>(number)), kind_(number < 0 ? Kind::kNegative : Kind::kNumber) {}

private:
    friend class Line;
    enum class Kind : std::uint8_t { kText, kNumber, kNegative };
    std::string_view text_;
    std::uint64_t number_ = 0;
    Kind kind_ = Kind::kText;
};

namespace internal {
/// The level; the lowest until TILEMETER_LOG was read, so that the first message gets to write().
extern std::atomic<Level> threshold;
void write(Level level, std::initializer_list<Part> parts) noexcept;
bool is_enabled(Level level) noexcept;
}  // namespace internal

/// True if a message of this level is written: ask it before making a message that is dear.
inline bool enabled(Level level) noexcept {
    return level >= internal::threshold.load(std::memory_order_relaxed) && internal::is_enabled(level);
}

inline void write(Level level, std::initializer_list<Part> parts) noexcept {
    if (level >= internal::threshold.load(std::memory_order_relaxed)) [[unlikely]]
        internal::write(level, parts);
}

/// Something is lost.
inline void error(std::initializer_list<Part> parts) noexcept {
    write(Level::kError, parts);
}
/// An answer that somebody waits for could not be given in full.
inline void warn(std::initializer_list<Part> parts) noexcept {
    write(Level::kWarn, parts);
}
/// A choice or a finding, once per device, file, capture.
inline void info(std::initializer_list<Part> parts) noexcept {
    write(Level::kInfo, parts);
}
/// Why, and what it led to.
inline void debug(std::initializer_list<Part> parts) noexcept {
    write(Level::kDebug, parts);
}
/// Whatever comes often: each call, each program.
inline void trace(std::initializer_list<Part> parts) noexcept {
    write(Level::kTrace, parts);
}

/// The level where TILEMETER_LOG does not say one; kOff at first. A value that it cannot have is said in one
/// line on stderr, once.
void set_default_level(Level level) noexcept;

}  // namespace tilemeter::logging
