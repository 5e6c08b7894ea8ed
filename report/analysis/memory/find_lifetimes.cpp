// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "report/analysis/memory/internal/buffer_tracker.hpp"
#include "report/analysis/memory/internal/device_table.hpp"
#include "report/analysis/memory/internal/program_tracker.hpp"
#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis {
namespace {

/// By node; events of one node stay in the order they were noted.
std::vector<MemoryEvent> in_list_order(std::vector<MemoryEvent> events) {
    std::stable_sort(events.begin(), events.end(),
                     [](const MemoryEvent& a, const MemoryEvent& b) { return a.node < b.node; });
    return events;
}

void scan(const NodeList& list, const Scopes& scopes, internal::BufferTracker& buffers,
          internal::ProgramTracker& programs) {
    for (std::uint32_t node = 0; node < list.size(); ++node) {
        switch (list.nodes[node].kind) {
            case NodeType::kBuffer:
                buffers.on_buffer(node);
                break;
            case NodeType::kBufferAllocate:
                buffers.on_allocate(node);
                break;
            case NodeType::kBufferDeallocate:
                buffers.on_deallocate(node);
                break;
            case NodeType::kTensor:
                buffers.on_tensor(node);
                break;
            case NodeType::kCircularBufferDeallocateAll:
                programs.on_deallocate_all(node);
                break;
            case NodeType::kProgramExecution:
                programs.on_execution(node);
                break;
            case NodeType::kFunctionEnd:
                programs.on_function_end(node, scopes.of_node[node]);
                break;
            default:
                if (list.nodes[node].is_program_memory) programs.on_piece(node);
        }
    }
}

}  // namespace

MemoryLifetimes find_lifetimes(const NodeList& list, const ProgramLibrary* known_programs) {
    MemoryLifetimes lifetimes;
    lifetimes.scopes = find_scopes(list);
    internal::DeviceTable devices(list);
    internal::BufferTracker buffers(list, lifetimes, devices);
    internal::ProgramTracker programs(list, lifetimes, devices, known_programs);
    scan(list, lifetimes.scopes, buffers, programs);
    buffers.finish();
    programs.finish();
    lifetimes.devices = devices.take_slots();
    lifetimes.events = in_list_order(std::move(lifetimes.events));
    return lifetimes;
}

}  // namespace tilemeter::analysis
