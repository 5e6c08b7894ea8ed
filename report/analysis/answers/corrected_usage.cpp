// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/answers/corrected_usage.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "report/analysis/answers/peak.hpp"
#include "report/analysis/memory/occupancy.hpp"

namespace tilemeter::analysis {
namespace {

bool is_program_event(const MemoryEvent& event) {
    return event.kind == MemoryEvent::Kind::kPiece || event.kind == MemoryEvent::Kind::kProgramEnd;
}

/// Highest program memory of one kind on any core of any device.
std::uint64_t peak_of_kind(const MemoryLifetimes& lifetimes, ProgramMemoryKind kind) {
    Occupancy occupancy(lifetimes);
    std::uint64_t peak = 0;
    for (const MemoryEvent& event : lifetimes.events) {
        if (!is_program_event(event)) continue;
        if (event.kind == MemoryEvent::Kind::kPiece && lifetimes.pieces[event.piece].kind != kind) continue;
        occupancy.apply(event);
        peak = std::max(peak, occupancy.l1_peak_bytes(lifetimes.programs[event.index].device));
    }
    return peak;
}

void replay(const MemoryLifetimes& lifetimes, bool with_older, CorrectedUsage& usage) {
    Occupancy occupancy(lifetimes);
    for (const MemoryEvent& event : lifetimes.events) {
        const bool of_program = is_program_event(event);
        if (!of_program && !with_older && lifetimes.buffers[event.index].before_window) continue;
        occupancy.apply(event);
        const std::uint16_t device =
            of_program ? lifetimes.programs[event.index].device : lifetimes.buffers[event.index].device;
        const Occupancy::Tensors& tensors = occupancy.tensors(device);
        const std::uint64_t per_core = occupancy.l1_peak_bytes(device);
        const std::uint64_t tensors_per_core = tensors.l1_bytes + tensors.l1_small_bytes;
        const std::uint64_t whole = tensors.l1_total_bytes + (per_core - tensors_per_core);
        if (with_older) {
            usage.peak_l1_memory_usage_with_older = std::max(usage.peak_l1_memory_usage_with_older, whole);
            continue;
        }
        usage.peak_l1 = std::max(usage.peak_l1, tensors_per_core);
        usage.peak_total = std::max(usage.peak_total, per_core);
        usage.peak_l1_memory_usage = std::max(usage.peak_l1_memory_usage, whole);
    }
}

std::int64_t identity_of(const NodeList& list, std::int64_t node) {
    const NodeList::Tensor* tensor = list.tensor(static_cast<std::size_t>(node));
    return tensor != nullptr && tensor->tensor_id.given() ? tensor->tensor_id.value_or(0) : -1 - node;
}

bool is_tensor(const NodeList& list, std::int64_t node) {
    return list.holds(node) && list.tensor(static_cast<std::size_t>(node)) != nullptr;
}

/// The results that the last operation with outputs gives and does not use itself: by identity the last node that says
/// so.
std::map<std::int64_t, std::uint32_t> outputs_of(const NodeList& list, const Scopes& scopes) {
    std::optional<std::uint32_t> last;  // its outermost scope
    for (std::size_t node = 0; node < list.size(); ++node) {
        if (list.nodes[node].kind != NodeType::kFunctionEnd || scopes.of_node[node] == kNoIndex) continue;
        for (const std::int64_t target : list.connections(node))
            if (is_tensor(list, target)) last = scopes.scopes[scopes.of_node[node]].top;
    }
    std::map<std::int64_t, std::uint32_t> outputs;
    std::set<std::int64_t> used;
    for (std::size_t node = 0; last && node < list.size(); ++node) {
        const std::uint32_t scope = scopes.of_node[node];
        if (scope == kNoIndex || scopes.scopes[scope].top != *last) continue;
        if (list.nodes[node].kind == NodeType::kFunctionEnd)
            for (const std::int64_t target : list.connections(node))
                if (is_tensor(list, target))
                    outputs[identity_of(list, target)] = static_cast<std::uint32_t>(target);
        if (const NodeList::Function* function = list.function(node))
            for (const std::int64_t input : list.of_pool(function->input_tensors))
                if (is_tensor(list, input)) used.insert(identity_of(list, input));
    }
    for (const std::int64_t identity : used)
        outputs.erase(identity);
    return outputs;
}

}  // namespace

CorrectedUsage corrected_usage(const NodeList& /*list*/, const MemoryLifetimes& lifetimes) {
    CorrectedUsage usage;
    usage.peak_cb = peak_of_kind(lifetimes, ProgramMemoryKind::kCircularBuffer);
    usage.peak_dataflow_buffer = peak_of_kind(lifetimes, ProgramMemoryKind::kDataflowBuffer);
    usage.peak_scratchpad = peak_of_kind(lifetimes, ProgramMemoryKind::kScratchpad);
    usage.peak_other = peak_of_kind(lifetimes, ProgramMemoryKind::kOther);
    replay(lifetimes, false, usage);
    replay(lifetimes, true, usage);
    for (const ProgramLifetime& program : lifetimes.programs)
        if (program.record == ProgramRecord::kUnknown) ++usage.unknown_programs;
    return usage;
}

TensorCounts corrected_tensor_counts(const NodeList& list, const Scopes& scopes) {
    std::set<std::int64_t> created;
    for (std::size_t node = 0; node < list.size(); ++node) {
        if (list.nodes[node].kind != NodeType::kFunctionEnd) continue;
        if (!list.name(node).ends_with("create_device_tensor")) continue;
        for (const std::int64_t target : list.connections(node))
            if (is_tensor(list, target)) created.insert(identity_of(list, target));
    }
    TensorCounts counts;
    counts.created = static_cast<std::uint32_t>(created.size());
    for (const auto& [output, node] : outputs_of(list, scopes)) {
        ++counts.outputs;
        created.erase(output);
    }
    counts.intermediate = static_cast<std::uint32_t>(created.size());
    return counts;
}

std::vector<CorrectedOutput> corrected_outputs(const NodeList& list, const MemoryLifetimes& lifetimes) {
    std::vector<CorrectedOutput> outputs;
    for (const auto& [identity, node] : outputs_of(list, lifetimes.scopes)) {
        const NodeList::Tensor& tensor = *list.tensor(node);
        CorrectedOutput output;
        output.node = node;
        output.tensor_id = tensor.tensor_id;
        output.shape = std::string(list.text(tensor.shape));
        if (const std::uint32_t lifetime = lifetimes.lifetime_of_tensor[node]; lifetime != kNoIndex) {
            output.shape = describe_buffer(list, lifetimes, lifetime).shape;
            output.size_bytes = lifetimes.buffers[lifetime].size_bytes;
            output.memory = lifetimes.buffers[lifetime].memory;
        }
        outputs.push_back(std::move(output));
    }
    std::sort(outputs.begin(), outputs.end(),
              [](const CorrectedOutput& a, const CorrectedOutput& b) { return a.node < b.node; });
    return outputs;
}

std::map<std::string, OperationTime> operation_times(const NodeList& list, const Scopes& scopes) {
    std::map<TextRef, OperationTime> by_name;
    for (std::uint32_t scope = 0; scope < scopes.scopes.size(); ++scope) {
        if (scopes.scopes[scope].end == kNoIndex) continue;
        const std::uint64_t duration = scopes.duration_ns(list, scope);
        OperationTime& time = by_name[list.function(scopes.scopes[scope].start)->name];
        ++time.calls;
        time.total_ns += duration;
        time.longest_ns = std::max(time.longest_ns, duration);
    }
    std::map<std::string, OperationTime> result;
    for (const auto& [name, time] : by_name)
        result.emplace(list.text(name), time);
    return result;
}

}  // namespace tilemeter::analysis
