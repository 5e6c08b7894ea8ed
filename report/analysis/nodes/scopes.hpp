// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The functions that were open at each node.
//
// Thread safety: const calls are free.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/analysis/nodes/node_list.hpp"

namespace tilemeter::analysis {

/// Levels that are climbed from a scope outwards: no program nests deeper, and hostile lists nest by the thousand.
inline constexpr std::uint32_t kMostLevels = 64;

struct Scope {
    std::uint32_t start;              ///< the function_start
    std::uint32_t end = kNoIndex;     ///< the function_end; kNoIndex: still open when the list ends
    std::uint32_t parent = kNoIndex;  ///< a scope
    std::uint32_t top = 0;            ///< the outermost scope around, or itself
    std::uint32_t depth = 1;
};

struct Scopes {
    std::vector<Scope> scopes;           ///< in the order of their starts
    std::vector<std::uint32_t> of_node;  ///< innermost scope at the node, kNoIndex outside of all

    /// "ttnn.add > BinaryNgDeviceOperation"; empty for kNoIndex.
    std::string path(const NodeList& list, std::uint32_t scope) const;
    std::uint64_t duration_ns(const NodeList& list, std::uint32_t scope) const;
};

/// A function_end closes the innermost open function; one without is passed over.
Scopes find_scopes(const NodeList& list);

}  // namespace tilemeter::analysis
