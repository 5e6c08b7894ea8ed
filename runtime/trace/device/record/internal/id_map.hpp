// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Numbers by id, for the few thousand ids of one traced function: one block of memory instead of a node for each.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tilemeter::trace::internal {

/// `Id`: an enumeration in which 0 stands for none (capture/events/ids.hpp).
template <typename Id>
class IdMap {
public:
    /// Null if the id has none.
    [[nodiscard]] const std::uint32_t* find(Id id) const {
        if (entries_.empty()) return nullptr;
        const Entry& entry = entries_[place_of(id)];
        return entry.id == id ? &entry.number : nullptr;
    }

    [[nodiscard]] std::size_t size() const { return count_; }

    /// Makes room for `count` ids. REQUIRES: it has none yet
    void reserve(std::size_t count) { entries_.resize(std::bit_ceil(std::max(2 * count + 1, kFirstSize))); }

    /// The id's number, and whether it is new: `number` then. REQUIRES: the id isn't 0
    std::pair<std::uint32_t, bool> try_emplace(Id id, std::uint32_t number) {
        if (2 * count_ >= entries_.size()) grow();
        Entry& entry = entries_[place_of(id)];
        const bool is_new = entry.id == Id{};
        if (is_new) {
            entry = {id, number};
            ++count_;
        }
        return {entry.number, is_new};
    }

private:
    struct Entry {
        Id id{};  // 0: free
        std::uint32_t number = 0;
    };
    static constexpr std::size_t kFirstSize = 64;

    // The place of the id, or of its entry: at least half of the entries are free.
    [[nodiscard]] std::size_t place_of(Id id) const {
        constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f4a7c15;  // spreads ids that follow each other
        const std::size_t mask = entries_.size() - 1;
        std::size_t place = static_cast<std::uint64_t>(id) * kGoldenRatio >> 32U & mask;
        while (entries_[place].id != Id{} && entries_[place].id != id)
            place = (place + 1) & mask;
        return place;
    }

    void grow() {
        std::vector<Entry> before(entries_.empty() ? kFirstSize : entries_.size() * 4);
        before.swap(entries_);
        for (const Entry& each : before)
            if (each.id != Id{}) entries_[place_of(each.id)] = each;
    }

    std::vector<Entry> entries_;  // a power of two of them
    std::size_t count_ = 0;
};

}  // namespace tilemeter::trace::internal
