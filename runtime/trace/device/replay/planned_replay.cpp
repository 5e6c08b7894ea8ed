// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "capture/record/placement.hpp"
#include "runtime/device/allocation.hpp"
#include "runtime/device/buffer_plan.hpp"
#include "runtime/device/device.hpp"
#include "runtime/trace/device/record/internal/buffer_roles.hpp"
#include "runtime/trace/device/record/internal/call_graph.hpp"
#include "runtime/trace/device/record/internal/recipe.hpp"
#include "runtime/trace/device/replay/executable.hpp"
#include "runtime/types/core_range.hpp"

namespace tilemeter::trace {

namespace {

using internal::Slot;
using internal::SlotKind;

// Slots of buffers that were there before, by where they lie.
std::map<graph::BufferPlace, Slot> slots_from_before(const Executable& executable,
                                                     const BufferPlaces& inputs) {
    const internal::Recipe& recipe = executable.traced().recipe();
    std::map<graph::BufferPlace, Slot> slots;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        slots.emplace(inputs[i], recipe.input_slots[i]);
    for (const auto& [slot, buffer] : recipe.captured)
        slots.emplace(std::pair(buffer->memory(), buffer->address()), slot);
    std::size_t table = 0;
    for (Slot slot = 0; slot < recipe.slots.size(); ++slot) {
        if (recipe.slots[slot].kind != SlotKind::kTable) continue;
        const Buffer& buffer = *executable.tables()[table++];
        slots.emplace(std::pair(buffer.memory(), buffer.address()), slot);
    }
    return slots;
}

// "{[0-0 - 7-0], [0-1 - 3-1]}": a range for each run of neighbours in a row.
std::string text_of(std::vector<record::Core> cores) {
    std::ranges::sort(cores, {}, [](const record::Core& core) { return std::pair(core.y, core.x); });
    std::string text;
    for (std::size_t i = 0; i < cores.size();) {
        std::size_t end = i + 1;
        while (end < cores.size() && cores[end].y == cores[i].y && cores[end].x == cores[end - 1].x + 1)
            ++end;
        text += (text.empty() ? "" : ", ") +
                CoreRange{{cores[i].x, cores[i].y}, {cores[end - 1].x, cores[i].y}}.to_string();
        i = end;
    }
    return "{" + text + "}";
}

// The cores of a buffer in L1 that is in shards; empty where it is on all cores.
std::string cores_of(const Executable& executable, Slot slot, const std::vector<Allocation>& live) {
    const internal::Recipe& recipe = executable.traced().recipe();
    record::BufferRecord buffer = recipe.slots[slot].plan.buffer_record;
    if (const auto input = std::ranges::find(recipe.input_slots, slot); input != recipe.input_slots.end()) {
        const auto number = static_cast<std::size_t>(input - recipe.input_slots.begin());
        buffer = plan_buffer(recipe.inputs[number], recipe.device->description()).buffer_record;
    }
    for (const auto& [captured, its] : recipe.captured) {
        if (captured != slot) continue;
        const auto found = std::ranges::find(
            live, its->id(), [](const Allocation& each) { return each.buffer_record.buffer; });
        if (found != live.end()) buffer = found->buffer_record;
    }
    if (buffer.num_cores == 0 || buffer.memory == record::MemoryType::kDram) return "";
    const std::vector<record::Core> cores = record::placement_of(buffer.placement).cores;
    return cores.empty() ? "" : text_of(cores);
}

}  // namespace

BufferPlaces places_of(std::span<const Tensor> inputs) {
    BufferPlaces places;
    for (const Tensor& each : inputs)
        places.emplace_back(each.buffer().memory(), each.buffer().address());
    return places;
}

graph::PlannedReplay planned_replay(const Executable& executable, std::span<const Tensor> inputs) {
    return planned_replay(executable, places_of(inputs));
}

graph::PlannedReplay planned_replay(const Executable& executable, const BufferPlaces& inputs) {
    const TracedProgram& traced = executable.traced();
    const ir::Graph& calls = traced.graph();
    const internal::Recipe& recipe = traced.recipe();
    const DeviceDescription& device = traced.device()->description();
    graph::PlannedReplay replay;
    replay.name = calls.name();
    replay.device = device.name;
    replay.grid_columns = device.compute_grid.x;
    replay.grid_rows = device.compute_grid.y;
    const std::vector<Pass> passes = passes_of(calls);
    for (const ir::Equation each : calls.equations())
        replay.equations.push_back({each.operation(), passes[each.index()], source_of(each.location())});
    const internal::SlotUses uses(recipe, traced.calls());
    replay.equation_of_call = uses.equation_of_call();
    replay.transparent_function = internal::kIndexingScope;

    const std::vector<internal::SlotRole> roles = internal::roles_of(recipe, uses, passes);
    const std::vector<Allocation> live = traced.device()->live_allocations();
    const auto use_of = [&](Slot slot) {
        const auto input = std::ranges::find(recipe.input_slots, slot) - recipe.input_slots.begin();
        const bool is_input = static_cast<std::size_t>(input) < recipe.input_slots.size();
        return graph::BufferUse{
            roles[slot].role,
            roles[slot].reason,
            std::string(is_input ? calls.name_of(calls.params()[static_cast<std::size_t>(input)]) : ""),
            cores_of(executable, slot, live),
            uses.readers(slot),
            uses.writers(slot)};
    };
    for (const auto& [place, slot] : slots_from_before(executable, inputs))
        replay.before.emplace(place, use_of(slot));
    for (const internal::Step& step : recipe.steps)
        if (step.kind == internal::StepKind::kAllocate) replay.allocated.push_back(use_of(step.index));
    return replay;
}

}  // namespace tilemeter::trace
