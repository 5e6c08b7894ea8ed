// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/answers/timeline.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "report/analysis/answers/peak.hpp"
#include "report/analysis/memory/internal/free_space.hpp"
#include "report/analysis/memory/occupancy.hpp"

namespace tilemeter::analysis {
namespace {

const char* event_name(NodeType kind, MemoryEvent::Kind event) {
    switch (event) {
        case MemoryEvent::Kind::kAllocate:
            return "buffer_allocate";
        case MemoryEvent::Kind::kRelease:
            return "buffer_deallocate";
        case MemoryEvent::Kind::kProgramEnd:
            return "program_end";
        case MemoryEvent::Kind::kPiece:
            break;
    }
    switch (kind) {
        case NodeType::kCircularBufferAllocate:
            return "circular_buffer_allocate";
        case NodeType::kDataflowBufferAllocate:
            return "dataflow_buffer_allocate";
        case NodeType::kScratchpadAllocate:
            return "scratchpad_allocate";
        default:
            return "program_memory_filled_in";
    }
}

class TimelineMaker {
public:
    TimelineMaker(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint16_t device)
        : list_(list),
          lifetimes_(lifetimes),
          device_(device),
          occupancy_(lifetimes),
          free_(list, lifetimes, device) {}

    std::vector<TimelineRow> run() {
        std::size_t next = 0;
        const auto apply_until = [&](std::uint32_t node, bool with_rows) {
            for (; next < lifetimes_.events.size() && lifetimes_.events[next].node <= node; ++next)
                apply(lifetimes_.events[next], with_rows);
        };
        // Buffers that are older than the list are there before its first row.
        for (; next < lifetimes_.events.size() && lifetimes_.events[next].node == 0; ++next)
            apply(lifetimes_.events[next], false);
        for (std::uint32_t node = 0; node < list_.size(); ++node) {
            if (list_.nodes[node].kind == NodeType::kFunctionStart) add_row(node, "begin_op");
            apply_until(node, true);
            if (list_.nodes[node].kind == NodeType::kFunctionEnd) add_row(node, "end_op");
        }
        return std::move(rows_);
    }

private:
    void apply(const MemoryEvent& event, bool with_row) {
        occupancy_.apply(event);
        const bool of_buffer =
            event.kind == MemoryEvent::Kind::kAllocate || event.kind == MemoryEvent::Kind::kRelease;
        const std::uint16_t device =
            of_buffer ? lifetimes_.buffers[event.index].device : lifetimes_.programs[event.index].device;
        if (device != device_) return;
        free_.apply(event);
        if (with_row) add_row(event.node, event_name(list_.nodes[event.node].kind, event.kind));
    }

    void add_row(std::uint32_t node, const char* event) {
        const Occupancy::Tensors& tensors = occupancy_.tensors(device_);
        const std::uint64_t per_core = occupancy_.l1_peak_bytes(device_);
        rows_.push_back({node, lifetimes_.scopes.of_node[node], event,
                         per_core - tensors.l1_bytes - tensors.l1_small_bytes,
                         tensors.l1_total_bytes + tensors.dram_total_bytes, per_core, tensors.dram_bytes,
                         free_.largest_free_bytes()});
    }

