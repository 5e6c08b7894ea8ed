// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions by the type that they are for, found by the type's address: its hash reads the whole of its name, and a thread's
// own memory, which would need no atomics, is scarce in a library that Python loads.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <typeindex>
#include <typeinfo>
#include <unordered_map>
#include <utility>

namespace tilemeter {

template <typename Function>
class TypeTable {
public:
    explicit TypeTable(std::unordered_map<std::type_index, Function> all) : all_(std::move(all)) {}

    /// Null if the type has none.
    Function find(const std::type_info& type) const {
        std::atomic<const Entry*>& place =
            by_address_[reinterpret_cast<std::uintptr_t>(&type) / alignof(std::type_info) % kPlaces];
        const Entry* entry = place.load(std::memory_order_relaxed);  // of a map that no longer changes
        if (entry == nullptr || entry->first != type) {
            const auto found = all_.find(type);
            if (found == all_.end()) return nullptr;
            entry = &*found;
            place.store(entry, std::memory_order_relaxed);
        }
        return entry->second;
    }

private:
    using Entry = typename std::unordered_map<std::type_index, Function>::value_type;
    static constexpr std::size_t kPlaces = 256;

    const std::unordered_map<std::type_index, Function> all_;
    mutable std::array<std::atomic<const Entry*>, kPlaces> by_address_{};
};

}  // namespace tilemeter
