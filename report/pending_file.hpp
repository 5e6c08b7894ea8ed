// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "report/result.hpp"

namespace tilemeter::report {

// A file that nobody sees until it is complete. Where the file system can, it has no name until then. A process of its
// own gives it its name, so that a killed process leaves nothing, whenever it is killed. Elsewhere it is a hidden
// locked file, which the next PendingFile of the same name removes.
class PendingFile {
public:
    // Removes what killed processes left of the same file.
    static Result<PendingFile> create(const std::filesystem::path& final_path);
    ~PendingFile();
    PendingFile(PendingFile&& other) noexcept;
    PendingFile& operator=(PendingFile&& other) noexcept;

    [[nodiscard]] int descriptor() const { return file_; }
    [[nodiscard]] const std::filesystem::path& final_path() const { return final_path_; }
    Status write(std::string_view text);
    // Puts the file in its place, replacing what was there in one step.
    Status publish();

private:
    PendingFile() = default;
    Error failure(std::string_view expected) const;
    Status publish_unnamed();

    std::filesystem::path final_path_;
    std::filesystem::path named_path_;  // empty while the file has no name
    int file_ = -1;
};

}  // namespace tilemeter::report
