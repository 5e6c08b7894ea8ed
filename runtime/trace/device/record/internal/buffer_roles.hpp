// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The purposes of a recipe's buffers, told by their readers and writers.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "capture/graph/planned_replay.hpp"
#include "runtime/trace/device/record/internal/recipe.hpp"

namespace tilemeter::trace::internal {

using graph::BufferRole;
using graph::kNoEquation;
using graph::Pass;

/// The equations whose programs read and write each slot. `calls`: TracedProgram::calls().
class SlotUses {
public:
    SlotUses(const Recipe& recipe, std::span<const std::uint32_t> calls);

    /// By call; calls without an equation of their own have that of the last call before them, or kNoEquation.
    [[nodiscard]] const std::vector<std::uint32_t>& equation_of_call() const { return equation_of_call_; }
    /// Ascending, each once.
    [[nodiscard]] const std::vector<std::uint32_t>& readers(Slot slot) const { return readers_[slot]; }
    [[nodiscard]] const std::vector<std::uint32_t>& writers(Slot slot) const { return writers_[slot]; }
    /// By program.
    [[nodiscard]] const std::vector<std::uint32_t>& equation_of_program() const {
        return equation_of_program_;
    }

private:
    std::vector<std::uint32_t> equation_of_call_, equation_of_program_;
    std::vector<std::vector<std::uint32_t>> readers_, writers_;
};

struct SlotRole {
    BufferRole role = BufferRole::kUnknown;
    std::string reason;
};

/// By slot; those of the host have no role. `passes`: of the graph's equations.
std::vector<SlotRole> roles_of(const Recipe& recipe, const SlotUses& uses, std::span<const Pass> passes);

}  // namespace tilemeter::trace::internal
