// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Graphs made ready to run, found again by their structure. It has a limit in bytes; what was not used for longest
// goes first.
//
// Thread safety: any thread, any time; different graphs run side by side.

#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "capture/ir/constant.hpp"
#include "capture/ir/graph.hpp"

namespace tilemeter::trace::internal {

/// About what a graph holds in memory, constants and subgraphs included.
std::uint64_t held_bytes(const ir::Graph& graph);

class StructureCache {
public:
    explicit StructureCache(std::uint64_t most_bytes);
    ~StructureCache();
    StructureCache(const StructureCache&) = delete;
    StructureCache& operator=(const StructureCache&) = delete;

    /// The results of the graph for these inputs.
    std::vector<ir::Constant> run(const ir::Graph& graph, std::span<const ir::Constant> inputs);

    [[nodiscard]] std::uint64_t compiled() const;
    [[nodiscard]] std::uint64_t held_bytes() const;
    void clear();

private:
    struct Entry;
    std::shared_ptr<Entry> entry_of(const ir::Graph& graph);
    void shrink();

    const std::uint64_t most_bytes_;
    mutable std::mutex mutex_;
    std::list<std::shared_ptr<Entry>> entries_;  ///< last used first
    std::unordered_multimap<std::uint64_t, std::list<std::shared_ptr<Entry>>::iterator> by_hash_;
    std::uint64_t compiled_ = 0;
    std::uint64_t held_bytes_ = 0;
};

}  // namespace tilemeter::trace::internal
