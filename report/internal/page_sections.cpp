// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/internal/page_sections.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "capture/graph/older_buffers.hpp"

namespace tilemeter::report::internal {

namespace {

using graph::ByteWriter;
using graph::NodeGraph;
using graph::NodeType;
using record::Event;

/// The live buffers, in the order they came.
class LiveBuffers {
public:
    void add(const Event& buffer) {
        const auto [entry, is_new] = places_.try_emplace(buffer.id, events_.size());
        if (!is_new) return;
        events_.push_back(&buffer);
        ++count_;
    }
    void remove(std::uint64_t buffer) {
        const auto found = places_.find(buffer);
        if (found == places_.end()) return;
        events_[found->second] = nullptr;
        places_.erase(found);
        // Gaps are closed when they are the larger part, so that a snapshot costs what it holds.
        if (--count_ * 2 + 16 < events_.size()) close_gaps();
    }
    std::vector<const Event*> all() const {
        std::vector<const Event*> live;
        live.reserve(count_);
        std::copy_if(events_.begin(), events_.end(), std::back_inserter(live),
                     [](const Event* event) { return event != nullptr; });
        return live;
    }

private:
    void close_gaps() {
        std::erase(events_, nullptr);
        for (std::size_t i = 0; i < events_.size(); ++i)
            places_[events_[i]->id] = i;
    }

