// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "visualizer_import/rows/row_value.hpp"

namespace tilemeter::visualizer_import {

// A value in a batch; of a text, which has at most 1 GB, its place there.
struct Cell {
    std::int64_t bits = 0;  // the integer, the double's bits or the text's begin
    std::uint32_t size = 0;
    ValueKind kind = ValueKind::kNull;
};

// Rows of any tables on their way into the database, in the order in which they were made.
class RowBatch {
public:
    static constexpr std::size_t kFullBytes = std::size_t{256} << 10U;

    struct Row {
        std::uint32_t table;
        std::uint32_t first_cell;
    };

    // REQUIRES: a value for each column of the table
    void add(std::size_t table, std::span<const RowValue> row) {
        rows_.push_back({static_cast<std::uint32_t>(table), static_cast<std::uint32_t>(cells_.size())});
        for (const RowValue& value : row) {
            // More than that is more than SQLite takes, which then says so.
            const std::size_t size =
                std::min<std::size_t>(value.text.size(), std::numeric_limits<std::uint32_t>::max());
            const bool is_text = value.kind == ValueKind::kText;
            cells_.push_back({is_text ? static_cast<std::int64_t>(texts_.size()) : value.bits,
                              static_cast<std::uint32_t>(size), value.kind});
            texts_.append(value.text);
        }
    }

    [[nodiscard]] bool full() const { return cells_.size() * sizeof(Cell) + texts_.size() >= kFullBytes; }
    [[nodiscard]] bool empty() const { return rows_.empty(); }
    void clear() {
        rows_.clear();
        cells_.clear();
        texts_.clear();
    }
    [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
    // column: counted from 0
    [[nodiscard]] const Cell& cell(const Row& row, std::size_t column) const {
        return cells_[row.first_cell + column];
    }
    // REQUIRES: cell.kind == ValueKind::kText
    [[nodiscard]] std::string_view text(const Cell& cell) const {
        return {texts_.data() + cell.bits, cell.size};
    }

private:
    std::vector<Row> rows_;
    std::vector<Cell> cells_;
    std::string texts_;
};

}  // namespace tilemeter::visualizer_import
