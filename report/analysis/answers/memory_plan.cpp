// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/answers/memory_plan.hpp"

#include <functional>
#include <set>

#include "report/analysis/answers/peak.hpp"
#include "report/analysis/memory/memory_lifetimes.hpp"
#include "report/analysis/memory/tensor_flow.hpp"
#include "report/analysis/nodes/load.hpp"

namespace tilemeter::analysis {

namespace {

// The equation that a node of the capture belongs to: its call's, else that of the last call before it.
class EquationOfNode {
public:
    EquationOfNode(const NodeList& list, const MemoryLifetimes& lifetimes, const graph::PlannedReplay& replay)
        : of_node_(list.size(), kNoEquation) {
        const std::vector<Scope>& scopes = lifetimes.scopes.scopes;
        const auto is_transparent = [&](std::uint32_t scope) {
            return scopes[scope].parent == kNoIndex &&
                   list.name(scopes[scope].start) == replay.transparent_function;
        };
        const std::vector<std::uint32_t>& of_call = replay.equation_of_call;
        std::size_t call = 0;
        for (std::uint32_t i = 0; i < scopes.size(); ++i) {
            const bool is_outermost = scopes[i].parent == kNoIndex || is_transparent(scopes[i].parent);
            if (!is_outermost || is_transparent(i)) continue;
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

PlannedPeak peak_of(const MemoryPeak& peak, const MemoryPlan& plan, const std::vector<std::size_t>& number_of,
                    const EquationOfNode& equation_of) {
    PlannedPeak made;
    made.bytes = peak.bytes;
    if (peak.bytes == 0) return made;
    made.equation = equation_of(peak.node);
    made.program_bytes = peak.program_bytes;
    for (const Contributor& each : peak.contributors) {
        if (each.buffer == kNoIndex) continue;
        made.alive.push_back(number_of[each.buffer]);
        made.by_role[plan.buffers[made.alive.back()].role] += each.bytes;
    }
    return made;
}

std::vector<PlannedProgram> programs_of(const NodeList& list, const MemoryLifetimes& lifetimes,
                                        const EquationOfNode& equation_of) {
    std::vector<PlannedProgram> programs;
    for (const ProgramLifetime& each : lifetimes.programs) {
        PlannedProgram& program = programs.emplace_back();
        program.equation = equation_of(each.begin);
        for (std::uint32_t i = 0; i < each.piece_count; ++i) {
            const ProgramPiece& piece = lifetimes.pieces[each.first_piece + i];
            const NodeList::ProgramMemory* const row = list.program_piece(piece.node);
            program.pieces.push_back({piece.kind, piece.address, piece.size_bytes,
                                      std::string(row == nullptr ? "" : list.text(row->core_ranges)),
                                      piece.shared});
        }
    }
    return programs;
}

// The values that the way back alone keeps: arguments of the function are there anyway.
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

MemoryPlan plan_memory(const graph::CapturedGraph& planned, const graph::PlannedReplay& replay) {
    MemoryPlan plan;
    plan.name = replay.name;
    plan.device = replay.device;
    plan.grid_columns = replay.grid_columns;
    plan.grid_rows = replay.grid_rows;
    plan.equations = replay.equations;
    const NodeList list = node_list_of(planned);
    const MemoryLifetimes lifetimes = find_lifetimes(list);
    const EquationOfNode equation_of(list, lifetimes, replay);
    plan.first_nodes.resize(plan.equations.size());
    for (auto node = static_cast<std::uint32_t>(list.size()); node-- > 0;)
        if (const std::uint32_t equation = equation_of(node); equation < plan.first_nodes.size())
            plan.first_nodes[equation] = node;
    auto next_allocated = replay.allocated.begin();
    std::vector<std::size_t> number_of;
    for (const BufferLifetime& lifetime : lifetimes.buffers) {
        number_of.push_back(plan.buffers.size());
        PlannedBuffer& buffer = plan.buffers.emplace_back();
        buffer.memory = lifetime.memory;
        buffer.address = lifetime.address.size_bytes();
        buffer.bytes_per_bank = lifetime.per_bank.bytes;
        buffer.bytes = lifetime.size_bytes;
        if (lifetime.end != kNoIndex) buffer.death = equation_of(lifetime.end);
        if (lifetime.tensor != kNoIndex) buffer.shape = tensor_type(list, lifetime.tensor);
        graph::BufferUse& use = buffer;
        if (lifetime.before_window) {
            const auto known = replay.before.find({lifetime.memory, buffer.address});
            use = known != replay.before.end()
                      ? known->second
                      : graph::BufferUse{
                            BufferRole::kOutside, "the function neither takes nor uses it", {}, {}, {}, {}};
            continue;
        }
        buffer.birth = equation_of(lifetime.begin);
        if (buffer.birth != kNoEquation) buffer.pass = plan.equations[buffer.birth].pass;
        if (next_allocated != replay.allocated.end()) {
            use = *next_allocated++;
        } else {
            buffer.reason = "the traced function allocates fewer buffers";
        }
    }
    plan.programs = programs_of(list, lifetimes, equation_of);
    const PeakAnswer peak = find_peak(list, lifetimes);
    if (peak.l1() != nullptr) plan.l1 = peak_of(*peak.l1(), plan, number_of, equation_of);
    if (peak.dram() != nullptr) plan.dram = peak_of(*peak.dram(), plan, number_of, equation_of);
    plan.saved = saved_in(plan);
    return plan;
}

graph::ReplayPeaks peaks_of_replay(const graph::CapturedGraph& planned,
                                   std::span<const record::BufferRecord> on_device) {
    const MemoryLifetimes lifetimes = find_lifetimes(node_list_of(planned));
    const PeakMoments moments = find_peak_moments(lifetimes);
    graph::ReplayPeaks peaks{moments.l1.bytes, moments.dram.bytes};
    // A capture of a run would count these, too.
    std::set<graph::BufferPlace> named;
    for (const BufferLifetime& each : lifetimes.buffers)
        if (each.before_window) named.emplace(each.memory, each.address.size_bytes());
    for (const record::BufferRecord& each : on_device) {
        if (named.contains({each.memory, each.address})) continue;
        (each.memory == record::MemoryType::kDram ? peaks.dram_bytes : peaks.l1_bytes) +=
            each.size_per_bank_bytes;
    }
    return peaks;
}

}  // namespace tilemeter::analysis
