// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/memory_plan.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>

#include "capture/record/placement.hpp"
#include "report/analysis/answers/peak.hpp"
#include "report/analysis/memory/memory_lifetimes.hpp"
#include "report/analysis/memory/tensor_flow.hpp"
#include "report/analysis/nodes/load.hpp"
#include "runtime/device/allocation.hpp"
#include "runtime/device/buffer_plan.hpp"
#include "runtime/device/device.hpp"
#include "runtime/trace/device/record/internal/buffer_roles.hpp"
#include "runtime/trace/device/record/internal/call_graph.hpp"
#include "runtime/trace/device/record/internal/recipe.hpp"
#include "runtime/types/core_range.hpp"

namespace tilemeter::trace {

namespace {

using analysis::BufferLifetime;
using analysis::MemoryLifetimes;
using analysis::NodeList;
using internal::kNoSlot;
using internal::Slot;
using internal::SlotKind;

// Which equation of the graph a node of the capture belongs to: its call's, else that of the last call before it.
class EquationOfNode {
public:
    EquationOfNode(const NodeList& list, const MemoryLifetimes& lifetimes,
                   std::span<const std::uint32_t> of_call)
        : of_node_(list.size(), kNoEquation) {
        const std::vector<analysis::Scope>& scopes = lifetimes.scopes.scopes;
        const auto is_indexing = [&](std::uint32_t scope) {
            return scopes[scope].parent == analysis::kNoIndex &&
                   list.name(scopes[scope].start) == internal::kIndexingScope;
        };
        std::size_t call = 0;
        for (std::uint32_t i = 0; i < scopes.size(); ++i) {
            const bool is_outermost = scopes[i].parent == analysis::kNoIndex || is_indexing(scopes[i].parent);
            if (!is_outermost || is_indexing(i)) continue;
            if (call < of_call.size()) of_node_[scopes[i].start] = of_call[call];
            ++call;
        }
        std::uint32_t last = kNoEquation;
        for (std::uint32_t& each : of_node_)
            last = each = each == kNoEquation ? last : each;
    }

