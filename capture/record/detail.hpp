// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The level of detail of a capture. Each level holds what the one before it holds, except that kCounters keeps no event
// at all: it counts them.
//
// While several captures are open, all get what the most demanding one asked for.

#pragma once

#include <cstdint>
#include <string_view>

namespace tilemeter::record {

enum class Detail : std::uint8_t {
    kCounters,   ///< the number of events of each kind
    kEvents,     ///< functions, tensors, buffers, program memory, executions
    kArguments,  ///< and the arguments of functions: what TT-NN records
    kStacks,     ///< and from where each function was called
    kPages       ///< and what is needed to say where each page of a buffer lies
};

/// "counters", "events", "arguments", "stacks", "pages".
std::string_view name_of(Detail detail);

/// In which order a stack's frames are told.
enum class FrameOrder : std::uint8_t {
    kInnermostFirst,
    kUserFramesFirst  ///< those of this library, the C++ library and the system come behind the others
};

/// Switches of the process, beside what each capture asks for: on, every capture has stack traces, or pages,
/// whatever its level (but kCounters). They hold for captures that are open and for those to come.
void set_stack_traces(bool enabled, FrameOrder order = FrameOrder::kInnermostFirst);
bool stack_traces_enabled();
void set_buffer_pages(bool enabled);
bool buffer_pages_enabled();

}  // namespace tilemeter::record
