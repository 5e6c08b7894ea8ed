// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A temporary file that no other process sees, for what need not stay in memory. What was appended never changes, so that a
// child process reads what its parent wrote; what either appends afterwards is in a file of its own.
//
// Thread safety: append() by one thread at a time and with nobody reading; any number may read at once.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <sys/types.h>

namespace tilemeter::record::internal {

class SpillFile {
public:
    SpillFile() = default;
    ~SpillFile();
    SpillFile(const SpillFile&) = delete;
    SpillFile& operator=(const SpillFile&) = delete;

    /// The offset of the bytes, both parts one behind the other; nothing: they cannot be written, then or ever after.
    std::optional<std::uint64_t> append(std::span<const char> head, std::span<const char> tail = {});

    /// Copies bytes that were appended. It reads without the mapping, whose pages count as this process's memory once they
    /// are touched. False: the file cannot be read.
    bool read(std::uint64_t position, std::span<char> into) const;

    /// Bytes that were appended by one call, for as long as this object lives.
    const char* mapped(std::uint64_t position) const;

    /// Bytes appended.
    std::uint64_t size() const { return size_; }

private:
    struct Mapping {
        std::uint64_t position;  // of its first byte, among all
        const char* begin;
        std::size_t size;
        int file;
        std::uint64_t place;  // in that file
    };

    const Mapping& mapping_of(std::uint64_t position) const;
    bool make_file();
    bool map_more(std::size_t size);

    std::vector<int> files_;
    pid_t writer_ = 0;  // of the last file
    std::vector<Mapping> mappings_;
    std::size_t written_ = 0;  // of the last mapping
    std::uint64_t file_end_ = 0;
    std::uint64_t size_ = 0;
    bool failed_ = false;
};

}  // namespace tilemeter::record::internal
