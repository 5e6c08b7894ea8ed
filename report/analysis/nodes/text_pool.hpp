// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The distinct texts of one node list, each once, named by a small number.
//
// Thread safety: const calls are free, others need outside locking.

#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace tilemeter::analysis {

/// Names a text of the pool it came from. kNone: there is no text, which is not the same as an empty one.
enum class TextRef : std::uint32_t { kNone = 0 };

class TextPool {
public:
    TextRef intern(std::string_view text) {
        const auto found = ids_.find(text);
        if (found != ids_.end()) return found->second;
        const std::string& kept = texts_.emplace_back(text);
        const auto id = static_cast<TextRef>(texts_.size());
        ids_.emplace(kept, id);
        return id;
    }

    /// Empty for kNone. The view lives as long as the pool, also when that is moved.
    std::string_view of(TextRef id) const {
        return id == TextRef::kNone ? std::string_view() : texts_[static_cast<std::uint32_t>(id) - 1];
    }

    /// The id of a text that is there, else kNone.
    TextRef find(std::string_view text) const {
        const auto found = ids_.find(text);
        return found == ids_.end() ? TextRef::kNone : found->second;
    }

    std::size_t size() const { return texts_.size(); }

private:
    std::deque<std::string> texts_;  // grows without moving a text
    std::unordered_map<std::string_view, TextRef> ids_;
};

}  // namespace tilemeter::analysis
