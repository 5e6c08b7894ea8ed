// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/foreign/torch/figures.hpp"

#include <algorithm>
#include <functional>

namespace tilemeter::foreign::torch {

namespace {

/// The latest entry of each address. Nothing is ever taken out: an address is one that was seen.
class LatestEntries {
public:
    /// kNoEntry before the first.
    std::uint32_t& operator[](std::uint64_t address) {
        if (2 * used_ >= slots_.size()) grow();
        Slot& slot = slot_of(address);
        if (slot.latest == kNoEntry) ++used_;  // of an address that is only asked for as well
        slot.address = address;
        return slot.latest;
    }

private:
    struct Slot {
        std::uint64_t address = 0;
        std::uint32_t latest = kNoEntry;
    };

    Slot& slot_of(std::uint64_t address) {
        constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;  // the golden ratio's bits
        std::size_t at = (address * kSpread) >> shift_;
        while (slots_[at].latest != kNoEntry && slots_[at].address != address)
            at = (at + 1) & (slots_.size() - 1);
        return slots_[at];
    }

    void grow() {
        std::vector<Slot> before(2 * slots_.size());
        before.swap(slots_);
        --shift_;
        used_ = 0;
        for (const Slot& each : before) {
            if (each.latest == kNoEntry) continue;
            slot_of(each.address) = each;
            ++used_;
        }
    }

    static constexpr unsigned kFirstBits = 10;
    std::vector<Slot> slots_ = std::vector<Slot>(std::size_t{1} << kFirstBits);  // a power of two
    unsigned shift_ = 64 - kFirstBits;
    std::size_t used_ = 0;
};

struct AddressRange {
    std::uint64_t begin = 0, end = 0;
    std::uint64_t entry = 0;
};

/// The first of sorted ranges that may hold `address`: the last one that begins at it or below.
template <typename Ranges>
auto range_at(const Ranges& ranges, std::uint64_t address) {
    const auto above =
        std::upper_bound(ranges.begin(), ranges.end(), address,
                         [](std::uint64_t at, const AddressRange& it) { return at < it.begin; });
    return above == ranges.begin() ? ranges.end() : std::prev(above);
}

class Counter {
public:
    explicit Counter(const Memory& memory) : memory_(memory) {}

    Figures run() {
        made_.entries = memory_.entries.size();
        made_.has_trace = made_.entries > 0;
        made_.reserved_end_bytes = memory_.reserved_bytes;
        made_.live_at_end = memory_.blocks.size();
        for (const Block& block : memory_.blocks)
            made_.end_bytes += block.size;
        join_entries();
        join_blocks();
        look_for_contradictions();
        made_.has_gaps = made_.missing_entries() > 0 || made_.is_state_unknown;
        if (made_.has_gaps) {
            made_.older.clear();
            made_.older_bytes = made_.older_freed_bytes = 0;
        } else {
            made_.only_at_end.clear();
        }
        find_peak();
        list_peak();
        return std::move(made_);
    }

private:
    void join_entries() {
        made_.partner.assign(memory_.entries.size(), kNoEntry);
        std::uint64_t reserved = 0;
        std::int64_t reserved_peak = 0;
        std::uint64_t latest_time = 0;
        for (std::uint32_t i = 0; i < memory_.entries.size(); ++i) {
            const Entry& entry = memory_.entries[i];
            const std::uint64_t size = entry.size;
            if (entry.time_ns < latest_time) ++made_.times_back;
            latest_time = std::max(latest_time, entry.time_ns);
            switch (entry.action) {
                case Action::kAlloc: {
                    std::uint32_t& latest = latest_[entry.address];
                    if (latest != kNoEntry && is_alloc(latest)) ++made_.allocated_twice;
                    latest = i;
                    change_ += size;
                    break;
                }
                case Action::kFreeCompleted: {
                    std::uint32_t& latest = latest_[entry.address];
                    join_free(i, latest);
                    latest = i;
                    change_ -= size;
                    break;
                }
                case Action::kSegmentAlloc:
                    reserved += size;
                    segments_.push_back({entry.address, entry.address + entry.size, i});
                    break;
                case Action::kSegmentFree:
                    reserved -= size;
                    break;
                case Action::kOutOfMemory:
                    ++made_.out_of_memory;
                    break;
                case Action::kFreeRequested:
                case Action::kOther:
                    break;
            }
            reserved_peak = std::max(reserved_peak, as_signed(reserved));
        }
        made_.older_bytes = at_least_none(made_.end_bytes - change_);
        made_.reserved_peak_bytes =
            at_least_none(memory_.reserved_bytes + static_cast<std::uint64_t>(reserved_peak) - reserved);
    }

