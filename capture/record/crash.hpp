// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The cause of death of a process that recorded to a file, as it wrote it into that file (internal/crash_area.hpp).
// graph::frames_of() (capture/graph/crash_frames.hpp) names the functions.

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "capture/record/window.hpp"

namespace tilemeter::record {

struct Crash {
    int signal = 0;              ///< 0: no signal followed std::terminate
    bool terminate = false;      ///< std::terminate was called
    std::string exception_type;  ///< mangled, of what nobody caught; empty: none, or no C++ exception
    std::string message;         ///< its what()
    std::uint64_t process = 0;
    std::uint64_t thread = 0;  ///< as the kernel numbers threads
    std::string thread_name;
    std::optional<std::uint64_t> sender;   ///< the other process that sent the signal
    std::optional<std::uint64_t> address;  ///< that could not be accessed
    /// Innermost first. The first is the instruction itself where `exact`; the others, return addresses.
    std::vector<std::uint64_t> frames;
    bool exact = false;
};

/// "SIGSEGV"; "signal 99" for one without a name.
std::string name_of_signal(int signal);

/// The cause of death of the process that recorded to `path`; none if it ended the capture, was killed (SIGKILL leaves
/// no time to say anything), or went on after a signal: `recording` is what read_recording() returned for the file. The
/// modules that the frames lie in become known (modules.hpp).
std::optional<Crash> read_crash(const std::filesystem::path& path, const Recording& recording);

}  // namespace tilemeter::record
