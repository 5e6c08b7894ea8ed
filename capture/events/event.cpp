// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/events/event.hpp"

#include <array>

namespace tilemeter::record {

std::string_view name_of(EventKind kind) {
    constexpr std::array<std::string_view, static_cast<std::size_t>(EventKind::kCount)> kNames = {
        "none",
        "function_begin",
        "function_end",
        "argument",
        "input_tensor",
        "output_tensor",
        "buffer_allocate",
        "buffer_free",
        "buffer_free_requested",
        "program_begin",
        "circular_buffer",
        "dataflow_buffer",
        "scratchpad",
        "program_selected",
        "sub_device_manager",
        "program_execution",
        "error",
        "buffer_alive",
        "context_hand_over",
        "context_enter",
        "context_leave"};
    static_assert(!kNames.back().empty(), "a name for each kind");
    const auto index = static_cast<std::size_t>(kind);
    return index < kNames.size() ? kNames[index] : "unknown";
}

}  // namespace tilemeter::record
