// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "visualizer_import/pages/page_file.hpp"
#include "visualizer_import/rows/row_value.hpp"

namespace tilemeter::visualizer_import {

// An index over one column of integers, as the pages of its b-tree. Rows of one operation follow each other,
// so what is remembered is runs of rows with the same key: 24 bytes each.
class IndexPages {
public:
    // key: an integer or null. REQUIRES: row_id grows from call to call
    void add(const RowValue& key, std::int64_t row_id) {
        const bool is_null = key.kind == ValueKind::kNull;
        ++count_;
        if (!runs_.empty() && runs_.back().key == key.bits && runs_.back().not_null != is_null &&
            runs_.back().first_row_id + runs_.back().row_count == row_id) {
            ++runs_.back().row_count;
            return;
        }
        runs_.push_back({key.bits, row_id, 1, !is_null});
    }

    // Makes the tree where SQLite made an empty index; nothing is remembered any more. False when the file
    // could not be written.
    bool put(PageFile& file, std::uint32_t root);

private:
    struct Run {
        std::int64_t key;  // 0 of null
        std::int64_t first_row_id;
        std::uint32_t row_count;
        bool not_null;
    };
    std::vector<Run> runs_;
    std::uint64_t count_ = 0;
};

}  // namespace tilemeter::visualizer_import