    void join_free(std::uint32_t entry, std::uint32_t latest) {
        const std::uint64_t size = memory_.entries[entry].size;
        if (latest == kNoEntry) {
            made_.older.push_back({memory_.entries[entry].address, size, 0, entry});
            made_.older_freed_bytes += size;
        } else if (is_alloc(latest)) {
            if (!is_size_of(latest, size)) {
                ++made_.changed_unseen;
                return;
            }
            made_.partner[entry] = latest;
            made_.partner[latest] = entry;
        } else {
            ++made_.freed_twice;
        }
    }

    /// True of the size that entry `alloc` asked for; some forms round that of a free.
    [[nodiscard]] bool is_size_of(std::uint32_t alloc, std::uint64_t size) const {
        constexpr std::uint64_t kBlock = 512;
        const std::uint64_t asked = memory_.entries[alloc].size;
        return size == asked || size == (asked + kBlock - 1) / kBlock * kBlock;
    }

    /// What is older: freed within the trace, or still there.
    void join_blocks() {
        std::uint64_t explained = made_.older_freed_bytes;
        for (std::uint32_t i = 0; i < memory_.blocks.size(); ++i) {
            const Block& block = memory_.blocks[i];
            const std::uint32_t latest = latest_[block.address];
            if (latest != kNoEntry && is_alloc(latest) &&
                (!block.is_requested || is_size_of(latest, block.size))) {
                made_.partner[latest] = kAtEnd;
                continue;
            }
            made_.only_at_end.push_back(i);
            if (latest != kNoEntry) {
                ++(is_alloc(latest) ? made_.changed_unseen : made_.came_unseen);
                continue;
            }
            made_.older.push_back({block.address, block.size, block.stack, Older::kNever});
            explained += block.size;
        }
        std::sort(made_.older.begin(), made_.older.end(),
                  [](const Older& a, const Older& b) { return a.address < b.address; });
        for (std::uint32_t i = 0; i < memory_.entries.size(); ++i) {
            if (!is_alloc(i) || made_.partner[i] != kNoEntry || latest_[memory_.entries[i].address] != i)
                continue;
            if (memory_.is_state_known) {
                ++made_.never_seen;
            } else {
                made_.partner[i] = kAtEnd;
                made_.is_state_unknown = true;
            }
        }
        made_.unexplained_bytes = made_.older_bytes - std::min(explained, made_.older_bytes);
    }

    /// What is older lies in no segment that the trace has made, and nothing is allocated upon it.
    void look_for_contradictions() {
        const auto by_begin = [](const AddressRange& a, const AddressRange& b) { return a.begin < b.begin; };
        std::sort(segments_.begin(), segments_.end(), by_begin);
        std::vector<AddressRange> older;
        for (const Older& each : made_.older) {
            const auto segment = range_at(segments_, each.address);
            if (segment != segments_.end() && each.address < segment->end && segment->entry < each.freed_by)
                ++made_.came_unseen;
            older.push_back({each.address, each.address + each.size, each.freed_by});
        }
        if (older.empty()) return;
        for (std::uint32_t i = 0; i < memory_.entries.size(); ++i) {
            if (!is_alloc(i)) continue;
            const Entry& entry = memory_.entries[i];
            const auto below = range_at(older, entry.address);
            const auto above = below == older.end() ? older.begin() : std::next(below);
            if ((below != older.end() && entry.address < below->end && below->entry > i) ||
                (above != older.end() && above->begin < entry.address + entry.size && above->entry > i))
                ++made_.came_unseen;
        }
    }

