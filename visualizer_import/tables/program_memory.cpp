// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/tables/program_memory.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace tilemeter::visualizer_import {
namespace {

using report::NodeType;
using report::Status;

constexpr std::int64_t kWidestGrid =
    256;  // cores in a direction; beyond it the text is no core range of a chip

constexpr std::size_t kMostDevicesKept = 64;  // of more, the cores are forgotten with the operation

std::string_view kind_of(NodeType type) {
    switch (type) {
        case NodeType::kCircularBufferAllocate:
            return "circular_buffer";
        case NodeType::kDataflowBufferAllocate:
            return "dataflow_buffer";
        case NodeType::kScratchpadAllocate:
            return "scratchpad";
        default:
            return "";
    }
}

}  // namespace

std::vector<CoreRange> core_ranges(std::string_view text) {
    std::vector<CoreRange> ranges;
    for (std::size_t open = text.find('['); open != std::string_view::npos; open = text.find('[', open + 1)) {
        const std::string_view rectangle = text.substr(open, text.find(']', open) - open);
        std::array<std::int64_t, 4> numbers{};
        std::size_t count = 0;
        for (std::size_t i = 0; i < rectangle.size() && count < numbers.size();) {
            const auto [end, problem] =
                std::from_chars(rectangle.data() + i, rectangle.data() + rectangle.size(), numbers[count]);
            if (rectangle[i] == '-' || problem != std::errc{}) {
                ++i;
                continue;
            }
            i = static_cast<std::size_t>(end - rectangle.data());
            ++count;
        }
        const bool sound = count == 4 && numbers[0] <= numbers[2] && numbers[1] <= numbers[3] &&
                           numbers[2] < kWidestGrid && numbers[3] < kWidestGrid;
        if (sound) ranges.push_back({numbers[0], numbers[1], numbers[2], numbers[3]});
    }
    return ranges;
}

void ProgramMemory::occupy(std::int64_t device_id, std::string_view core_range_set, std::int64_t size_bytes) {
    if (core_range_set != last_core_range_set_) {
        last_core_range_set_ = core_range_set;
        last_core_ranges_ = core_ranges(core_range_set);
    }
    std::vector<Column>& columns = occupied_[device_id];
    for (const CoreRange& range : last_core_ranges_) {
        any_occupied_ = true;
        const auto end_x = static_cast<std::size_t>(range.last_x) + 1;
        const auto end_y = static_cast<std::size_t>(range.last_y) + 1;
        if (columns.size() < end_x) columns.resize(end_x);
        for (auto x = static_cast<std::size_t>(range.first_x); x < end_x; ++x) {
            if (columns[x].size() < end_y) columns[x].resize(end_y);
            for (auto y = static_cast<std::size_t>(range.first_y); y < end_y; ++y) {
                std::int64_t& occupied = columns[x][y];
                if (__builtin_add_overflow(occupied, size_bytes, &occupied)) occupied = 0;
                most_occupied_ = std::max(most_occupied_, occupied);
            }
        }
    }
}

void ProgramMemory::compare_live_buffers(std::int64_t live, std::int64_t operation_id) {
    std::int64_t total = 0;
    if (__builtin_add_overflow(live, most_occupied_, &total)) return;
    if (total > peak_.bytes_per_core) peak_ = {total, most_occupied_, operation_id};
}

void ProgramMemory::end_operation() {
    if (!any_occupied_) return;
    if (occupied_.size() > kMostDevicesKept) occupied_.clear();
    for (auto& [device, columns] : occupied_)
        for (Column& column : columns)
            std::ranges::fill(column, 0);
    any_occupied_ = false;
    most_occupied_ = 0;
}

Status ProgramMemory::add(const report::JsonNode& node, std::optional<std::int64_t> operation_id,
                          std::optional<std::int64_t> function_counter, std::int64_t live) {
    if (node.type == NodeType::kCircularBufferDeallocateAll) {
        seen_since_release_ = false;
        end_operation();
        return {};
    }
    const std::string_view kind = kind_of(node.type);
    if (kind.empty()) return {};
    auto device_id = report::integer_param(node, "device_id");
    if (!device_id) return device_id.error();
    auto address = report::integer_param(node, "address");
    if (!address) return address.error();
    // Beside the 0 that TT-NN writes for an address that is not known.
    if (node.params.at("address_known").boolean() == false) *address = std::nullopt;
    auto size = report::integer_param(node, "size");
    if (!size) return size.error();
    auto ranges = report::text_param(node, "core_range_set");
    if (!ranges) return ranges.error();
    if (*device_id) *device_id = devices_.mapped(**device_id);
    const bool borrowed = report::flag_of(node.params.at("globally_allocated")) ||
                          report::flag_of(node.params.at("borrows_memory"));
    database_.insert<Table::kProgramMemory>(operation_id, node.counter, function_counter, kind, *device_id,
                                            *address, *size, *ranges, borrowed, rank_);
    seen_since_release_ = true;
    if (!borrowed && *size && *ranges) {
        occupy(device_id->value_or(0), **ranges, **size);
        compare_live_buffers(live, operation_id.value_or(0));
    }
    return {};
}

}  // namespace tilemeter::visualizer_import
