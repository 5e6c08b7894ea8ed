// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Files of a test: in a folder of its own below the temporary one, which goes with the test. tools/test fails
// where something stays.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tilemeter::test {

class ScratchFolder {
public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    /// Writes a file, and the folders it lies in; its path.
    std::filesystem::path write(std::string_view name, std::string_view text) const;

private:
    std::filesystem::path path_;
};

/// The bytes of a file; "" where there is none.
std::string text_of(const std::filesystem::path& path);

}  // namespace tilemeter::test
