// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace tilemeter::visualizer_import {

// Keeps each different text once; what it returns stays valid as long as the pool.
class StringPool {
public:
    std::string_view keep(std::string_view text) {
        const auto found = texts_.find(text);
        return found != texts_.end() ? *found : *texts_.emplace(text).first;
    }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    std::unordered_set<std::string, Hash, std::equal_to<>> texts_;
};

}  // namespace tilemeter::visualizer_import
