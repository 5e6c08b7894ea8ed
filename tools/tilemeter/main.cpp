// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// tilemeter VERB ...: answers from reports. Exit statuses: verbs.hpp, and the table in tools/PROGRAMS.md. It is small, and
// becomes the program that has every verb (model/main.cpp) where it is asked for one of that, or for all.

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <unistd.h>

#include "capture/log/log.hpp"
#include "report/foreign/load.hpp"
#include "tools/tilemeter/run.hpp"
#include "tools/tilemeter/terminal.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace {

/// In the build folder and below an installation's prefix alike.
std::filesystem::path complete_program() {
    std::error_code ignored;
    const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", ignored);
    return here.parent_path().parent_path() / "libexec" / "tilemeter" / "tilemeter";
}

}  // namespace

int main(int argument_count, char** arguments) {
    using namespace tilemeter;
    const std::vector<command::Verb> served = cli::served_verbs();
    std::string missing;
    // Compiled programs are planned, which takes the model.
    const bool has_program = std::any_of(arguments + 1, arguments + argument_count, [](const char* argument) {
        return foreign::is_compiled_program(std::filesystem::path(argument));
    });
    if (has_program || !cli::is_own_verb(argument_count > 1 ? arguments[1] : "", served)) {
        const std::string complete = complete_program();
        ::execv(complete.c_str(), arguments);
        missing = complete;
    }
    logging::set_default_level(logging::Level::kWarn);
    const cli::FittedOutput fitted;
    return cli::run(argument_count, arguments, served, missing);
}