    const NodeList& list_;
    const MemoryLifetimes& lifetimes_;
    const std::uint16_t device_;
    Occupancy occupancy_;
    internal::FreeSpace free_;
    std::vector<TimelineRow> rows_;
};

/// For each scope its number among the outermost ones.
std::vector<std::uint32_t> number_outermost(const Scopes& scopes) {
    std::vector<std::uint32_t> numbers(scopes.scopes.size(), 0);
    std::uint32_t next = 0;
    for (std::uint32_t scope = 0; scope < scopes.scopes.size(); ++scope) {
        if (scopes.scopes[scope].parent == kNoIndex) numbers[scope] = next++;
        numbers[scope] = numbers[scopes.scopes[scope].top];
    }
    return numbers;
}

std::uint32_t top_scope(const Scopes& scopes, std::uint32_t node) {
    const std::uint32_t scope = scopes.of_node[node];
    return scope == kNoIndex ? kNoIndex : scopes.scopes[scope].top;
}

}  // namespace

std::vector<TimelineRow> timeline(const NodeList& list, const MemoryLifetimes& lifetimes,
                                  std::uint16_t device) {
    if (lifetimes.devices.empty()) {
        std::vector<TimelineRow> rows;
        for (std::uint32_t node = 0; node < list.size(); ++node) {
            const NodeType kind = list.nodes[node].kind;
            if (kind == NodeType::kFunctionStart)
                rows.push_back({node, lifetimes.scopes.of_node[node], "begin_op"});
            if (kind == NodeType::kFunctionEnd)
                rows.push_back({node, lifetimes.scopes.of_node[node], "end_op"});
        }
        return rows;
    }
    return TimelineMaker(list, lifetimes, device).run();
}

std::vector<LateRelease> late_releases(const NodeList& list, const MemoryLifetimes& lifetimes) {
    const std::vector<std::uint32_t> number = number_outermost(lifetimes.scopes);
    // The number of outermost operations that have begun up to each node.
    std::vector<std::uint32_t> begun(list.size(), 0);
    std::uint32_t count = 0;
    for (std::uint32_t node = 0; node < list.size(); ++node) {
        const std::uint32_t scope = lifetimes.scopes.of_node[node];
        if (scope != kNoIndex) count = number[scope] + 1;
        begun[node] = count;
    }
    std::vector<LateRelease> late;
    for (std::uint32_t index = 0; index < lifetimes.buffers.size(); ++index) {
        const BufferLifetime& lifetime = lifetimes.buffers[index];
        if (lifetime.end == kNoIndex || lifetime.last_use == kNoIndex || lifetime.last_use >= lifetime.end)
            continue;
        const std::uint32_t releaser = top_scope(lifetimes.scopes, lifetime.end);
        std::uint32_t held = begun[lifetime.end] - begun[lifetime.last_use];
        if (releaser != kNoIndex && held > 0) --held;  // the releasing operation itself
        if (held == 0) continue;
        late.push_back({index, held, lifetime.per_bank.bytes * held,
                        top_scope(lifetimes.scopes, lifetime.last_use), releaser});
    }
    std::stable_sort(late.begin(), late.end(),
                     [](const LateRelease& a, const LateRelease& b) { return a.cost > b.cost; });
    return late;
}

std::vector<Survivors> survivors(const NodeList& list, const MemoryLifetimes& lifetimes) {
    const std::vector<std::uint32_t> number = number_outermost(lifetimes.scopes);
    std::map<std::tuple<std::string, std::string, MemoryType>, Survivors> groups;
    for (std::uint32_t index = 0; index < lifetimes.buffers.size(); ++index) {
        const BufferLifetime& lifetime = lifetimes.buffers[index];
        if (lifetime.end != kNoIndex || lifetime.before_window ||
            lifetime.memory == MemoryType::kSystemMemory)
            continue;
        const Contributor it = describe_buffer(list, lifetimes, index);
        Survivors& group = groups[{it.made_by, it.shape, lifetime.memory}];
        if (group.count++ == 0) group.first_node = lifetime.begin;
        group.made_by = it.made_by;
        group.shape = it.shape;
        group.memory = lifetime.memory;
        group.bytes += lifetime.per_bank.bytes;
        group.last_node = lifetime.begin;
        const std::int64_t address = lifetime.address.value_or(0);
        if (address > 0 && (group.lowest_address == 0 || address < group.lowest_address))
            group.lowest_address = address;
        group.buffers.push_back(index);
    }
    std::vector<Survivors> result;
    for (auto& [key, group] : groups) {
        const std::uint32_t first = lifetimes.scopes.of_node[group.first_node];
        const std::uint32_t last = lifetimes.scopes.of_node[group.last_node];
        if (group.count > 1 && first != kNoIndex && last != kNoIndex)
            group.operations_between = static_cast<double>(number[last] - number[first]) / (group.count - 1);
        result.push_back(std::move(group));
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const Survivors& a, const Survivors& b) { return a.bytes > b.bytes; });
    return result;
}

std::vector<std::uint32_t> live_at(const MemoryLifetimes& lifetimes, std::uint32_t node) {
    std::vector<std::uint32_t> live;
    for (std::uint32_t index = 0; index < lifetimes.buffers.size(); ++index) {
        const BufferLifetime& lifetime = lifetimes.buffers[index];
        if (lifetime.begin <= node && (lifetime.end == kNoIndex || lifetime.end > node))
            live.push_back(index);
    }
    return live;
}

}  // namespace tilemeter::analysis
