// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis::internal {

/// The holes between the tensors of a device's L1, moved forward event by event; a logarithm of their number
/// per change.
class FreeSpace {
public:
    FreeSpace(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint16_t device);

    void apply(const MemoryEvent& event);
    /// 0 where the size of L1 or an address is not known.
    std::uint64_t largest_free_bytes() const;

private:
    void occupy(std::uint64_t begin, std::uint64_t end);
    void vacate(std::uint64_t begin, std::uint64_t end);

    const MemoryLifetimes& lifetimes_;
    std::map<std::uint64_t, std::uint64_t> holes_;  // begin -> end
    std::multiset<std::uint64_t> sizes_;            // of the holes
    std::uint32_t without_address_ = 0;             // L1 tensors alive that have none
    bool known_ = false;
};

}  // namespace tilemeter::analysis::internal
