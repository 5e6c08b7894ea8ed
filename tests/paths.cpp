// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/paths.hpp"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace tilemeter::test {

std::string data_folder() {
    return TILEMETER_SOURCE "/tests/data";
}

std::string shared_folder() {
    const char* folder = std::getenv("TILEMETER_SHARED");
    if (folder == nullptr || *folder == '\0') return TILEMETER_SOURCE "/../shared";
    // Tests skip what is not there; a wrong name would skip all of them.
    if (!std::filesystem::is_directory(folder))
        throw std::runtime_error("TILEMETER_SHARED: expected a folder, found " + std::string(folder));
    return folder;
}

std::string program_folder() {
    return TILEMETER_PROGRAMS;
}

std::string weights_file() {
    return TILEMETER_SOURCE "/build/demo-data/minilm/model.safetensors";
}

std::string shell_word(const std::string& text) {
    std::string word = "'";
    for (const char c : text)
        word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

}  // namespace tilemeter::test
