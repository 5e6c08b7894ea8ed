// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/text.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <string_view>
#include <unordered_map>

#include "capture/record/internal/definitions.hpp"
#include "capture/record/internal/text_room.hpp"

namespace tilemeter::record {

namespace {

class TextTable {
public:
    TextId intern(std::string_view text) {
        const Key key{text, std::hash<std::string_view>{}(text)};
        {
            const std::shared_lock lock(mutex_);
            if (const auto found = ids_.find(key); found != ids_.end()) return found->second;
        }
        const std::unique_lock lock(mutex_);
        if (const auto found = ids_.find(key); found != ids_.end()) return found->second;
        texts_.push_back(room_.keep(text));
        const auto id = static_cast<TextId>(texts_.size());
        ids_.emplace(Key{texts_.back(), key.hash}, id);
        if (internal::definitions_wanted.load(std::memory_order_acquire)) publish(id, text);
        return id;
    }

    void publish_all() const {
        const std::shared_lock lock(mutex_);
        for (std::size_t i = 0; i < texts_.size(); ++i)
            publish(static_cast<TextId>(i + 1), texts_[i]);
    }

    std::string_view text_of(TextId id) const {
        const std::shared_lock lock(mutex_);
        return texts_.at(static_cast<std::size_t>(id) - 1);
    }

private:
    /// With its hash, so that a text is only read where it may be the one that is looked for.
    struct Key {
        std::string_view text;
        std::size_t hash;
        bool operator==(const Key& other) const { return hash == other.hash && text == other.text; }
    };
    struct Hash {
        std::size_t operator()(const Key& key) const { return key.hash; }
    };

    static void publish(TextId id, std::string_view text) {
        internal::publish_definition(internal::DefinitionKind::kText, static_cast<std::uint32_t>(id), text);
    }

    mutable std::shared_mutex mutex_;
    internal::TextRoom room_;
    std::deque<std::string_view> texts_;
    std::unordered_map<Key, TextId, Hash> ids_;
};

TextTable& text_table() {
    // Never destroyed: threads may still record while the process ends.
    static auto& the_table = *new TextTable;
    return the_table;
}

}  // namespace

TextId intern(std::string_view text) {
    return text.empty() ? TextId::kNone : text_table().intern(text);
}

std::string_view text_of(TextId id) {
    return id == TextId::kNone ? std::string_view() : text_table().text_of(id);
}

namespace internal {
void publish_texts() {
    text_table().publish_all();
}
}  // namespace internal

}  // namespace tilemeter::record
