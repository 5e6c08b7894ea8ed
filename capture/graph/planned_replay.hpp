// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A planned replay of a traced function, as far as its capture does not say it: which equations its calls are, and what its
// buffers are for. Plain values: who traces functions fills them in, and answers over a replay's memory read them.
//
// Thread safety: values.

#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/events/event.hpp"
#include "capture/graph/captured_graph.hpp"
#include "capture/record/records.hpp"

namespace tilemeter::graph {

/// The part of a function that an equation belongs to.
enum class Pass : std::uint8_t {
    kForward,  ///< of a record of gradients, or read by one; all that a function does that takes no gradients
    kBackward,   ///< made by backward()
    kOptimizer,  ///< reads what the way back made, or is read by what does
    kUnknown     ///< beside gradients: neither reads what they made nor is read by anything that does
};
/// "forward", "backward", "optimizer", "unknown".
std::string_view name_of(Pass pass);

enum class BufferRole : std::uint8_t {
    kParameter,       ///< its gradient is taken, or it replaces such a one
    kInput,           ///< given, or from outside, and neither parameter nor state
    kSaved,           ///< made on the way forward, read on the way back
    kGradient,        ///< a result of backward()
    kOptimizerState,  ///< given, and updated by the optimizer, which alone reads it; or what replaces such a one
    kResult,          ///< returned, and nothing of the above
    kTemporary,       ///< made and gone within the function
    kProgramTable,  ///< on the device as long as the executable is
    kOutside,       ///< there, and no business of the function's
    kUnknown        ///< `reason` says what can't be told
};
/// "parameter", "optimizer_state" ...
std::string_view name_of(BufferRole role);

/// The time before the first equation, or after the last.
inline constexpr std::uint32_t kNoEquation = ~std::uint32_t{0};

struct PlannedEquation {
    std::string operation;
    Pass pass = Pass::kForward;
    std::string source;  ///< "model.py:51"; empty: not known
};

/// The uses of a buffer, told by its readers and writers.
struct BufferUse {
    BufferRole role = BufferRole::kUnknown;
    std::string reason;  ///< the evidence for the role
    std::string name;    ///< of the parameter of the graph; empty: made in the function, or none
    std::string cores;   ///< of a sharded one in L1, "{[0-0 - 7-7]}"; empty: on all
    std::vector<std::uint32_t> readers, writers;  ///< equations, ascending
};

/// The place of a buffer: its memory and its address.
using BufferPlace = std::pair<record::MemoryType, std::uint64_t>;

struct PlannedReplay {
    std::string name, device;
    std::uint64_t grid_columns = 0, grid_rows = 0;  ///< compute cores
    std::vector<PlannedEquation> equations;
    /// By call, the outermost functions of the capture in their order.
    std::vector<std::uint32_t> equation_of_call;
    /// Functions of this name are none of them: those directly in one are.
    std::string transparent_function;
    std::map<BufferPlace, BufferUse> before;  ///< that were there before, by their places
    std::vector<BufferUse> allocated;         ///< in the order in which the replay allocates
};

/// The most that is taken at any time.
struct ReplayPeaks {
    std::uint64_t l1_bytes = 0;    ///< per core
    std::uint64_t dram_bytes = 0;  ///< per bank
};

/// Tells the peaks of a replay from the capture of its plan; what was on the device counts, in the capture or not.
using PeaksOfReplay = ReplayPeaks (*)(const CapturedGraph& planned,
                                      std::span<const record::BufferRecord> on_device);

}  // namespace tilemeter::graph
