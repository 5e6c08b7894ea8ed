// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The memory of a replay before it runs: every buffer's birth, death, place, pass and role, the memory of every program,
// and the peaks with who is alive there.
//
//     const trace::Executable step(trace::trace_on_device(training_step, inputs));
//     const MemoryPlan plan = trace::plan_memory(step, inputs);
//     plan.dram.bytes;              // per bank: that of the report that step.save() writes
//     plan.saved.front();           // what the way back keeps at the highest price
//
// Places and peaks are those of the replay's capture. A role is said as far as something speaks for it, and with what
// speaks for it. The record of gradients knows gradients and their tensors, the rest follows from which programs read
// and write a buffer.
//
// Thread safety: free functions of constant objects.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "capture/events/event.hpp"
#include "capture/graph/planned_replay.hpp"

namespace tilemeter::analysis {

using graph::BufferRole;
using graph::kNoEquation;
using graph::Pass;
using graph::PlannedEquation;

struct PlannedBuffer : graph::BufferUse {
    std::optional<Pass> pass;  ///< in which it is made; none: it was there before
    std::string shape;         ///< with type and layout, as far as a capture says them
    std::uint32_t birth = kNoEquation;
    std::uint32_t death = kNoEquation;  ///< the last equation with it; kNoEquation: alive after the last one
    record::MemoryType memory{};
    std::uint64_t address = 0;
    std::uint64_t bytes_per_bank = 0;  ///< L1: per core
    std::uint64_t bytes = 0;           ///< all banks
};

struct PlannedProgramMemory {
    record::ProgramMemoryKind kind{};
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;  ///< per core
    std::string cores;        ///< "[{0-0 - 7-7}]"
    bool is_shared = false;   ///< lies in a tensor's buffer
};

struct PlannedProgram {
    std::uint32_t equation = kNoEquation;
    std::vector<PlannedProgramMemory> pieces;
};

struct PlannedPeak {
    std::uint64_t bytes = 0;                      ///< per core (L1) or per bank (DRAM)
    std::uint32_t equation = kNoEquation;         ///< in which it is first reached
    std::uint64_t program_bytes = 0;              ///< of `bytes`: circular buffers and the like
    std::vector<std::size_t> alive;               ///< numbers of buffers, largest first
    std::map<BufferRole, std::uint64_t> by_role;  ///< of `bytes`, without programs'
};

/// A buffer that the way back keeps alive, and what that costs.
struct SavedBuffer {
    std::size_t buffer = 0;
    std::uint32_t held_equations = 0;      ///< from its birth to its last use on the way back, both included
    std::uint64_t byte_equations = 0;      ///< bytes in all banks times that
    std::vector<std::uint32_t> needed_by;  ///< equations of the way back, ascending
};

struct MemoryPlan {
    std::string name, device;
    std::uint64_t grid_columns = 0, grid_rows = 0;  ///< compute cores
    std::vector<PlannedEquation> equations;
    std::vector<std::optional<std::uint32_t>>
        first_nodes;                     ///< of each equation in the plan's capture, if it has one
    std::vector<PlannedBuffer> buffers;  ///< those that were there before, then in the order of their birth
    std::vector<PlannedProgram> programs;
    PlannedPeak l1, dram;
    std::vector<SavedBuffer> saved;  ///< dearest first
};

/// From the capture of a replay's plan (Executable::plan()) and the facts about the replay beside it.
MemoryPlan plan_memory(const graph::CapturedGraph& planned, const graph::PlannedReplay& replay);

/// The peaks alone, a fraction of the work: a graph::PeaksOfReplay.
graph::ReplayPeaks peaks_of_replay(const graph::CapturedGraph& planned,
                                   std::span<const record::BufferRecord> on_device);

}  // namespace tilemeter::analysis

// The names that functions of tensors have for them.
namespace tilemeter::trace {

using graph::name_of;
using BufferRole = graph::BufferRole;
using PlannedEquation = graph::PlannedEquation;
inline constexpr std::uint32_t kNoEquation = graph::kNoEquation;
using MemoryPlan = analysis::MemoryPlan;
using PlannedBuffer = analysis::PlannedBuffer;
using PlannedPeak = analysis::PlannedPeak;
using PlannedProgram = analysis::PlannedProgram;
using PlannedProgramMemory = analysis::PlannedProgramMemory;
using SavedBuffer = analysis::SavedBuffer;

/// For an executable's replay on these inputs (runtime/trace/device/replay/executable.hpp). Throws as its plan().
template <typename Replay, typename Inputs>
MemoryPlan plan_memory(const Replay& replay, const Inputs& inputs) {
    return analysis::plan_memory(graph::CapturedGraph(replay.plan(inputs)), planned_replay(replay, inputs));
}

}  // namespace tilemeter::trace
