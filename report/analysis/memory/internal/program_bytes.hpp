// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis::internal {

/// The memory of a program itself on the core where it has most. Keeps a table of all cores, so make one and ask it for
/// many programs.
class ProgramBytes {
public:
    explicit ProgramBytes(const MemoryLifetimes& lifetimes) : lifetimes_(lifetimes) {}
    std::uint64_t operator()(const ProgramLifetime& program);

private:
    const MemoryLifetimes& lifetimes_;
    std::array<std::uint64_t, std::size_t{CoreSet::kGridLimit} * CoreSet::kGridLimit> of_core_{};
    std::vector<std::uint16_t> touched_;
};

}  // namespace tilemeter::analysis::internal
