// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/internal/definition_table.hpp"

#include <mutex>

namespace tilemeter::record::internal {

std::uint32_t DefinitionTable::intern(std::string_view bytes) {
    const std::size_t hash = TextTable::hash_of(bytes);
    {
        const std::shared_lock lock(mutex_);
        if (const std::uint32_t found = table_.find_in_memory(bytes, hash); found != 0) return found;
    }
    const std::unique_lock lock(mutex_);
    const auto [number, is_new] = table_.intern(bytes, hash);
    if (is_new && definitions_wanted.load(std::memory_order_acquire)) publish(number, bytes);
    return number;
}

std::string_view DefinitionTable::view_of(std::uint32_t number) const {
    const std::shared_lock lock(mutex_);
    return table_.text_of(number);
}

void DefinitionTable::publish_all() const {
    const std::shared_lock lock(mutex_);
    std::string room;
    for (std::uint32_t number = 1; number <= table_.count(); ++number)
        publish(number, table_.copy_of(number, room));
}

std::uint32_t DefinitionTable::count() const {
    const std::shared_lock lock(mutex_);
    return table_.count();
}

std::size_t DefinitionTable::bytes_in_memory() const {
    const std::shared_lock lock(mutex_);
    return table_.bytes_in_memory();
}

void DefinitionTable::publish(std::uint32_t number, std::string_view bytes) const {
    publish_definition(kind_, number, bytes);
}

}  // namespace tilemeter::record::internal
