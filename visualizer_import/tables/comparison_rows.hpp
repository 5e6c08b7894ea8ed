// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "report/json_value.hpp"
#include "report/result.hpp"
#include "visualizer_import/database/database.hpp"
#include "visualizer_import/rows/string_pool.hpp"
#include "visualizer_import/tables/tensor_table.hpp"

namespace tilemeter::visualizer_import {

// The findings of comparison mode: tensors against their golden values.
struct ComparisonRows {
    struct Record {
        std::int64_t tensor_id, golden_tensor_id;
        bool matches;
        double desired_pcc, actual_pcc;
        std::optional<std::int64_t> rank;
    };
    std::vector<Record> local;
    std::vector<Record> global;
    std::vector<TensorRow> tensors;
    StringPool pool;

    report::Status read(const report::JsonValue& data);
    void write(Database& database, std::int64_t rank) const;
};

}  // namespace tilemeter::visualizer_import
