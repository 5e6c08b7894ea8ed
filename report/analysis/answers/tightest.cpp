// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/answers/tightest.hpp"

#include <algorithm>

#include "report/analysis/answers/call_tree.hpp"
#include "report/analysis/memory/device_limits.hpp"

namespace tilemeter::analysis {

std::vector<TightOperation> tightest_operations(const NodeList& list, const MemoryLifetimes& lifetimes,
                                                MemoryType memory) {
    std::optional<std::uint64_t> limit;
    for (std::uint16_t device = 0; device < lifetimes.devices.size(); ++device)
        if (const auto limits = limits_of(list, lifetimes, device)) {
            const std::uint64_t bytes =
                memory == MemoryType::kL1 ? limits->l1_bytes : limits->dram_bank_bytes;
            if (bytes != 0) limit = std::min(limit.value_or(bytes), bytes);
        }
    std::vector<TightOperation> operations;
    for (const CallNode& call : call_nodes(list, lifetimes)) {
        if (lifetimes.scopes.scopes[call.scope].parent != kNoIndex) continue;
        const std::uint64_t peak = memory == MemoryType::kL1 ? call.l1_peak_bytes : call.dram_peak_bytes;
        TightOperation operation{call.scope, peak, std::nullopt};
        if (limit) operation.headroom_bytes = static_cast<std::int64_t>(*limit - peak);
        operations.push_back(operation);
    }
    std::stable_sort(operations.begin(), operations.end(),
                     [](const auto& a, const auto& b) { return a.peak_bytes > b.peak_bytes; });
    return operations;
}

}  // namespace tilemeter::analysis
