// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The true peak of memory: how much, when, where, and what it was made of.
//
//     NodeList list = node_list_of(graph);   // a CapturedGraph, a JSON list, load_node_list(path)
//     PeakAnswer peak = find_peak(list);
//     peak.l1()->bytes;  peak.l1()->operation;  peak.dram()->bytes;
//
// L1 is counted per core, DRAM per bank; the two never add up.
//
// Thread safety: const calls are free.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/analysis/answers/verdict.hpp"
#include "report/analysis/memory/memory_lifetimes.hpp"
#include "report/analysis/nodes/node_list.hpp"

namespace tilemeter::analysis {

/// The shares of the bytes at a moment. A buffer is stale only where the list shows it: its last use is over, and the
/// program itself released it later, before anything failed. What is alive at the list's end, what was released by or
/// after a failure (that ends uses, needed or not), and everything in a list with nodes missing is persistent, since
/// nobody knows what would have used it. Temporary is what the operation under way both made and released, the failing
/// one too.
enum class Share : std::uint8_t {
    kProgram,     ///< circular buffers, dataflow buffers, scratchpads of the program that runs
    kTemporary,   ///< made and released within the operation
    kPersistent,  ///< there before it or after it, and needed later for all that is known
    kStale,       ///< there, and by the evidence of the list not used any more
};
const char* name_of(Share share);
const char* name_of(ProgramMemoryKind kind);
const char* name_of(MemoryType memory);

struct Contributor {
    Share share = Share::kProgram;
    ProgramMemoryKind kind = ProgramMemoryKind::kOther;  ///< kProgram
    MemoryType memory = MemoryType::kL1;
    std::uint64_t bytes = 0;  ///< on the core, or in the bank
    std::uint32_t node = kNoIndex;
    std::uint32_t buffer = kNoIndex;  ///< in MemoryLifetimes::buffers; kNoIndex for program memory
    Number address;
    std::string name;         ///< "tensor 12", "tensor 24 (25 in the viewer)", "circular buffer"
    std::string shape;        ///< with type and layout
    std::string made_by;      ///< operations, outermost first; empty: before the capture
    std::string source_line;  ///< "model.py:51" that called the outermost; empty: not recorded
    Number tensor_id;         ///< in the list
    Number viewer_tensor_id;  ///< in TT-NN's visualizer and in Python
    std::string core_ranges;
    bool before_window = false;
    SizeOrigin size_origin = SizeOrigin::kRecorded;
};

struct MemoryPeak {
    std::uint64_t bytes = 0;                  ///< per core (L1) or per bank (DRAM)
    std::uint64_t total_bytes = 0;            ///< DRAM: all banks
    std::uint32_t node = kNoIndex;            ///< after this node it was reached, for the first time
    std::uint32_t operation_node = kNoIndex;  ///< function_start of the outermost operation then
    std::string operation;                    ///< its name
    std::string path;                         ///< down to the innermost function
    std::string source_line;                  ///< that called the operation; empty: not recorded
    std::optional<Core> core;                 ///< L1: a core where it is that full; none: all are alike
    std::optional<std::int64_t> chip;         ///< on a mesh whose chips differ
    std::uint64_t program_bytes = 0, temporary_bytes = 0, persistent_bytes = 0, stale_bytes = 0;
    std::vector<Contributor> contributors;  ///< largest first; their bytes add up to `bytes`
    Bound bound = Bound::kExact;
    std::optional<std::uint64_t> limit_bytes;     ///< that can be allocated; nothing: not known
    std::optional<std::uint64_t> physical_bytes;  ///< L1 of the core, or size of the bank
};

struct DevicePeak {
    Number device;  ///< its id in the list; not given where the list names none
    std::vector<std::int64_t> chips;
    MemoryPeak l1;
    MemoryPeak dram;
    std::uint64_t window_only_l1_bytes = 0;  ///< the peak without what is older than the capture
};

struct PeakAnswer {
    Judgement judgement;  ///< on the device of the capture: what the figures are worth, and what is missing
    std::vector<DevicePeak> devices;
    std::uint32_t programs = 0;            ///< that ran
    std::uint32_t filled_in_programs = 0;  ///< whose memory is that of their recorded run in the same list
    /// Whose memory is, in whole or in part, that of the same program in another capture.
    std::uint32_t programs_from_library = 0;
    std::vector<std::string> unknown_programs;  ///< whose memory is not known: their paths, each once
    std::uint32_t unknown_program_count = 0;
    std::vector<std::string> caveats;  ///< parts that the figures leave out, one sentence each

    /// The peak on the device where it is highest; null if no device had any.
    const MemoryPeak* l1() const;
    const MemoryPeak* dram() const;
};

PeakAnswer find_peak(const NodeList& list, const ProgramLibrary* known_programs = nullptr);
PeakAnswer find_peak(const NodeList& list, const MemoryLifetimes& lifetimes);

/// The height of a peak and its moment, without its contributors: a fraction of the work.
struct PeakMoment {
    std::uint64_t bytes = 0;        ///< as MemoryPeak has them
    std::uint32_t node = kNoIndex;  ///< kNoIndex: there was nothing
};
struct PeakMoments {
    PeakMoment l1, dram;  ///< each of the device where it is highest
};
PeakMoments find_peak_moments(const MemoryLifetimes& lifetimes);

/// The memory after `node`, decomposed for the fullest core of `device` (a slot of `lifetimes`); without limits.
MemoryPeak l1_at(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint16_t device,
                 std::uint32_t node);

/// A buffer of `lifetimes`: name, shape, maker, size.
Contributor describe_buffer(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint32_t buffer);

struct SlowOperation {
    std::uint32_t node;
    std::string name;
    std::uint64_t duration_ns;
};
/// Outermost operations by duration, longest first.
std::vector<SlowOperation> slowest_operations(const NodeList& list, std::size_t count);
/// Number of outermost operations.
std::size_t operation_count(const NodeList& list);

}  // namespace tilemeter::analysis