    /// True if what entry `i` allocates or frees counts at that entry alone.
    [[nodiscard]] bool is_alone(std::uint32_t i) const {
        return made_.has_gaps && made_.partner[i] == kNoEntry;
    }

    void find_peak() {
        std::uint64_t now = 0, peak = 0;
        const auto note = [&](std::uint64_t bytes, std::uint32_t i) {
            if (as_signed(bytes) <= as_signed(peak)) return;
            peak = bytes;
            made_.peak_entry = i;
        };
        for (std::uint32_t i = 0; i < memory_.entries.size(); ++i) {
            const std::uint64_t size = memory_.entries[i].size;
            if (is_alloc(i)) {
                note(now + size, i);
                if (!is_alone(i)) now += size;
            } else if (memory_.entries[i].action == Action::kFreeCompleted) {
                if (is_alone(i)) {
                    note(now + size, i);
                } else {
                    now -= allocated_size(i);
                }
            }
        }
        if (!made_.has_gaps) {
            made_.peak_bytes = at_least_none(made_.end_bytes + peak - now);
            return;
        }
        made_.peak_bytes = peak;
        if (made_.end_bytes < made_.peak_bytes) return;
        made_.peak_bytes = made_.end_bytes;
        made_.peak_entry = std::nullopt;
    }

    /// Of what a free ends; where entries are missing, as it was allocated.
    [[nodiscard]] std::uint64_t allocated_size(std::uint32_t free) const {
        const std::uint32_t of = made_.has_gaps ? made_.partner[free] : free;
        return memory_.entries[of].size;
    }

    /// What is active at the peak.
    void list_peak() {
        if (made_.has_gaps && !made_.peak_entry) {
            for (const Block& block : memory_.blocks) {
                made_.at_peak.push_back(block.size);
                if (block.is_awaiting_free) made_.awaiting_free_bytes += block.size;
            }
            std::sort(made_.at_peak.begin(), made_.at_peak.end(), std::greater<>());
            return;
        }
        const std::uint32_t end = made_.peak_entry ? static_cast<std::uint32_t>(*made_.peak_entry) + 1 : 0;
        LatestEntries requested;
        for (std::uint32_t i = 0; i < end; ++i)
            if (memory_.entries[i].action == Action::kFreeRequested)
                requested[memory_.entries[i].address] = i;
        const auto add = [&](std::uint64_t address, std::uint64_t size, std::optional<std::uint32_t> since) {
            made_.at_peak.push_back(size);
            const std::uint32_t asked = requested[address];
            if (asked != kNoEntry && (!since || asked > *since)) made_.awaiting_free_bytes += size;
        };
        for (std::uint32_t i = 0; i < end; ++i) {
            const Entry& entry = memory_.entries[i];
            const bool is_last = i + 1 == end;
            if (is_alloc(i)) {
                const std::uint32_t partner = made_.partner[i];
                if (partner == kNoEntry ? is_last : partner >= end) add(entry.address, entry.size, i);
            } else if (entry.action == Action::kFreeCompleted && is_last) {
                add(entry.address, entry.size, std::nullopt);  // where entries are missing alone
            }
        }
        for (const Older& older : made_.older)
            if (older.freed_by >= end) add(older.address, older.size, std::nullopt);
        std::sort(made_.at_peak.begin(), made_.at_peak.end(), std::greater<>());
    }

    [[nodiscard]] bool is_alloc(std::uint32_t entry) const {
        return memory_.entries[entry].action == Action::kAlloc;
    }

    // Sums go round at the ends of 64 bits, as sizes are what a file says; below zero they are none.
    static std::int64_t as_signed(std::uint64_t sum) { return static_cast<std::int64_t>(sum); }
    static std::uint64_t at_least_none(std::uint64_t sum) { return as_signed(sum) < 0 ? 0 : sum; }

    const Memory& memory_;
    LatestEntries latest_;
    std::vector<AddressRange> segments_;
    std::uint64_t change_ = 0;
    Figures made_;
};

}  // namespace

Figures figures_of(const Memory& memory) {
    return Counter(memory).run();
}

}  // namespace tilemeter::foreign::torch
