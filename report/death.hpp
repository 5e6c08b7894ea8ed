// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The cause of death of a process that recorded, and in which function: from what it wrote into its recording
// (capture/record/crash.hpp). All texts are valid UTF-8.

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "capture/record/window.hpp"

namespace tilemeter::report {

struct DeathFrame {
    std::string function;  ///< empty: unknown
    std::string module;    ///< program or library; empty: unknown
    std::string file;      ///< source file; empty: unknown
    std::uint32_t line = 0;
    std::uint64_t address = 0;
    bool inlined = false;
    std::string text;  ///< all of it, as stacks in reports are written
};

struct Death {
    std::string signal;      ///< "SIGSEGV"; empty: std::terminate, and no signal after it
    bool terminate = false;  ///< std::terminate was called
    std::string exception;   ///< type of what nobody caught; empty: none
    std::string message;     ///< its what()
    std::uint64_t process = 0;
    std::uint64_t thread = 0;
    std::string thread_name;
    std::optional<std::uint64_t> sender;   ///< process that sent the signal
    std::optional<std::uint64_t> address;  ///< that could not be accessed
    std::vector<DeathFrame> frames;        ///< innermost first
    std::size_t place = 0;  ///< the innermost frame that is no library's of the system, if there is a frame
};

/// None if the process ended its capture, or left no word. `recording`: what read_recording() returned for the file.
std::optional<Death> read_death(const std::filesystem::path& file, const record::Recording& recording);

/// "SIGSEGV at address 0x8 in add_rows at rows.cpp:12, thread 4711 (worker)"; no newline.
std::string to_text(const Death& death);

}  // namespace tilemeter::report
