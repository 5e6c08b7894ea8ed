// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

namespace tilemeter {

// The input of a fuzzer as a file that has a path.
class FuzzedFile {
public:
    FuzzedFile(const std::uint8_t* data, std::size_t size) : file_(::memfd_create("input", 0)) {
        if (::write(file_, data, size) != static_cast<ssize_t>(size)) std::abort();
    }
    ~FuzzedFile() { ::close(file_); }
    FuzzedFile(const FuzzedFile&) = delete;
    FuzzedFile& operator=(const FuzzedFile&) = delete;
    [[nodiscard]] std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(file_); }

private:
    int file_;
};

}  // namespace tilemeter
