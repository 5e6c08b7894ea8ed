// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/text.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>

#include "capture/record/internal/definitions.hpp"
#include "capture/record/internal/text_table.hpp"

namespace tilemeter::record {

namespace {

class Texts {
public:
    TextId intern(std::string_view text) {
        const std::size_t hash = internal::TextTable::hash_of(text);
        {
            const std::shared_lock lock(mutex_);
            if (const std::uint32_t found = table_.find_in_memory(text, hash); found != 0)
                return TextId{found};
        }
        const std::unique_lock lock(mutex_);
        const auto [number, is_new] = table_.intern(text, hash);
        const TextId id{number};
        if (is_new && internal::definitions_wanted.load(std::memory_order_acquire)) publish(id, text);
        return id;
    }

    void publish_all() const {
        const std::shared_lock lock(mutex_);
        std::string room;
        for (std::uint32_t number = 1; number <= table_.count(); ++number)
            publish(TextId{number}, table_.copy_of(number, room));
    }

    std::string_view text_of(TextId id) const {
        const std::shared_lock lock(mutex_);
        return table_.text_of(static_cast<std::uint32_t>(id));
    }

private:
    static void publish(TextId id, std::string_view text) {
        internal::publish_definition(internal::DefinitionKind::kText, static_cast<std::uint32_t>(id), text);
    }

    mutable std::shared_mutex mutex_;
    internal::TextTable table_;
};

Texts& texts() {
    // Never destroyed: threads may still record while the process ends.
    static auto& the_table = *new Texts;
    return the_table;
}

}  // namespace

TextId intern(std::string_view text) {
    return text.empty() ? TextId::kNone : texts().intern(text);
}

std::string_view text_of(TextId id) {
    return id == TextId::kNone ? std::string_view() : texts().text_of(id);
}

namespace internal {
void publish_texts() {
    texts().publish_all();
}
}  // namespace internal

}  // namespace tilemeter::record
