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

/// True if the thread's operations are planned only: it has a hook of TT-NN's class, and that blocks.
bool is_planning(const ThreadState& here);

/// `allocated`: just now.
tilemeter_buffer facts_of(const Buffer* buffer, bool planned, bool allocated = false);
void emit_buffer(std::uint8_t what, const tilemeter_buffer& facts);
/// `cores`: a text. `planned`: is_planning(), which is asked once for all that a program takes.
void emit_program_memory(std::uint8_t kind, std::uint32_t cores, std::uint64_t address, std::uint64_t size,
                         std::uint8_t flags, std::uint16_t device, std::uint64_t program, bool planned);

/// A number for a program, the same as long as it is in TT-NN's cache.
std::uint64_t number_of(const Program* program);

/// Takes the layout of dataflow buffers and scratchpads, which have no getters, for that of a version, if it is known.
void use_layouts_of(std::string_view version);
bool knows_layouts();

/// Buffers of a program that is planned only: they have no address.
void list_planned_circular_buffers(const Program* program, std::span<const int> chips);

/// Finds the chips that each of the thread's programs runs on, of a workload that has one for each part of a mesh.
void find_chips(ThreadState& here, void* workload, const Device* mesh);

/// Lists the memory of the thread's programs that TT-NN has not told itself; they were launched on `chips`.
void list_pending(ThreadState& here, std::span<const int> chips);

}  // namespace tilemeter::attach::ttnn
