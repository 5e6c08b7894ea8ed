// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Call stacks as raw return addresses, innermost first, each distinct stack kept once. Names and lines are
// found when somebody reads them (capture/graph/symbolizer.hpp); the modules that the addresses lie in are
// noted with their build ids (modules.hpp), so that this can be another machine.
//
// Thread safety: all functions may be called from any thread, not from a signal handler.

#pragma once

#include <cstdint>
#include <span>

#include "capture/record/ids.hpp"

namespace tilemeter::record {

/// Frames kept of a stack, the innermost ones.
inline constexpr std::size_t kMostFrames = 64;

/// The calling thread's stack, without the caller's own frame. A stack seen before costs a walk by
/// libunwind's cached method and a lookup; a new one also a lock and its storage.
StackId capture_stack();

/// Interns return addresses, as from another process.
StackId intern_stack(std::span<const std::uint64_t> addresses);

/// The addresses behind an id; empty for kNone. REQUIRES: `id` came from this file. Valid for the life of the
/// process.
std::span<const std::uint64_t> stack_of(StackId id);

}  // namespace tilemeter::record
