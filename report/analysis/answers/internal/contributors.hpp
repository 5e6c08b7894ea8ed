// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "report/analysis/answers/peak.hpp"
#include "report/analysis/memory/occupancy.hpp"

namespace tilemeter::analysis::internal {

/// The buffers alive, moved forward beside an Occupancy, and what makes up the bytes of an instant.
class Contributors {
public:
    Contributors(const NodeList& list, const MemoryLifetimes& lifetimes)
        : list_(list), lifetimes_(lifetimes), known_until_(known_until(list, lifetimes.scopes)) {}

    void apply(const MemoryEvent& event);

    MemoryPeak l1(const Occupancy& occupancy, std::uint16_t device, std::uint32_t node) const;
    MemoryPeak dram(const Occupancy& occupancy, std::uint16_t device, std::uint32_t node) const;

private:
    MemoryPeak instant(std::uint32_t node) const;
    void add_buffers(MemoryPeak& peak, std::uint16_t device, bool in_dram) const;
    void add_pieces(MemoryPeak& peak, const Occupancy& occupancy, std::uint16_t device,
                    const Occupancy::CoreUse& use) const;
    Share share_of(const BufferLifetime& lifetime, const MemoryPeak& peak) const;

    const NodeList& list_;
    const MemoryLifetimes& lifetimes_;
    const std::uint32_t known_until_;  // a node
    std::set<std::uint32_t> live_;
};

}  // namespace tilemeter::analysis::internal
