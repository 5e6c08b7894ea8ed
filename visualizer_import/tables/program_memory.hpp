// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/json_node.hpp"
#include "report/result.hpp"
#include "visualizer_import/database/database.hpp"
#include "visualizer_import/graph/device_map.hpp"

namespace tilemeter::visualizer_import {

struct CoreRange {
    std::int64_t first_x, first_y, last_x, last_y;
};
// "{[0-0 - 7-7], [0-8 - 3-8]}" and the older "{[(x=0,y=0) - (x=7,y=7)]}"; what is no rectangle is left out.
std::vector<CoreRange> core_ranges(std::string_view text);

// The memory that programs occupy in L1 while they run: circular buffers, dataflow buffers, scratchpads. One row each,
// and the peak per core of their sum with the live buffers.
class ProgramMemory {
public:
    ProgramMemory(Database& database, const DeviceMap& devices, std::int64_t rank)
        : database_(database), devices_(devices), rank_(rank) {}

    // Any node; others are ignored. function_counter: the innermost open function.
    report::Status add(const report::JsonNode& node, std::optional<std::int64_t> operation_id,
                       std::optional<std::int64_t> function_counter, std::int64_t live_l1_bytes_per_bank);
    // The operation that held them is over.
    void end_operation();
    // Live buffers alone may be the peak.
    void compare_live_buffers(std::int64_t live_l1_bytes_per_bank, std::int64_t operation_id);

    struct Peak {
        std::int64_t bytes_per_core = 0;
        std::int64_t program_bytes = 0;
        std::int64_t operation_id = 0;
    };
    [[nodiscard]] const Peak& peak() const { return peak_; }
    // True if there was any since the last deallocate_all. None: the program came from the cache, or the capture did
    // not record that kind.
    [[nodiscard]] bool seen_since_release() const { return seen_since_release_; }

private:
    using Column = std::vector<std::int64_t>;  // bytes by y of the core
    void occupy(std::int64_t device_id, std::string_view core_range_set, std::int64_t size_bytes);

    Database& database_;
    const DeviceMap& devices_;
    std::int64_t rank_;
    std::map<std::int64_t, std::vector<Column>> occupied_;  // by device, by x of the core
    bool any_occupied_ = false;
    // The common text of most buffers of a program.
    std::string last_core_range_set_;
    std::vector<CoreRange> last_core_ranges_;
    std::int64_t most_occupied_ = 0;
    Peak peak_;
    bool seen_since_release_ = false;
};

}  // namespace tilemeter::visualizer_import
