// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The room for a program in L1. Program memory grows from the bottom on its cores; tensors, from the top, lie in every bank.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/device/device.hpp"

namespace tilemeter {

/// Throws ProgramMemoryClashError or ProgramMemoryTooLargeError where there is none now. While NO_DISPATCH plans for
/// unlimited memory only what is too large for any device.
void require_room(const CachedProgram& program, Device& device);

/// True if there is room now. The program cache does not keep a program that is refused for want of it.
bool has_room(const CachedProgram& program, Device& device);

}  // namespace tilemeter
