// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The memory of a replay before it runs: every buffer's birth, death, place, pass and role, the memory of every program,
// and the peaks with who is alive there.
//
//     const Executable step(trace_on_device(training_step, inputs));
//     const MemoryPlan plan = plan_memory(step, inputs);
//     plan.dram.bytes;              // per bank: that of the report that step.save() writes
//     plan.saved.front();           // what the way back keeps at the highest price
//
// Places and peaks are those of the replay's capture (Executable::plan()). A role is said as far as something speaks for
// it, and with what speaks for it: the record of gradients says which tensors they are of and which tensors they are, the
// rest follows from which programs read and write a buffer.
//
// Thread safety: free functions of constant objects.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/events/event.hpp"
#include "capture/graph/captured_graph.hpp"
#include "runtime/trace/device/record/passes.hpp"
#include "runtime/trace/device/replay/executable.hpp"

namespace tilemeter::trace {

enum class BufferRole : std::uint8_t {
    kParameter,       ///< its gradient is taken, or it replaces such a one
    kInput,           ///< given, or from outside, and neither parameter nor state
    kSaved,           ///< made on the way forward, read on the way back
    kGradient,        ///< what backward() gave
    kOptimizerState,  ///< given, and updated by the optimizer, which alone reads it; or what replaces such a one
    kResult,          ///< returned, and nothing of the above
    kTemporary,       ///< made and gone within the function
    kProgramTable,  ///< on the device as long as the executable is
    kOutside,       ///< there, and no business of the function's
    kUnknown        ///< `reason` says what can't be told
};
/// "parameter", "optimizer_state" ...
std::string_view name_of(BufferRole role);

/// Of what is there before the first equation, or after the last.
inline constexpr std::uint32_t kNoEquation = ~std::uint32_t{0};

struct PlannedEquation {
    std::string operation;
    Pass pass = Pass::kForward;
    std::string source;  ///< "model.py:51"; empty: not known
};

struct PlannedBuffer {
    BufferRole role = BufferRole::kUnknown;
    std::string reason;        ///< what speaks for the role
    std::optional<Pass> pass;  ///< in which it is made; none: it was there before
    std::string name;          ///< of the parameter of the graph; empty: made in the function, or none
    std::string shape;         ///< with type and layout, as far as a capture says them
    std::uint32_t birth = kNoEquation;
    std::uint32_t death = kNoEquation;  ///< the last equation with it; kNoEquation: alive after the last one
    record::MemoryType memory{};
    std::uint64_t address = 0;
    std::uint64_t bytes_per_bank = 0;             ///< L1: per core
    std::string cores;                            ///< of a sharded one in L1, "{[0-0 - 7-7]}"; empty: on all
    std::uint64_t bytes = 0;                      ///< all banks
    std::vector<std::uint32_t> readers, writers;  ///< equations, ascending
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
    CoreCoord compute_grid;
    std::vector<PlannedEquation> equations;
    std::vector<PlannedBuffer> buffers;  ///< those that were there before, then in the order of their birth
    std::vector<PlannedProgram> programs;
    PlannedPeak l1, dram;
    std::vector<SavedBuffer> saved;  ///< dearest first
};

/// Where inputs lie.
using BufferPlaces = std::vector<std::pair<record::MemoryType, std::uint64_t>>;
BufferPlaces places_of(std::span<const Tensor> inputs);

/// Throws as Executable::plan().
MemoryPlan plan_memory(const Executable& executable, std::span<const Tensor> inputs);
/// Of what Executable::plan() gave with inputs that lay there.
MemoryPlan plan_memory(const Executable& executable, const BufferPlaces& inputs,
                       const graph::CapturedGraph& planned);

}  // namespace tilemeter::trace
