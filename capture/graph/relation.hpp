// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A one-to-many relation between small numbers (node -> nodes), collected as pairs, then read per source in
// the order the pairs came. Two numbers per pair instead of a list per source.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tilemeter::graph {

class Relation {
public:
    void reserve(std::size_t pairs) { pairs_.reserve(pairs); }

    void add(std::uint32_t source, std::uint32_t target) { pairs_.push_back({source, target}); }

    /// Sorts what was added; sources are 0 .. count - 1. Nothing can be added afterwards.
    void close(std::size_t count) {
        first_.assign(count + 1, 0);
        for (const Pair& pair : pairs_)
            ++first_[pair.source + 1];
        for (std::size_t i = 1; i <= count; ++i)
            first_[i] += first_[i - 1];
        targets_.resize(pairs_.size());
        std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
        for (const Pair& pair : pairs_)
            targets_[next[pair.source]++] = pair.target;
        pairs_ = {};
    }

    /// The targets of `source`, in the order they were added. REQUIRES: closed.
    std::span<const std::uint32_t> of(std::uint32_t source) const {
        return std::span(targets_).subspan(first_[source], first_[source + 1] - first_[source]);
    }

private:
    struct Pair {
        std::uint32_t source;
        std::uint32_t target;
    };
    std::vector<Pair> pairs_;
    std::vector<std::uint32_t> first_;  // first_[s] .. first_[s + 1]: the range of s in targets_
    std::vector<std::uint32_t> targets_;
};

}  // namespace tilemeter::graph
