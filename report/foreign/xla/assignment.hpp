// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The buffer assignment of a compiled XLA module, as --xla_dump_to with --xla_dump_hlo_as_proto writes it. Source of the fields:
// XLA's hlo.proto and the dumps themselves.
//
// Thread safety: values are values; calls are free.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "capture/events/ids.hpp"
#include "report/input.hpp"
#include "report/result.hpp"

namespace tilemeter::foreign::xla {

/// Who a value comes from.
struct Instruction {
    std::string name;                                 ///< "copy_bitcast_fusion"
    std::string opcode;                               ///< "fusion"
    record::StackId frames = record::StackId::kNone;  ///< the program's own lines, where they are told
};

struct LogicalBuffer {
    std::uint64_t size = 0;       ///< bytes
    std::size_t instruction = 0;  ///< index of Assignment::instructions, the first is none
};

enum class AllocationKind : std::uint8_t { kArgument, kConstant, kThreadLocal, kOutput, kTemporary };
/// "argument", ...
const char* name_of(AllocationKind kind);

/// Where a logical buffer lies in an allocation.
struct Assigned {
    std::uint64_t buffer = 0, offset = 0, size = 0;
};

struct Allocation {
    std::uint64_t index = 0, size = 0;
    AllocationKind kind = AllocationKind::kTemporary;
    std::vector<Assigned> assigned;
};

enum class HeapAction : std::uint8_t { kAllocate, kFree, kShare };

struct HeapEvent {
    HeapAction action = HeapAction::kAllocate;
    std::uint64_t buffer = 0;
    std::uint64_t shares = 0;     ///< kShare: whose memory it is
    std::size_t instruction = 0;  ///< index of Assignment::names
};

struct HeapTrace {
    std::uint64_t allocation = 0;
    std::vector<HeapEvent> events;
};

struct Assignment {
    std::string module;
    std::vector<Instruction> instructions;
    std::vector<std::string> names;  ///< of instructions, as heap traces name them
    std::map<std::uint64_t, LogicalBuffer> buffers;
    std::vector<Allocation> allocations;
    std::vector<HeapTrace> heaps;
};

/// A memory is live from kAllocate until the last that shares it is freed, and counts once.
struct HeapFigures {
    std::uint64_t allocation = 0;
    std::uint64_t live_peak_bytes = 0;
    std::string live_peak_at;  ///< the instruction that reached it first
    std::size_t peak_event = 0;
    std::vector<std::uint64_t> at_peak;    ///< sizes of what was live then, the largest first
    std::vector<std::uint64_t> live_then;  ///< the buffers
};

struct Figures {
    std::uint64_t total_bytes = 0;
    std::map<AllocationKind, std::uint64_t> bytes;
    std::vector<HeapFigures> heaps;
};

/// Nothing where the file is a module without a buffer assignment. The error names the byte.
report::Result<std::optional<Assignment>> load_assignment(report::Input& input);

Figures figures_of(const Assignment& assignment);

}  // namespace tilemeter::foreign::xla