    std::vector<const Event*> events_;
    std::unordered_map<std::uint64_t, std::size_t> places_;
    std::size_t count_ = 0;
};

/// Buffers from before the capture: announced, and not because a capture that began later asked.
LiveBuffers buffers_from_before(const NodeGraph& nodes) {
    LiveBuffers live;
    if (nodes.buffers_alive.empty()) return live;
    std::unordered_set<std::uint64_t> allocated;
    for (const graph::CapturedNode& node : nodes.nodes) {
        if (node.type == NodeType::kBufferAllocate) allocated.insert(node.event->id);
    }
    for (const Event* event : nodes.buffers_alive) {
        if (!allocated.contains(event->id)) live.add(*event);
    }
    return live;
}

void append_number(std::string_view key, std::uint64_t value, ByteWriter& out) {
    out.append(key);
    out.append_number(value);
}

}  // namespace

PageSections::PageSections(const NodeGraph& nodes) : nodes_(nodes) {
    LiveBuffers live = buffers_from_before(nodes);
    std::uint32_t outermost = 0;  // the latest outermost function_start
    for (std::uint32_t counter = 0; counter < nodes.nodes.size(); ++counter) {
        const graph::CapturedNode& node = nodes.nodes[counter];
        switch (node.type) {
            case NodeType::kFunctionStart:
                if (node.level == 1) outermost = counter;
                break;
            case NodeType::kFunctionEnd:
                if (node.level == 1) per_operation_[std::to_string(outermost)] = live.all();
                break;
            case NodeType::kBufferAllocate:
                live.add(*node.event);
                if (has_pages(*node.event))
                    allocations_[std::to_string(node.event->payload.buffer.address)].push_back(counter);
                break;
            case NodeType::kBufferDeallocate:
                live.remove(node.event->id);
                break;
            case NodeType::kError:
                at_failure_[std::to_string(counter)] = live.all();
                break;
            default:
                break;
        }
    }
    live_ = live.all();
}

const L1Banks& PageSections::banks_of(record::DeviceId device) {
    const auto [entry, is_new] = banks_.try_emplace(device);
    if (is_new) {
        if (const auto info = record::device_info_of(device)) entry->second = L1Banks(*info);
    }
    return entry->second;
}

void PageSections::append_page_list(const Event& buffer, bool& first, ByteWriter& out) {
    for_each_page(buffer, banks_of(buffer.device), [&](const PagePlace& page) {
        out.append(std::exchange(first, false) ? std::string_view("\n") : std::string_view(",\n"));
        append_number("{\"address\":", buffer.payload.buffer.address, out);
        append_number(",\"bank_id\":", page.bank_id, out);
        append_number(",\"buffer_type\":", static_cast<std::uint64_t>(buffer.memory), out);
        append_number(",\"core_x\":", page.core.x, out);
        append_number(",\"core_y\":", page.core.y, out);
        append_number(",\"device_id\":", record::number_of(buffer.device), out);
        append_number(",\"page_address\":", page.page_address, out);
        append_number(",\"page_index\":", page.page_index, out);
        append_number(",\"page_size\":", buffer.payload.buffer.page_size_and_layout >> 8, out);
        out.append('}');
    });
}

void PageSections::append_pages(ByteWriter& out) {
    out.append("\"buffer_pages\":[");
    bool first = true;
    for (const Event* buffer : live_) {
        if (has_pages(*buffer)) append_page_list(*buffer, first, out);
    }
    out.append("],\n");
    if (allocations_.empty()) return;
    out.append("\"buffer_pages_by_address\":{");
    bool first_address = true;
    for (const auto& [address, counters] : allocations_) {
        out.append(std::exchange(first_address, false) ? std::string_view("\n\"")
                                                       : std::string_view(",\n\""));
        out.append(address);
        out.append("\":[");
        for (std::size_t i = 0; i < counters.size(); ++i) {
            append_number(i == 0 ? "{\"alloc_counter\":" : ",{\"alloc_counter\":", counters[i], out);
            out.append(",\"pages\":[");
            bool first_page = true;
            append_page_list(*nodes_.nodes[counters[i]].event, first_page, out);
            out.append("]}");
        }
        out.append(']');
    }
    out.append("},\n");
}

void PageSections::append_snapshots(const std::map<std::string, Events>& snapshots, ByteWriter& out) {
    bool first_key = true;
    for (const auto& [counter, buffers] : snapshots) {
        out.append(std::exchange(first_key, false) ? std::string_view("\n\"") : std::string_view(",\n\""));
        out.append(counter);
        out.append("\":[");
        for (std::size_t i = 0; i < buffers.size(); ++i) {
            const Event::Payload::Buffer& buffer = buffers[i]->payload.buffer;
            append_number(i == 0 ? "{\"address\":" : ",{\"address\":", buffer.address, out);
            append_number(",\"buffer_layout\":", buffer.page_size_and_layout & 0xff, out);
            append_number(",\"buffer_type\":", static_cast<std::uint64_t>(buffers[i]->memory), out);
            append_number(",\"device_id\":", record::number_of(buffers[i]->device), out);
            append_number(",\"max_size_per_bank\":", unaligned_size_per_bank(*buffers[i]), out);
            out.append('}');
        }
        out.append(']');
    }
    out.append('}');
}

bool PageSections::append_memory_at_failure(ByteWriter& out) const {
    if (at_failure_.empty()) return false;
    out.append("\"memory_at_failure\":{");
    append_snapshots(at_failure_, out);
    return true;
}

void PageSections::append_per_operation(ByteWriter& out) const {
    out.append("\"per_operation_buffers\":{");
    append_snapshots(per_operation_, out);
}

void append_memory_at_begin(const NodeGraph& nodes, ByteWriter& out) {
    std::string_view separator = "\"memory_at_begin\":[\n";
    for (const Event* event : graph::buffers_without_nodes(nodes)) {
        const Event::Payload::Buffer& buffer = event->payload.buffer;
        out.append(std::exchange(separator, std::string_view(",\n")));
        append_number("{\"address\":", buffer.address, out);
        append_number(",\"buffer_layout\":", buffer.page_size_and_layout & 0xff, out);
        append_number(",\"buffer_type\":", static_cast<std::uint64_t>(event->memory), out);
        append_number(",\"device_id\":", record::number_of(event->device), out);
        append_number(",\"num_cores\":", event->detail, out);
        append_number(",\"page_size\":", buffer.page_size_and_layout >> 8U, out);
        append_number(",\"size\":", buffer.size_bytes, out);
        append_number(",\"size_per_bank\":", buffer.size_per_bank_bytes, out);
        out.append('}');
    }
    if (separator.front() == ',') out.append("],\n");
}

}  // namespace tilemeter::report::internal
