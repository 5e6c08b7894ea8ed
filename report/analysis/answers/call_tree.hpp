// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Callers and called functions, their durations, the memory that they reached.
//
// Thread safety: const calls are free.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis {

struct CallNode {
    std::uint32_t scope;
    std::uint64_t duration_ns = 0;
    std::uint64_t l1_peak_bytes = 0;     ///< highest per core of any device while it was open
    std::uint64_t dram_peak_bytes = 0;   ///< highest per bank
    std::int64_t l1_change_bytes = 0;    ///< per core, tensors, from its begin to its end
    std::int64_t dram_change_bytes = 0;  ///< the same per bank
    bool aborted = false;
    bool open = false;  ///< it has no end
};

/// One per scope, in the order of Scopes::scopes.
std::vector<CallNode> call_nodes(const NodeList& list, const MemoryLifetimes& lifetimes);

/// The hierarchy as text; one of a list with times has them and the memory beside the names, and
/// operations the line of Python that called them, where that is recorded.
///
///     ttnn::add
///     ├── ttnn::repeat
///     │   └── create_device_tensor
std::string call_tree(const NodeList& list, const MemoryLifetimes& lifetimes);

}  // namespace tilemeter::analysis
