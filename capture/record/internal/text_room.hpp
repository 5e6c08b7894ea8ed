// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Where interned texts lie. A few megabytes are kept in memory. What comes beyond, such as the arguments of a hundred
// thousand operations, goes to a temporary file that no other process sees, mapped for reading: a page of it takes memory
// once somebody reads it, and the system may take that back.
//
// Thread safety: one thread at a time; texts that were given out may be read by any.

#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace tilemeter::record::internal {

class TextRoom {
public:
    static constexpr std::size_t kMostInMemory = std::size_t{16} << 20;

    explicit TextRoom(std::size_t most_in_memory = kMostInMemory) : most_in_memory_(most_in_memory) {}
    ~TextRoom();
    TextRoom(const TextRoom&) = delete;
    TextRoom& operator=(const TextRoom&) = delete;

    /// A copy of `text` that stays as long as this object. It lies in memory, too, where no file can be written.
    std::string_view keep(std::string_view text);

    /// Bytes of texts in memory, and in files.
    std::size_t bytes_in_memory() const { return in_memory_; }
    std::size_t bytes_in_files() const { return in_files_; }

private:
    struct Mapping {
        char* begin;
        std::size_t size;
    };

    const char* keep_in_memory(std::string_view text);
    const char* keep_in_file(std::string_view text);  ///< null: not possible
    bool make_file();
    bool map_more(std::size_t size);

    const std::size_t most_in_memory_;
    std::size_t in_memory_ = 0;
    std::size_t in_files_ = 0;
    std::vector<std::unique_ptr<char[]>> blocks_;
    std::size_t used_ = 0;  // of the last block
    std::size_t room_ = 0;  // it has
    int file_ = -1;
    pid_t writer_ = 0;  // a child process goes on in a file of its own
    std::vector<Mapping> mappings_;
    std::size_t written_ = 0;  // of the last mapping
    std::size_t file_end_ = 0;
    bool failed_ = false;
};

}  // namespace tilemeter::record::internal
