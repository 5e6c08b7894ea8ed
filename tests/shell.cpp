// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/shell.hpp"

#include <array>
#include <cstdio>

namespace tilemeter::test {

Outcome shell(const std::string& command) {
    std::FILE* const pipe = popen(("{ " + command + "\n} 2>&1").c_str(), "r");
    Outcome outcome;
    std::array<char, 4096> bytes{};
    while (const std::size_t count = std::fread(bytes.data(), 1, bytes.size(), pipe))
        outcome.output.append(bytes.data(), count);
    outcome.status = pclose(pipe) / 256;
    return outcome;
}

}  // namespace tilemeter::test
