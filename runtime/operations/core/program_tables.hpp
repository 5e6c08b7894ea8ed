// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The tables of cached programs, which lie on the device as long as their program is cached; without a cache only while it
// runs.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/device/device.hpp"

namespace tilemeter {

/// Frees a program's tables, as TT-NN shows it.
void free_tables(const CachedProgram& program, Device& device);

/// Forgets the programs of the device, the newest first, and frees their tables.
void clear_program_cache(Device& device);

/// From now on programs are kept, as they are at first.
void enable_program_cache(Device& device);

/// clear_program_cache(); from now on each call builds its program.
void disable_and_clear_program_cache(Device& device);

/// Allows or forbids calls to build a program that is not in the cache, which they may at first. Else it throws
/// RuntimeError; nothing changes while the cache is off.
void set_program_cache_misses_allowed(Device& device, bool allowed);

}  // namespace tilemeter
