// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/answers/peak.hpp"

#include <algorithm>

#include "report/analysis/memory/operation_source.hpp"
#include "report/analysis/memory/tensor_flow.hpp"

namespace tilemeter::analysis {

const char* name_of(Share share) {
    switch (share) {
        case Share::kProgram:
            return "program";
        case Share::kTemporary:
            return "temporary";
        case Share::kPersistent:
            return "persistent";
        case Share::kStale:
            return "stale";
    }
    return "";
}

const char* name_of(ProgramMemoryKind kind) {
    switch (kind) {
        case ProgramMemoryKind::kCircularBuffer:
            return "circular buffer";
        case ProgramMemoryKind::kDataflowBuffer:
            return "dataflow buffer";
        case ProgramMemoryKind::kScratchpad:
            return "scratchpad";
        case ProgramMemoryKind::kOther:
            return "other program memory";
    }
    return "";
}

const char* name_of(MemoryType memory) {
    switch (memory) {
        case MemoryType::kDram:
            return "DRAM";
        case MemoryType::kL1:
            return "L1";
        case MemoryType::kL1Small:
            return "L1_SMALL";
        case MemoryType::kTrace:
            return "TRACE";
        case MemoryType::kSystemMemory:
            return "SYSTEM_MEMORY";
    }
    return "";
}

Contributor describe_buffer(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint32_t index) {
    const BufferLifetime& lifetime = lifetimes.buffers[index];
    Contributor result;
    result.share = Share::kPersistent;
    result.memory = lifetime.memory;
    result.bytes = lifetime.per_bank.bytes;
    result.size_origin = lifetime.per_bank.origin;
    result.buffer = index;
    result.node = lifetime.before_window ? lifetime.node : lifetime.begin;
    result.address = lifetime.address;
    result.before_window = lifetime.before_window;
    result.made_by = lifetimes.scopes.path(list, lifetime.maker);
    result.source_line = source_of(list, lifetimes.scopes, lifetime.maker);
    result.name = lifetime.node == kNoIndex ? std::string("a buffer that the capture did not use")
                                            : "buffer of node " + std::to_string(lifetime.node);
    if (lifetime.tensor == kNoIndex) return result;
    result.tensor_id = list.tensor(lifetime.tensor)->tensor_id;
    result.viewer_tensor_id = viewer_tensor_id(list, lifetimes, index);
    if (result.tensor_id.given()) {
        result.name = tensor_name(list, lifetime.tensor);
        if (result.viewer_tensor_id != result.tensor_id)
            result.name += " (" + std::to_string(result.viewer_tensor_id.value_or(0)) + " in the viewer)";
    }
    result.shape = tensor_type(list, lifetime.tensor);
    return result;
}

const MemoryPeak* PeakAnswer::l1() const {
    const MemoryPeak* best = nullptr;
    for (const DevicePeak& device : devices)
        if (device.l1.bytes != 0 && (best == nullptr || device.l1.bytes > best->bytes)) best = &device.l1;
    return best;
}

const MemoryPeak* PeakAnswer::dram() const {
    const MemoryPeak* best = nullptr;
    for (const DevicePeak& device : devices)
        if (device.dram.bytes != 0 && (best == nullptr || device.dram.bytes > best->bytes))
            best = &device.dram;
    return best;
}

std::vector<SlowOperation> slowest_operations(const NodeList& list, std::size_t count) {
    const Scopes scopes = find_scopes(list);
    std::vector<std::uint32_t> outermost;
    for (std::uint32_t i = 0; i < scopes.scopes.size(); ++i)
        if (scopes.scopes[i].parent == kNoIndex) outermost.push_back(i);
    const auto longer = [&](std::uint32_t a, std::uint32_t b) {
        return scopes.duration_ns(list, a) > scopes.duration_ns(list, b);
    };
    std::stable_sort(outermost.begin(), outermost.end(), longer);
    if (outermost.size() > count) outermost.resize(count);
    std::vector<SlowOperation> result;
    for (const std::uint32_t scope : outermost) {
        const std::uint32_t start = scopes.scopes[scope].start;
        result.push_back({start, std::string(list.name(start)), scopes.duration_ns(list, scope)});
    }
    return result;
}

std::size_t operation_count(const NodeList& list) {
    const Scopes scopes = find_scopes(list);
    return static_cast<std::size_t>(
        std::count_if(scopes.scopes.begin(), scopes.scopes.end(),
                      [](const Scope& scope) { return scope.parent == kNoIndex; }));
}

}  // namespace tilemeter::analysis
