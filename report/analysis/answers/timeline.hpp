// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Memory over time: event by event, what lives at one moment, what lives too long.
//
// Thread safety: const calls are free.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis {

struct TimelineRow {
    std::uint32_t node;
    std::uint32_t scope;             ///< innermost function then; kNoIndex outside of all
    const char* event;               ///< "begin_op", "end_op", "buffer_allocate", ...
    std::uint64_t total_cb = 0;      ///< program memory of the fullest core
    std::uint64_t total_buffer = 0;  ///< whole sizes of all buffers, L1 and DRAM
    std::uint64_t l1_per_core = 0;   ///< tensors and programs
    std::uint64_t dram_per_bank = 0;
    std::uint64_t l1_largest_free = 0;  ///< between tensors, per core; 0 where addresses are not known
};

/// One row per function begin and end and per change of memory, of the device with slot `device`.
std::vector<TimelineRow> timeline(const NodeList& list, const MemoryLifetimes& lifetimes,
                                  std::uint16_t device = 0);

struct LateRelease {
    std::uint32_t buffer;                ///< in MemoryLifetimes::buffers
    std::uint32_t operations_held;       ///< outermost operations between last use and release (or the end)
    std::uint64_t cost;                  ///< bytes (per core, or per bank) times operations held
    std::uint32_t last_user = kNoIndex;  ///< outermost scope that used it last
    std::uint32_t releaser = kNoIndex;   ///< outermost scope in which it was released
};
/// Buffers that outlive their last use, dearest first. Not those that are alive at the end (that is what
/// results do), nor what the list never uses.
std::vector<LateRelease> late_releases(const NodeList& list, const MemoryLifetimes& lifetimes);

/// Allocations of the list that are alive at its end, by maker and shape. Several of one kind, at a steady
/// pace, are a leak ("creep").
struct Survivors {
    std::string made_by;
    std::string shape;
    MemoryType memory = MemoryType::kL1;
    std::uint32_t count = 0;
    std::uint64_t bytes = 0;          ///< per core or bank, together
    std::int64_t lowest_address = 0;  ///< 0: not known
    std::uint32_t first_node = 0;
    std::uint32_t last_node = 0;
    double operations_between = 0;  ///< outermost operations from one to the next, on average; 0 for one
    std::vector<std::uint32_t> buffers;
};
std::vector<Survivors> survivors(const NodeList& list, const MemoryLifetimes& lifetimes);

/// Buffers alive after `node`, as indices into MemoryLifetimes::buffers.
std::vector<std::uint32_t> live_at(const MemoryLifetimes& lifetimes, std::uint32_t node);

}  // namespace tilemeter::analysis
