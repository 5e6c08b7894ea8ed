// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A file that appears whole or not at all: open, write, commit. Without commit everything is undone. Every file that a
// program here is told to write is written by it: links are followed, devices and pipes are written to as they are,
// permissions of a file that is replaced stay.
//
// Thread safety: outside locking.

#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "report/pending_file.hpp"
#include "report/result.hpp"

namespace tilemeter::report {

class FileReplacement {
public:
    /// Makes missing parent directories and a file that nobody sees yet.
    static Result<FileReplacement> open(const std::filesystem::path& target);
    /// True if open would succeed; nothing stays behind. A pipe is not opened, since its reader would see it end.
    static Status check(const std::filesystem::path& target);

    Status write(std::string_view bytes);
    /// Puts the file in the target's place. Nothing can be written afterwards.
    Status commit();

    FileReplacement(FileReplacement&& other) noexcept;
    FileReplacement& operator=(FileReplacement&&) = delete;
    ~FileReplacement();

private:
    explicit FileReplacement(std::filesystem::path named) : named_(std::move(named)) {}

    Status make_directories();
    Status open_file();
    /// `named_` could not be written: the reason is in errno.
    Error failure(const char* expected) const;
    Error named_as_said(Error error) const;

    std::filesystem::path named_;         // as the caller said, for messages
    std::filesystem::path target_;        // the end of that link chain, where that is no device or pipe
    std::optional<PendingFile> pending_;  // the file that is written, unless it is the target itself
    std::vector<std::filesystem::path> made_directories_;  // outermost first; empty once committed
    int descriptor_ = -1;                                  // of the target, if that is no regular file
};

}  // namespace tilemeter::report
