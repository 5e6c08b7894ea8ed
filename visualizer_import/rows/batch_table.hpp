// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "visualizer_import/rows/row_batch.hpp"

struct sqlite3;

namespace tilemeter::visualizer_import {

// The rows of a batch as a table that SQLite can select from. One statement then inserts all rows that a
// batch holds for a table, at less than half the cost of one statement per row.
struct BatchRows {
    static constexpr std::size_t kMostColumns = 32;

    const RowBatch* batch = nullptr;
    std::span<const RowBatch::Row> rows;  // all of one table
};

// Makes *rows the table `batch` of that connection, with the columns c0, c1, ... Returns SQLite's result
// code. REQUIRES: rows outlives the connection
int register_batch_table(sqlite3* connection, const BatchRows* rows);

// "c0, c1, c2" for 3
std::string batch_columns(std::size_t count);

}  // namespace tilemeter::visualizer_import
