// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Emitters other than this library's runtime: systems that are observed while they run. Each has numbers of its
// own for tensors, buffers and devices (ids.hpp) and says of itself what a report has to tell of it.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/events/ids.hpp"
#include "capture/record/run_mode.hpp"
#include "capture/record/window.hpp"

namespace tilemeter::record {

/// The share of a kind of memory that an emitter tells.
enum class Completeness : std::uint8_t { kNone, kPartial, kComplete };

/// "none", "partial", "complete".
std::string_view name_of(Completeness completeness);

/// Completeness of each kind of program memory.
struct ProgramMemoryKept {
    Completeness circular_buffers = Completeness::kComplete;
    Completeness dataflow_buffers = Completeness::kComplete;
    Completeness scratchpads = Completeness::kComplete;
    friend bool operator==(const ProgramMemoryKept&, const ProgramMemoryKept&) = default;
};

/// How a line of EmitterInfo::missing begins that names memory: peaks of what the emitter tells are lower bounds.
inline constexpr std::string_view kLowerBound = "lower bound: ";

struct EmitterInfo {
    std::string name;                  ///< "ttnn"; empty: this library's runtime
    std::string version;               ///< as the system says it; empty: not known
    std::string git_sha;               ///< likewise
    std::vector<std::string> missing;  ///< the missing parts, one line each
    ProgramMemoryKept normal;          ///< in RunMode::NORMAL
    ProgramMemoryKept no_dispatch;     ///< in RunMode::NO_DISPATCH

    const ProgramMemoryKept& kept(RunMode mode) const {
        return mode == RunMode::NORMAL ? normal : no_dispatch;
    }
    friend bool operator==(const EmitterInfo&, const EmitterInfo&) = default;
};

/// The emitter of that name; what is known of it is replaced. None if kMostEmitters are there.
std::optional<EmitterId> register_emitter(EmitterInfo info);

/// The description of an emitter; of EmitterId::kRuntime, and of one that was not registered, the default.
EmitterInfo emitter_info(EmitterId emitter);

/// Whose events a recording holds, by number.
std::vector<EmitterId> emitters_in(const Recording& recording);

/// The program memory that a recording tells: of each kind as much as the emitter that tells the least.
ProgramMemoryKept program_memory_kept(const Recording& recording);

}  // namespace tilemeter::record
