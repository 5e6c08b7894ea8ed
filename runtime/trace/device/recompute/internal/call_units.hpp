// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A recipe cut into its calls: what each of them allocates, reads and writes, what it costs, and whether it may run again.
//
// Thread safety: const calls may run at the same time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/trace/device/recompute/policy.hpp"
#include "runtime/trace/device/record/internal/recipe.hpp"
#include "runtime/trace/device/record/traced_program.hpp"

namespace tilemeter::trace::internal {

/// An outermost scope, or what lies between two of them.
struct CallUnit {
    std::uint32_t first_event = 0, last_event = 0;  ///< of the recipe's, from and up to
    std::uint32_t first_step = 0, last_step = 0;    ///< likewise
    std::uint32_t call = TracedProgram::kNoCall;    ///< its number among the outermost scopes
    std::uint32_t equation = kNone;                 ///< of the graph
    std::vector<Slot> allocates;
    std::vector<Slot> reads;  ///< each once, as those it writes; what it has allocated is among them
    std::vector<Slot> writes;
    Pass pass = Pass::kForward;
    bool can_repeat = false;  ///< makes the same again anywhere up to the end of the way back

    static constexpr std::uint32_t kNone = ~0U;
};

/// Places in Sizes of the model (policy.hpp): bytes per core, and bytes per bank.
inline constexpr std::size_t kModelL1 = 0;
inline constexpr std::size_t kModelDram = 1;

struct CallUnits {
    std::vector<CallUnit> units;  ///< in the order of the recipe
    /// The same units; values are the buffers that outlive the call that allocates them. Costs are bytes that programs read
    /// and write; kMultiplyAddsPerByte of a product count as one.
    PlanModel model;
    std::vector<Slot> slots;            ///< by value
    std::vector<std::uint32_t> values;  ///< by slot; CallUnit::kNone: it is no value

    /// The unit of each of that many equations; CallUnit::kNone: it has none.
    [[nodiscard]] std::vector<std::uint32_t> by_equation(std::size_t equations) const;

    /// A device computes about as many while it moves a byte.
    static constexpr std::uint64_t kMultiplyAddsPerByte = 128;
};

CallUnits units_of(const TracedProgram& traced);

}  // namespace tilemeter::trace::internal
