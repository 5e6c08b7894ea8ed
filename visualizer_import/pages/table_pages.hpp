// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "visualizer_import/pages/page_stream.hpp"
#include "visualizer_import/rows/row_value.hpp"

namespace tilemeter::visualizer_import {

// Rows that are only ever added to a table, as the leaf pages of its b-tree, in SQLite's file format
// (sqlite_format.hpp): ten times as fast as SQLite's INSERT. The table has row ids 1, 2, 3, ..., no INTEGER PRIMARY KEY
// and no constraints. Values are stored as they are, so they must have the type of their column (a double in a `float`
// column, SQLite reads it so). What makes a tree of the leaves: PageFile.
class TablePages {
public:
    // table: names it in the stream
    TablePages(std::uint32_t table, std::size_t page_bytes)
        : table_(table), page_(page_bytes), content_(page_bytes) {}

    // A row with more than sqlite_format::kLongestRecord bytes is not stored, and false returned.
    // REQUIRES: texts are valid UTF-8
    bool append(std::span<const RowValue> row, PageStream& stream);

    [[nodiscard]] std::int64_t row_count() const { return row_count_; }
    // After the last row. A table of one leaf has that as its root, which the stream does not take: true
    // then, and the caller writes page() with the numbers at pointers() where the root belongs.
    bool finish(PageStream& stream);
    [[nodiscard]] std::span<std::uint8_t> page() { return page_; }
    [[nodiscard]] std::span<const std::uint32_t> pointers() const { return pointers_; }

private:
    void complete_page();  // all but its cells
    void send_page(std::int64_t last_row_id, PageStream& stream);
    std::uint8_t* new_cell(std::size_t bytes, PageStream& stream);
    void append_with_overflow(std::span<const RowValue> row, std::size_t header_bytes,
                              std::uint64_t record_bytes, std::size_t local_bytes, PageStream& stream);

    std::uint32_t table_;
    std::int64_t row_count_ = 0;
    bool any_sent_ = false;
    // The leaf under construction: pointers to its cells from the front, cells from content_ on.
    std::vector<std::uint8_t> page_;
    std::size_t content_;
    std::size_t cell_count_ = 0;
    std::vector<std::uint32_t> pointers_;  // the offsets in it of overflow pages' numbers
    std::vector<std::uint8_t> types_;      // of the row being appended
    std::vector<std::uint8_t> record_;
    std::vector<std::uint8_t> overflow_;
};

}  // namespace tilemeter::visualizer_import
