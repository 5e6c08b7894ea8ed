// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Builds a C++ program that calls TT-NN against tilemeter's package: with CMake, in a folder of its own.

#pragma once

#include <filesystem>
#include <string>

namespace tilemeter::cli {

struct CppBuild {
    std::filesystem::path source;  ///< a file, or a folder of files, with or without a CMakeLists.txt
    std::filesystem::path
        package;                   ///< where tilemeter is installed, or its build; empty: beside this program
    std::filesystem::path folder;  ///< to build in; empty: one of the user's cache, kept for the next time
    std::string target;            ///< of several programs in a folder; empty: there is one
};

struct BuiltProgram {
    std::filesystem::path file;
    std::filesystem::path work;    ///< the folder of the build
    std::filesystem::path folder;  ///< in which it is to run: a folder's programs read files beside them
};

/// Builds it, only what changed. Failure in one line: the compiler's first error with file and line, no package, no CMake.
BuiltProgram build_program(const CppBuild& build);

}  // namespace tilemeter::cli
