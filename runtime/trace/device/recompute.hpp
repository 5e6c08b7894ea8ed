// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A traced function that keeps less: buffers go after their last use, and what a call of the way back needs is made again
// in front of it, by running the calls that made it, instead of being kept from the way forward.
//
//     const auto less = recomputed(*traced, std::array{std::uint32_t{4}});   // what equation 4 makes is made again
//     const MemoryPlan plan = plan_memory(Executable(less), inputs);         // its true peak
//     const auto results = Executable(less).replay(inputs);                  // the same values, to the bit
//
// The calls are those that were traced, with their programs: nothing is chosen anew. A call runs again only where that makes
// the same values and changes nothing else: what it makes is not returned and not written by others, and what it reads is
// not written in between.
//
// Thread safety: free functions of constant objects.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/trace/device/traced_program.hpp"

namespace tilemeter::trace {

/// Of an equation that runs again: the number of the one in the same graph whose values it makes.
inline constexpr std::string_view kRecomputesAttribute = "recomputes";

/// The equations of its graph whose calls can run again.
std::vector<std::uint32_t> repeatable_equations(const TracedProgram& traced);

/// The function, in which what these equations make is dropped in its longest pause between two uses, and made again; what that
/// needs and is not there as well. All else is freed after its last use. Throws TracingError (kBadArgument) for an equation that is
/// none, or can't run again.
std::shared_ptr<const TracedProgram> recomputed(const TracedProgram& traced,
                                                std::span<const std::uint32_t> equations);

}  // namespace tilemeter::trace
