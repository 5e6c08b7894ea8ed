// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/replay/metal_trace_hazards.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "runtime/device/program_cache.hpp"

namespace tilemeter::trace {

namespace {

using Results = std::map<record::BufferId, std::pair<const record::BufferRecord*, record::TextId>>;

Hazard rewritten(const Allocation& live, record::TextId by, const DeviceDescription& device) {
    const record::BufferRecord& buffer = live.buffer_record;
    return {
        buffer.buffer,           buffer.memory,       buffer.address, buffer.size_per_bank_bytes, live.spec,
        live.operation,          Overwriter::kItself, buffer.address, buffer.size_per_bank_bytes, by,
        banks_of(buffer, device)};
}

// Whoever lies in the place of an input that is gone.
std::vector<Hazard> in_place_of_inputs(const std::vector<MetalTraces::Program>& programs,
                                       const Device& device) {
    const std::vector<Allocation> live = device.live_allocations();
    std::set<record::BufferId> known;
    for (const Allocation& each : live)
        known.insert(each.buffer_record.buffer);
    HazardFinder finder(live, device.description());
    for (const MetalTraces::Program& program : programs) {
        for (const TracedPlace& each : program->places_read()) {
            if (known.insert(each.buffer.buffer).second)
                finder.read(each.buffer, program->writes().operation);
        }
        for (const TracedPlace& each : program->places_written())
            known.insert(each.buffer.buffer);
    }
    std::vector<Hazard> found = finder.take();
    std::erase_if(found, [](const Hazard& each) { return each.parts.empty(); });
    return found;
}

}  // namespace

std::vector<Hazard> metal_trace_hazards(const Device& device, MeshTraceId trace, OwnResults own) {
    const std::vector<MetalTraces::Program> programs = device.traces().programs(trace);
    Results results;
    for (const MetalTraces::Program& program : programs) {
        const MetalTraceWrites& writes = program->writes();
        for (const record::BufferRecord& each : writes.results)
            results.try_emplace(each.buffer, &each, writes.operation);
    }
    std::vector<Hazard> hazards;
    std::vector<Allocation> others;
    for (const Allocation& live : device.live_allocations()) {
        const auto found = results.find(live.buffer_record.buffer);
        if (found == results.end()) {
            others.push_back(live);
        } else if (own == OwnResults::kIncluded) {
            hazards.push_back(rewritten(live, found->second.second, device.description()));
        }
    }
    HazardFinder finder(std::move(others), device.description());
    for (const MetalTraces::Program& program : programs) {
        const MetalTraceWrites& writes = program->writes();
        if (writes.program == nullptr) continue;
        for (std::size_t i = 0; i < writes.program->memory.size(); ++i)
            finder.write(writes.program->memory[i], writes.program->placement.addresses[i], writes.operation);
        for (const record::BufferRecord& each : writes.results) {
            // Programs after the first that writes to it reach nobody else.
            if (results.at(each.buffer).first == &each) finder.write(each, writes.operation);
        }
    }
    for (Hazard& each : finder.take()) {
        // It allocates nothing: whose block it shares without a byte keeps all it has.
        if (!each.parts.empty()) hazards.push_back(std::move(each));
    }
    for (Hazard& each : in_place_of_inputs(programs, device))
        hazards.push_back(std::move(each));
    return hazards;
}

}  // namespace tilemeter::trace
