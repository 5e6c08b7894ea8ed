// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis {

/// The addresses of a core's L1 that programs (from below) and tensors (from above) share. Both 0: not known.
struct L1Region {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};
L1Region l1_region_of(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint16_t device);

/// The list's record of a device; where it has none of that id, of the first; null if it has none at all.
const ListedDevice* listed_device(const NodeList& list, const MemoryLifetimes& lifetimes,
                                  std::uint16_t device);

}  // namespace tilemeter::analysis
