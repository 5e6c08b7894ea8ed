// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The types of nodes, of a graph just captured and of one read from a report alike.

#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tilemeter::graph {

enum class NodeType : std::uint8_t {
    kUnknown,  ///< of a report in a newer dialect: kept as text, counted; no captured graph has it
    kCaptureStart,
    kCaptureEnd,
    kFunctionStart,
    kFunctionEnd,
    kTensor,
    kBuffer,
    kBufferAllocate,
    kBufferDeallocate,
    kCircularBufferAllocate,
    kCircularBufferDeallocateAll,
    kDataflowBufferAllocate,
    kScratchpadAllocate,
    kSubDeviceManager,
    kProgramExecution,
    kError,
    kCount
};

/// By type, as reports spell them.
inline constexpr std::array<std::string_view, static_cast<std::size_t>(NodeType::kCount)> kNodeTypeNames = {
    "",
    "capture_start",
    "capture_end",
    "function_start",
    "function_end",
    "tensor",
    "buffer",
    "buffer_allocate",
    "buffer_deallocate",
    "circular_buffer_allocate",
    "circular_buffer_deallocate_all",
    "dataflow_buffer_allocate",
    "scratchpad_allocate",
    "sub_device_manager",
    "program_execution",
    "error"};
static_assert(!kNodeTypeNames.back().empty(), "a name for each type");

/// As reports spell it: "function_start"; "" for kUnknown.
constexpr std::string_view name_of(NodeType type) {
    return kNodeTypeNames[static_cast<std::size_t>(type)];
}

}  // namespace tilemeter::graph
