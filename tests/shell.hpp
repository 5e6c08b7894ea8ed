// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Programs run by tests, as people run them.

#pragma once

#include <string>

namespace tilemeter::test {

struct Outcome {
    int status = -1;     ///< the exit status
    std::string output;  ///< of both streams, unless the command sends one elsewhere

    bool operator==(const Outcome&) const = default;
};
/// Runs a command of the shell to its end.
Outcome shell(const std::string& command);

}  // namespace tilemeter::test
