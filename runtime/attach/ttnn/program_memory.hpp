// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Buffers and what programs take in L1, as events.
//
// Thread safety: any thread.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/attach/ttnn/thread_state.hpp"

namespace tilemeter::attach::ttnn {

/// Whether operations are planned only: the thread has a hook of TT-NN's class, and it blocks.
bool is_planning();

/// `allocated`: just now.
tilemeter_buffer facts_of(const Buffer* buffer, bool planned, bool allocated = false);
void emit_buffer(std::uint8_t what, const tilemeter_buffer& facts);
void emit_program_memory(std::uint8_t kind, const CoreRangeSet* cores, std::uint64_t address,
                         std::uint64_t size, std::uint8_t flags, std::uint16_t device, std::uint64_t program);

/// A number for a program, the same as long as it is in TT-NN's cache.
std::uint64_t number_of(const Program* program);

/// Whether the layout of dataflow buffers and scratchpads, which have no getters, is known of a version.
void use_layouts_of(std::string_view version);
bool knows_layouts();

void list_circular_buffers(const Program* program, std::span<const int> chips, bool with_addresses);

/// What TT-NN has not told itself of the memory of the thread's programs, which were launched on `chips`.
void list_pending(std::span<const int> chips);

}  // namespace tilemeter::attach::ttnn
