// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A cache of recently interned values: the id of a value without making its text again. A capture records the
// same few shapes, memory configs and specs over and over; making and looking up a text costs a microsecond,
// finding the value here some 20 ns.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.
// To be used as a thread_local.

#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "runtime/types/spec_hash.hpp"

namespace tilemeter {

template <typename Value, typename Id>
class InterningCache {
public:
    /// The id of `value`; `intern(value)` makes it if the cache has not got it.
    template <typename Intern>
    Id id_of(const Value& value, Intern intern) {
        std::optional<std::pair<Value, Id>>& slot = slots_[hash_of(value) % kSlots];
        if (!slot || !(slot->first == value)) slot.emplace(value, intern(value));
        return slot->second;
    }

private:
    // A model has tens of distinct specs; a slot that two of them share costs a microsecond at each turn.
    static constexpr std::size_t kSlots = 256;
    std::array<std::optional<std::pair<Value, Id>>, kSlots> slots_;
};

}  // namespace tilemeter
