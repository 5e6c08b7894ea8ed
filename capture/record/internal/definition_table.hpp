// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Definitions that events name by a small id, each distinct one once, as the bytes that recording files have of it. All
// are known for the life of the process, in memory that has an end (text_table.hpp).
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstddef>
#include <cstdint>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/events/internal/definitions.hpp"
#include "capture/record/internal/definition_codec.hpp"
#include "capture/record/internal/text_table.hpp"

namespace tilemeter::record::internal {

class DefinitionTable {
public:
    explicit DefinitionTable(DefinitionKind kind, std::size_t most_in_memory = TextTable::kMostInMemory)
        : kind_(kind), table_(most_in_memory) {}

    /// The number of equal bytes, from 1. What is new goes to the open recording file before the number is known.
    std::uint32_t intern(std::string_view bytes);

    /// REQUIRES: number is one that intern() gave. The view stays valid as long as this object.
    std::string_view view_of(std::uint32_t number) const;

    /// Calls visit(bytes), which end with the call.
    template <typename Visit>
    void visit(std::uint32_t number, Visit visit) const {
        std::string room;
        const std::shared_lock lock(mutex_);
        visit(table_.copy_of(number, room));
    }

    void publish_all() const;

    std::uint32_t count() const;
    /// The bytes that further definitions may add to.
    std::size_t bytes_in_memory() const;

private:
    void publish(std::uint32_t number, std::string_view bytes) const;

    const DefinitionKind kind_;
    mutable std::shared_mutex mutex_;
    TextTable table_;
};

/// The same of values that definition_codec.hpp has a form for.
template <typename Info, typename Id>
class EncodedTable {
public:
    explicit EncodedTable(DefinitionKind kind) : table_(kind, kMostInMemory) {}

    Id intern(const Info& info) {
        const std::vector<char> bytes = encode(info);
        return Id{table_.intern({bytes.data(), bytes.size()})};
    }

    /// A default one for 0. REQUIRES: `id` came from intern().
    Info of(Id id) const {
        Info info;
        if (id != Id{})
            table_.visit(static_cast<std::uint32_t>(id),
                         [&](std::string_view bytes) { decode(bytes, info); });
        return info;
    }

    const DefinitionTable& table() const { return table_; }

private:
    // Some five thousand.
    static constexpr std::size_t kMostInMemory = std::size_t{1} << 20;
    DefinitionTable table_;
};

}  // namespace tilemeter::record::internal
