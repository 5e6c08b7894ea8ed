// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Distinct values, numbered from 0 as they come: a hash table with open addressing over a list.
//
// Thread safety: outside locking; const functions may be called from any thread.

#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tilemeter::ir::internal {

template <class T>
class Interned {
public:
    /// The number of the value that equals `key`, appended as T(key) if there is none.
    /// REQUIRES: `hash` depends on the value alone.
    template <class Key>
    std::uint32_t intern(std::uint64_t hash, const Key& key) {
        if (values_.size() * 2 >= slots_.size()) grow();
        for (std::size_t slot = hash & (slots_.size() - 1);; slot = (slot + 1) & (slots_.size() - 1)) {
            if (slots_[slot] == kFree) {
                slots_[slot] = static_cast<std::uint32_t>(values_.size());
                values_.emplace_back(key);
                hashes_.push_back(hash);
                return slots_[slot];
            }
            if (hashes_[slots_[slot]] == hash && values_[slots_[slot]] == key) return slots_[slot];
        }
    }

    const T& operator[](std::uint32_t number) const { return values_[number]; }
    [[nodiscard]] const std::vector<T>& values() const { return values_; }

private:
    static constexpr std::uint32_t kFree = ~std::uint32_t{0};

    void grow() {
        slots_.assign(slots_.empty() ? 8 : slots_.size() * 2, kFree);
        for (std::size_t number = 0; number < values_.size(); ++number) {
            std::size_t slot = hashes_[number] & (slots_.size() - 1);
            while (slots_[slot] != kFree)
                slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = static_cast<std::uint32_t>(number);
        }
    }

    std::vector<T> values_;
    std::vector<std::uint64_t> hashes_;
    std::vector<std::uint32_t> slots_;  ///< a power of two, at most half of them taken
};

}  // namespace tilemeter::ir::internal
