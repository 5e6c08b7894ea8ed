// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/foreign/torch/figures.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>

namespace tilemeter::foreign::torch {

namespace {

struct Freed {
    std::uint64_t entry, size;
};

}  // namespace

Figures figures_of(const Memory& memory) {
    Figures made;
    made.has_trace = !memory.entries.empty();
    made.reserved_end_bytes = memory.reserved_bytes;
    made.live_at_end = memory.blocks.size();
    for (const Block& block : memory.blocks)
        made.end_bytes += block.size;

    // Forward from zero: where the peak is, and what the trace frees without having allocated it.
    std::unordered_map<std::uint64_t, std::uint64_t> live;
    std::unordered_map<std::uint64_t, Freed> freed_older;
    std::int64_t now = 0, peak = 0, reserved = 0, reserved_peak = 0;
    std::uint64_t latest = 0;
    for (std::uint64_t i = 0; i < memory.entries.size(); ++i) {
        const Entry& entry = memory.entries[i];
        const auto size = static_cast<std::int64_t>(entry.size);
        if (entry.time_ns < latest) ++made.times_back;
        latest = std::max(latest, entry.time_ns);
        switch (entry.action) {
            case Action::kAlloc:
                if (!live.insert_or_assign(entry.address, entry.size).second) ++made.allocated_twice;
                now += size;
                if (now > peak) {
                    peak = now;
                    made.peak_entry = i;
                }
                break;
            case Action::kFreeCompleted:
                if (live.erase(entry.address) == 0) {
                    freed_older.insert_or_assign(entry.address, Freed{i, entry.size});
                    made.older_freed_bytes += entry.size;
                }
                now -= size;
                break;
            case Action::kSegmentAlloc:
                reserved += size;
                break;
            case Action::kSegmentFree:
                reserved -= size;
                break;
            case Action::kOutOfMemory:
                ++made.out_of_memory;
                break;
            case Action::kFreeRequested:
            case Action::kOther:
                break;
        }
        reserved_peak = std::max(reserved_peak, reserved);
    }
    const auto add = [](std::uint64_t to, std::int64_t change) {
        const std::int64_t sum = static_cast<std::int64_t>(to) + change;
        return sum < 0 ? 0 : static_cast<std::uint64_t>(sum);
    };
    made.older_bytes = add(made.end_bytes, -now);
    made.peak_bytes = add(made.end_bytes, peak - now);
    made.reserved_peak_bytes = add(memory.reserved_bytes, reserved_peak - reserved);

    // What is older: freed within the trace, or still there.
    std::unordered_set<std::uint64_t> at_end;
    std::uint64_t explained = 0;
    const auto add_older = [&](const Older& older) {
        made.older.push_back(older);
        explained += older.size;
    };
    for (const Block& block : memory.blocks) {
        at_end.insert(block.address);
        if (!live.contains(block.address)) add_older({block.address, block.size, block.stack, Older::kNever});
    }
    for (const auto& [address, freed] : freed_older)
        add_older({address, freed.size, 0, freed.entry});
    std::sort(made.older.begin(), made.older.end(),
              [](const Older& a, const Older& b) { return a.address < b.address; });
    for (const auto& [address, size] : live)
        if (!at_end.contains(address)) ++made.never_seen;
    made.unexplained_bytes = made.older_bytes - std::min(explained, made.older_bytes);

    // Once more up to the peak, for what was active there.
    live.clear();
    std::unordered_set<std::uint64_t> awaiting;
    const std::uint64_t end = made.peak_entry ? *made.peak_entry + 1 : 0;
    for (std::uint64_t i = 0; i < end; ++i) {
        const Entry& entry = memory.entries[i];
        if (entry.action == Action::kAlloc) live.insert_or_assign(entry.address, entry.size);
        if (entry.action == Action::kFreeRequested) awaiting.insert(entry.address);
        if (entry.action != Action::kFreeCompleted) continue;
        live.erase(entry.address);
        awaiting.erase(entry.address);
    }
    for (const auto& [address, size] : live)
        made.at_peak.push_back(size);
    for (const Older& older : made.older) {
        if (older.freed_by < end) continue;
        made.at_peak.push_back(older.size);
        live.try_emplace(older.address, older.size);
    }
    for (const std::uint64_t address : awaiting)
        if (const auto found = live.find(address); found != live.end())
            made.awaiting_free_bytes += found->second;
    std::sort(made.at_peak.begin(), made.at_peak.end(), std::greater<>());
    return made;
}

}  // namespace tilemeter::foreign::torch
