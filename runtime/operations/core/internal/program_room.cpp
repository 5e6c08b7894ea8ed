// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/internal/program_room.hpp"

#include <exception>
#include <optional>

#include "capture/record/text.hpp"
#include "runtime/device/allocation.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/device/query_shadow.hpp"
#include "runtime/device/unlimited_memory.hpp"
#include "runtime/operations/core/free_l1.hpp"
#include "runtime/operations/core/planned_values.hpp"

namespace tilemeter {

void require_room(const CachedProgram& program, Device& device) {
    if (program.memory.empty() || ScopedReferencePlanning::free_l1()) return;
    QueryShadow* const query = QueryShadow::of(device);
    if (query != nullptr && query->placing() == QueryShadow::Placing::kNowhere) return;
    const bool may_overlap = query != nullptr && query->placing() == QueryShadow::Placing::kOverlapping;
    const auto lowest = may_overlap ? std::nullopt : lowest_l1_tensor(device);
    const auto explain = [&](auto& error) {
        error.device = static_cast<unsigned>(device.id());
        error.operation = record::text_of(ScopedUserOperation::current());
        if (query != nullptr) query->note_refusal(std::current_exception());
    };
    try {
        require_program_memory_fits(program.memory, program.placement, device.description(),
                                    program.program_id, lowest);
    } catch (ProgramMemoryClashError& error) {
        if (is_planned_only() && ScopedUnlimitedMemory::is_in_force()) return;
        explain(error);
        error.owners = device.owners(record::MemoryType::kL1);
        throw;
    } catch (ProgramMemoryTooLargeError& error) {
        explain(error);
        throw;
    }
}

bool has_room(const CachedProgram& program, Device& device) {
    try {
        require_room(program, device);
    } catch (const RuntimeError&) {
        return false;
    }
    return true;
}

}  // namespace tilemeter
