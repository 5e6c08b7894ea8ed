// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/log/log.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

namespace tilemeter::logging {

namespace internal {
constinit std::atomic<Level> threshold{Level::kTrace};
}

class Line {
public:
    explicit Line(std::initializer_list<Part> parts) {
        for (const Part& part : parts) {
            switch (part.kind_) {
                case Part::Kind::kText:
                    text_ += part.text_;
                    break;
                case Part::Kind::kNumber:
                    text_ += std::to_string(part.number_);
                    break;
                case Part::Kind::kNegative:
                    text_ += std::to_string(static_cast<std::int64_t>(part.number_));
                    break;
            }
        }
    }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

namespace {

constexpr const char* kVariable = "TILEMETER_LOG";

constinit std::atomic<Level> default_level{Level::kOff};
constinit std::atomic<bool> resolved{false};

spdlog::level::level_enum spdlogs(Level level) {
    constexpr std::array kLevels = {spdlog::level::trace, spdlog::level::debug, spdlog::level::info,
                                    spdlog::level::warn,  spdlog::level::err,   spdlog::level::off};
    return kLevels[static_cast<std::size_t>(level)];
}

std::optional<Level> level_of(std::string_view name) {
    constexpr std::array<std::string_view, 6> kNames = {"trace", "debug", "info", "warn", "error", "off"};
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (name == kNames[i]) return static_cast<Level>(i);
    }
    return std::nullopt;
}

void resolve() {
    static std::mutex mutex;
    static const char* refused = nullptr;
    const std::scoped_lock lock(mutex);
    Level level = default_level.load();
    const char* const text = std::getenv(kVariable);  // NOLINT(concurrency-mt-unsafe): nobody here sets it
    if (text != nullptr && *text != '\0') {
        if (const std::optional<Level> wanted = level_of(text)) {
            level = *wanted;
        } else if (refused == nullptr) {
            refused = text;
            std::fprintf(stderr,
                         "tilemeter: %s: expected off, error, warn, info, debug or trace, found '%s'\n",
                         kVariable, text);
        }
    }
    internal::threshold.store(level);
    resolved.store(true);
}

// A logger of our own: a program that uses spdlog has its own loggers, patterns and levels. Never destroyed: what is
// destroyed when the process ends may still have something to say.
spdlog::logger& logger() {
    static spdlog::logger& the_logger = [&]() -> spdlog::logger& {
        auto& made =
            *new spdlog::logger("tilemeter", std::make_shared<spdlog::sinks::stderr_sink_mt>());  // NOLINT
        made.set_level(spdlog::level::trace);  // the level is decided above
        made.set_pattern("%Y-%m-%d %H:%M:%S.%e %t tilemeter %l: %v");
        return made;
    }();
    return the_logger;
}

}  // namespace

bool internal::is_enabled(Level level) noexcept {
    if (!resolved.load()) resolve();
    return level >= threshold.load();
}

void internal::write(Level level, std::initializer_list<Part> parts) noexcept {
    try {
        if (!is_enabled(level)) return;
        logger().log(spdlogs(level), spdlog::string_view_t(Line(parts).text()));
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): a message less
    }
}

void set_default_level(Level level) noexcept {
    default_level.store(level);
    resolve();
}

}  // namespace tilemeter::logging
