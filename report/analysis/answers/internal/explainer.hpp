// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <optional>

#include "report/analysis/answers/explain.hpp"

namespace tilemeter::analysis::internal {

/// By sizes in our placement: the first request on `device` that finds no place; nothing where all do, or where the
/// device is not described.
std::optional<Explanation> explain_first_without_place(const NodeList& list, const MemoryLifetimes& lifetimes,
                                                       std::uint16_t device);

/// L1 where something is alive in it after `node`, else DRAM where something is there, else L1.
MemoryType memory_in_use(const MemoryLifetimes& lifetimes, std::uint16_t device, std::uint32_t node);

}  // namespace tilemeter::analysis::internal