    std::uint32_t operator()(std::uint32_t node) const {
        return node < of_node_.size() ? of_node_[node] : kNoEquation;
    }

private:
    std::vector<std::uint32_t> of_node_;
};

std::string source_of(const ir::Location& location) {
    return location.file.empty() ? "" : location.file + ":" + std::to_string(location.line);
}

// Slots of buffers that were there before, by where they lie.
std::map<std::pair<record::MemoryType, std::uint64_t>, Slot> slots_from_before(const Executable& executable,
                                                                               const BufferPlaces& inputs) {
    const internal::Recipe& recipe = executable.traced().recipe();
    std::map<std::pair<record::MemoryType, std::uint64_t>, Slot> slots;
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

// In the order in which a replay allocates.
std::vector<Slot> allocated_slots(const internal::Recipe& recipe) {
    std::vector<Slot> slots;
    for (const internal::Step& step : recipe.steps)
        if (step.kind == internal::StepKind::kAllocate) slots.push_back(step.index);
    return slots;
}

PlannedPeak peak_of(const analysis::MemoryPeak& peak, const MemoryPlan& plan,
                    const std::vector<std::size_t>& number_of, const EquationOfNode& equation_of) {
    PlannedPeak made;
    made.bytes = peak.bytes;
    if (peak.bytes == 0) return made;
    made.equation = equation_of(peak.node);
    made.program_bytes = peak.program_bytes;
    for (const analysis::Contributor& each : peak.contributors) {
        if (each.buffer == analysis::kNoIndex) continue;
        made.alive.push_back(number_of[each.buffer]);
        made.by_role[plan.buffers[made.alive.back()].role] += each.bytes;
    }
    return made;
}

std::vector<PlannedProgram> programs_of(const NodeList& list, const MemoryLifetimes& lifetimes,
                                        const EquationOfNode& equation_of) {
    std::vector<PlannedProgram> programs;
    for (const analysis::ProgramLifetime& each : lifetimes.programs) {
        PlannedProgram& program = programs.emplace_back();
        program.equation = equation_of(each.begin);
        for (std::uint32_t i = 0; i < each.piece_count; ++i) {
            const analysis::ProgramPiece& piece = lifetimes.pieces[each.first_piece + i];
            const NodeList::ProgramMemory* const row = list.program_piece(piece.node);
            program.pieces.push_back({piece.kind, piece.address, piece.size_bytes,
                                      std::string(row == nullptr ? "" : list.text(row->core_ranges)),
                                      piece.shared});
        }
    }
    return programs;
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

// Where the shards of a buffer in L1 lie; empty where it is on all cores.
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

// What the way back alone keeps: what the function was given is there anyway.
std::vector<SavedBuffer> saved_in(const MemoryPlan& plan) {
    std::vector<SavedBuffer> saved;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        const PlannedBuffer& buffer = plan.buffers[i];
        if (buffer.role != BufferRole::kSaved) continue;
        SavedBuffer& each = saved.emplace_back();
        each.buffer = i;
        for (const std::uint32_t reader : buffer.readers)
            if (plan.equations[reader].pass == Pass::kBackward) each.needed_by.push_back(reader);
        each.held_equations = each.needed_by.back() - buffer.birth + 1;
        each.byte_equations = buffer.bytes * each.held_equations;
    }
    std::ranges::stable_sort(saved, std::greater(), &SavedBuffer::byte_equations);
    return saved;
}

}  // namespace

std::string_view name_of(BufferRole role) {
    constexpr std::array<std::string_view, 10> kNames = {
        "parameter", "input",     "saved",         "gradient", "optimizer_state",
        "result",    "temporary", "program_table", "outside",  "unknown"};
    return kNames.at(static_cast<std::size_t>(role));
}

BufferPlaces places_of(std::span<const Tensor> inputs) {
    BufferPlaces places;
    for (const Tensor& each : inputs)
        places.emplace_back(each.buffer().memory(), each.buffer().address());
    return places;
}

MemoryPlan plan_memory(const Executable& executable, std::span<const Tensor> inputs) {
    const graph::CapturedGraph planned(executable.plan(inputs));
    return plan_memory(executable, places_of(inputs), planned);
}

MemoryPlan plan_memory(const Executable& executable, const BufferPlaces& inputs,
                       const graph::CapturedGraph& planned) {
    const TracedProgram& traced = executable.traced();
    const ir::Graph& graph = traced.graph();
    const internal::Recipe& recipe = traced.recipe();
    MemoryPlan plan;
    plan.name = graph.name();
    plan.device = traced.device()->description().name;
    plan.compute_grid = traced.device()->description().compute_grid;
    const std::vector<Pass> passes = passes_of(graph);
    for (const ir::Equation each : graph.equations())
        plan.equations.push_back({each.operation(), passes[each.index()], source_of(each.location())});

    const internal::SlotUses uses(recipe, traced.calls());
    const std::vector<internal::SlotRole> roles = internal::roles_of(recipe, uses, passes);
    const NodeList list = analysis::node_list_of(planned);
    const MemoryLifetimes lifetimes = analysis::find_lifetimes(list);
    const EquationOfNode equation_of(list, lifetimes, uses.equation_of_call());

    const auto from_before = slots_from_before(executable, inputs);
    const std::vector<Slot> allocated = allocated_slots(recipe);
    const std::vector<Allocation> live = traced.device()->live_allocations();
    std::size_t next_allocated = 0;
    std::vector<std::size_t> number_of;
    for (std::uint32_t i = 0; i < lifetimes.buffers.size(); ++i) {
        const BufferLifetime& lifetime = lifetimes.buffers[i];
        number_of.push_back(plan.buffers.size());
        PlannedBuffer& buffer = plan.buffers.emplace_back();
        buffer.memory = lifetime.memory;
        buffer.address = lifetime.address.size_bytes();
        buffer.bytes_per_bank = lifetime.per_bank.bytes;
        buffer.bytes = lifetime.size_bytes;
        if (lifetime.end != analysis::kNoIndex) buffer.death = equation_of(lifetime.end);
        if (lifetime.tensor != analysis::kNoIndex)
            buffer.shape = analysis::tensor_type(list, lifetime.tensor);
        Slot slot = kNoSlot;
        if (!lifetime.before_window) {
            buffer.birth = equation_of(lifetime.begin);
            if (buffer.birth != kNoEquation) buffer.pass = passes[buffer.birth];
            if (next_allocated < allocated.size()) slot = allocated[next_allocated++];
        } else if (const auto known = from_before.find({lifetime.memory, buffer.address});
                   known != from_before.end()) {
            slot = known->second;
        }
        if (slot == kNoSlot) {
            buffer.role = lifetime.before_window ? BufferRole::kOutside : BufferRole::kUnknown;
            buffer.reason = lifetime.before_window ? "the function neither takes nor uses it"
                                                   : "the traced function allocates fewer buffers";
            continue;
        }
        buffer.cores = cores_of(executable, slot, live);
        buffer.role = roles[slot].role;
        buffer.reason = roles[slot].reason;
        buffer.readers = uses.readers(slot);
        buffer.writers = uses.writers(slot);
        if (const auto input = std::ranges::find(recipe.input_slots, slot); input != recipe.input_slots.end())
            buffer.name =
                graph.name_of(graph.params()[static_cast<std::size_t>(input - recipe.input_slots.begin())]);
    }
    plan.programs = programs_of(list, lifetimes, equation_of);
    const analysis::PeakAnswer peak = analysis::find_peak(list, lifetimes);
    if (peak.l1() != nullptr) plan.l1 = peak_of(*peak.l1(), plan, number_of, equation_of);
    if (peak.dram() != nullptr) plan.dram = peak_of(*peak.dram(), plan, number_of, equation_of);
    plan.saved = saved_in(plan);
    return plan;
}

}  // namespace tilemeter::trace
