// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Other programs that a verb runs, and the files that lie beside this one.

#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilemeter::cli {

/// The end of a process.
struct Ended {
    int status = 0;  ///< its exit status, where no signal ended it
    int signal = 0;  ///< that ended it; 0: none
    bool is_well() const { return status == 0 && signal == 0; }
};

struct Command {
    std::vector<std::string> words;                  ///< the program, looked for in PATH, and its arguments
    std::filesystem::path folder;                    ///< in which it runs; empty: this one
    std::map<std::string, std::string> environment;  ///< beside what this process has
    /// Not empty: what it prints goes into this file.
    std::filesystem::path output;
    bool prints_to_errors = false;  ///< its standard output goes to our standard error
};

/// Runs it to its end; Failure where it cannot be started. What a terminal sends, Ctrl-C, is the program's to handle.
Ended run(const Command& command);

/// True if PATH has a program of this name.
bool is_in_path(const std::string& program);

/// The folders that this program may be installed below, or built in: it lies in PREFIX/bin, or in PREFIX/libexec/tilemeter.
std::vector<std::filesystem::path> own_prefixes();

/// "SIGSEGV"
std::string name_of_signal(int signal);

}  // namespace tilemeter::cli
