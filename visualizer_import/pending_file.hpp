// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "report/result.hpp"

namespace tilemeter::visualizer_import {

// A file that nobody sees until it is complete. Where the file system can, it has no name until then, so that
// even a killed process leaves nothing; elsewhere it is a hidden locked file, which the next import removes.
class PendingFile {
public:
    // Removes what killed imports left of the same file.
    static report::Result<PendingFile> create(const std::filesystem::path& final_path);
    ~PendingFile();
    PendingFile(PendingFile&& other) noexcept;
    PendingFile& operator=(PendingFile&& other) noexcept;

    [[nodiscard]] int descriptor() const { return file_; }
    [[nodiscard]] const std::filesystem::path& final_path() const { return final_path_; }
    report::Status write(std::string_view text);
    // Puts the file in its place, replacing what was there in one step.
    report::Status publish();

private:
    PendingFile() = default;
    report::Error failure(std::string_view expected) const;

    std::filesystem::path final_path_;
    std::filesystem::path named_path_;  // empty while the file has no name
    int file_ = -1;
};

}  // namespace tilemeter::visualizer_import
