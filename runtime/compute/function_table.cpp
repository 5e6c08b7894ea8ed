// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/function_table.hpp"

#include <algorithm>
#include <bit>
#include <list>
#include <mutex>

#include "runtime/types/number_formats.hpp"

namespace tilemeter::compute {

namespace {

constexpr std::size_t kArguments = 1U << 16U;

// The numbers by their bits: NaN is equal to itself here, and 0 is not -0.
struct Key {
    UnaryKind kind;
    std::uint64_t first;
    std::uint64_t second;
    bool operator==(const Key&) const = default;
};

std::vector<Key> key_of(const FunctionChain& chain) {
    std::vector<Key> key;
    for (const auto& [kind, parameters] : chain) {
        key.push_back(
            {kind, std::bit_cast<std::uint64_t>(parameters[0]), std::bit_cast<std::uint64_t>(parameters[1])});
    }
    return key;
}

std::shared_ptr<const FunctionTable> filled(const FunctionChain& chain) {
    std::vector<float> values;
    values.reserve(kArguments);
    for (std::size_t i = 0; i < kArguments; ++i)
        values.push_back(from_bfloat16_bits(static_cast<std::uint16_t>(i)));
    for (const auto& [kind, parameters] : chain)
        unary_in_place(kind, parameters, values);
    auto table = std::make_shared<FunctionTable>();
    table->results.resize(kArguments);
    to_bfloat16(values, table->results.data());
    return table;
}

struct Entry {
    std::vector<Key> key;
    std::uint64_t elements = 0;  // that were asked for so far
    std::shared_ptr<const FunctionTable> table;
};

// The entry that was asked for last is the first.
class Entries {
public:
    std::shared_ptr<const FunctionTable> table(const FunctionChain& chain, std::uint64_t elements) {
        std::vector<Key> key = key_of(chain);
        const std::lock_guard lock(mutex_);
        const auto found = std::find_if(entries_.begin(), entries_.end(),
                                        [&](const Entry& each) { return each.key == key; });
        if (found != entries_.end()) {
            entries_.splice(entries_.begin(), entries_, found);
        } else {
            if (entries_.size() == kMostEntries) entries_.pop_back();
            entries_.push_front({std::move(key), 0, nullptr});
        }
        Entry& entry = entries_.front();
        entry.elements += elements;
        if (entry.table == nullptr && entry.elements >= kWorthFilling) entry.table = filled(chain);
        return entry.table;
    }

private:
    static constexpr std::size_t kMostEntries = 16;
    static constexpr std::uint64_t kWorthFilling = 2 * kArguments;

    std::mutex mutex_;
    std::list<Entry> entries_;
};

}  // namespace

std::shared_ptr<const FunctionTable> table_for(const FunctionChain& chain, std::uint64_t elements) {
    std::uint64_t steps = 0;
    for (const auto& [kind, parameters] : chain) {
        if (kind == UnaryKind::ALT_COMPLEX_ROTATE90) return nullptr;  // no function of one element
        steps += steps_of(kind);
    }
    if (steps <= kStepsOfLookUp) return nullptr;
    static auto& the_entries = *new Entries;  // outlives tensors that are computed at the end of the process
    return the_entries.table(chain, elements);
}

void look_up(const FunctionTable& table, std::span<const std::uint16_t> bfloat16, std::uint16_t* to) {
    const std::uint16_t* const results = table.results.data();
    const std::uint16_t* const from = bfloat16.data();
    const std::size_t count = bfloat16.size();
    for (std::size_t i = 0; i < count; ++i)
        to[i] = results[from[i]];
}

}  // namespace tilemeter::compute
