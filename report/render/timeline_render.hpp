// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Memory over time as JSON: the answers of timeline.hpp and fragmentation.hpp, every figure named by its
// unit. What is not known is null. L1 is per core, DRAM per bank: a member is bytes_per_core or
// bytes_per_bank.

#pragma once

#include <cstddef>

#include <nlohmann/json_fwd.hpp>

#include "report/analysis/answers/timeline.hpp"
#include "report/analysis/memory/fragmentation.hpp"

namespace tilemeter::analysis {

/// "bytes_per_core" of what lies in L1, else "bytes_per_bank".
const char* bytes_member(MemoryType memory);

/// A buffer of `lifetimes`: {"name", "shape", "memory", "bytes_per_core", "size_bytes", "address",
/// "operation",
/// ..}.
nlohmann::ordered_json buffer_json(const NodeList& list, const MemoryLifetimes& lifetimes,
                                   std::uint32_t buffer);

/// {"device_id": .., "events": [..]}; `device` is a slot of `lifetimes`.
nlohmann::ordered_json timeline_json(const NodeList& list, const MemoryLifetimes& lifetimes,
                                     std::uint16_t device);
/// {"node": .., "buffers": [..]}: alive after the node.
nlohmann::ordered_json live_json(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint32_t node);
/// {"late_releases": [..], "late_releases_left_out": those beyond `most`}
nlohmann::ordered_json late_releases_json(const NodeList& list, const MemoryLifetimes& lifetimes,
                                          std::size_t most);
/// {"survivors": [..]}
nlohmann::ordered_json survivors_json(const NodeList& list, const MemoryLifetimes& lifetimes);
/// {"device_id": .., "placements": [..]}: first fit and best fit.
nlohmann::ordered_json placements_json(const NodeList& list, const MemoryLifetimes& lifetimes,
                                       std::uint16_t device, L1Region region);

/// "first_fit", "best_fit"
const char* name_of(Placement placement);

}  // namespace tilemeter::analysis
