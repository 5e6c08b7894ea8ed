// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "visualizer_import/pages/page_stream.hpp"
#include "visualizer_import/pages/sqlite_format.hpp"

namespace tilemeter::visualizer_import {

// The file of a database between two transactions of SQLite: pages are added behind its own, and trees are
// put where SQLite made an empty table or index. SQLite sees them from its next transaction on (it must not
// hold an exclusive lock in between, or it goes on with what it remembers).
//
// Each function that returns a bool is false when the file could not be read or written; errno says why.
// Thread safety: one thread at a time.
class PageFile {
public:
    // The descriptor stays the caller's.
    PageFile(int descriptor, std::size_t page_bytes, std::uint64_t lock_byte = sqlite_format::kLockByte)
        : descriptor_(descriptor), page_bytes_(page_bytes), lock_byte_(lock_byte) {}

    [[nodiscard]] std::size_t page_bytes() const { return page_bytes_; }

    // After a transaction of SQLite: how many pages there are now.
    bool begin();
    // Before the next: tells how many there are now.
    bool end();

    // Between begin() and end():

    // Gives the pages their numbers in the file, and appends them.
    bool append(PageBatch& batch);
    // Appends a page; it is written with others. REQUIRES: the page refers to numbers in the file
    bool append(std::span<const std::uint8_t> page, std::uint32_t& number);
    // In the place of an empty root. Pointers: where in the page the stream's numbers lie.
    bool put_root(std::uint32_t root, std::span<std::uint8_t> page, std::span<const std::uint32_t> pointers);
    // Makes a tree of the leaves that came for that table. Nothing happens where none came.
    bool put_table(std::uint32_t table, std::uint32_t root);

private:
    struct Child {
        std::uint32_t page;
        std::int64_t last_row_id;
    };
    // Numbers of the stream from `first` on lie `shift` further in the file.
    struct Shift {
        std::uint32_t first;
        std::uint32_t shift;
    };

    std::uint32_t take_number();
    [[nodiscard]] std::uint32_t in_file(std::uint32_t page) const;
    bool write(std::span<const std::uint8_t> bytes, std::uint64_t offset);
    bool flush();

    int descriptor_;
    std::size_t page_bytes_;
    std::uint64_t lock_byte_;
    std::uint32_t page_count_ = 0;
    bool changed_ = false;
    std::vector<Shift> shifts_;
    std::vector<std::vector<Child>> leaves_;  // by table
    // Pages that were appended one by one.
    std::vector<std::uint8_t> pending_;
    std::uint32_t first_pending_ = 0;
};

}  // namespace tilemeter::visualizer_import
