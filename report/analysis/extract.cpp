// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/extract.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "report/analysis/bank_size.hpp"

namespace tilemeter::graph {
namespace {

using Kind = AnalysisError::Kind;

[[noreturn]] void fail(std::size_t node, const std::string& what) {
    throw AnalysisError(Kind::kRuntime, "node " + std::to_string(node) + ": " + what);
}

/// A count as TT-NN takes it from a node: there, and made of digits.
std::uint64_t required(Number number, std::size_t node, const char* field) {
    if (number.given()) return static_cast<std::uint64_t>(number.value_or(0));
    if (number.is_no_digits())
        throw AnalysisError(Kind::kValue, "node " + std::to_string(node) + ", " + field + ": no number");
    fail(node, std::string(field) + (number.is_absent() ? " is missing" : " is no number"));
}

std::uint32_t cut(std::uint64_t value) {
    return static_cast<std::uint32_t>(value);  // TT-NN keeps sizes in 32 bits
}

bool is_l1(const NodeList& list, const NodeList::Buffer& buffer) {
    return list.text(buffer.type) == "L1";
}

/// Node of the buffers that follow an outermost function_start at once, as TT-NN takes inputs to be noted.
std::size_t add_inputs(const NodeList& list, std::size_t start, std::uint32_t& bytes) {
    std::size_t node = start;
    while (node + 1 < list.size()) {
        if (list.nodes[node + 1].kind == NodeKind::kTensor) {
            ++node;
            continue;
        }
        const NodeList::Buffer* buffer = list.buffer(node + 1);
        if (list.nodes[node + 1].kind != NodeKind::kBuffer || buffer == nullptr || !is_l1(list, *buffer))
            break;
        ++node;
        bytes += cut(required(buffer->size_bytes, node, "size"));
    }
    return node;
}

std::optional<std::size_t> output_end(const NodeList& list) {
    for (std::size_t node = list.size(); node-- > 0;) {
        if (list.nodes[node].kind != NodeKind::kFunctionEnd) continue;
        for (const std::int64_t target : list.connections(node))
            if (list.holds(target) && list.nodes[static_cast<std::size_t>(target)].kind == NodeKind::kTensor)
                return node;
    }
    return {};
}

std::vector<std::int64_t> output_nodes(const NodeList& list) {
    const auto end = output_end(list);
    if (!end)
        throw AnalysisError(Kind::kRuntime,
                            "No function_end node with tensor connections found in the trace");
    std::vector<std::int64_t> nodes;
    for (const std::int64_t target : list.connections(*end))
        if (list.holds(target) && list.nodes[static_cast<std::size_t>(target)].kind == NodeKind::kTensor)
            nodes.push_back(target);
    return nodes;
}

/// "Shape([1, 3])" as TT-NN reads it: numbers between the first brackets, each modulo 2^32, a comma, at most
/// one blank; anything else ends it.
std::vector<std::uint32_t> shape_of(std::string_view text) {
    std::vector<std::uint32_t> shape;
    const std::size_t open = text.find('[');
    const std::size_t close = text.find(']');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) return shape;
    std::size_t at = open + 1;
    while (at < close) {
        std::size_t digit = at;
        while (digit < close && (text[digit] == ' ' || (text[digit] >= '\t' && text[digit] <= '\r')))
            ++digit;
        const bool negative = digit < close && text[digit] == '-';
        if (digit < close && (text[digit] == '-' || text[digit] == '+')) ++digit;
        const std::size_t first = digit;
        std::uint64_t value = 0;
        for (; digit < close && text[digit] >= '0' && text[digit] <= '9'; ++digit)
            value = value > std::numeric_limits<std::uint64_t>::max() / 10 - 1
                        ? std::numeric_limits<std::uint64_t>::max()
                        : value * 10 + static_cast<std::uint64_t>(text[digit] - '0');
        if (digit == first) break;
        shape.push_back(cut(negative ? 0 - value : value));
        at = digit;
        if (at < close && text[at] == ',') ++at;
        if (at < close && text[at] == ' ') ++at;
    }
    return shape;
}

/// The dialect of TT-NN's document: no stacking levels, flags as "true" and "false", no sizes per bank.
bool is_oldest_dialect(const NodeList& list) {
    return std::all_of(list.nodes.begin(), list.nodes.end(),
                       [](const NodeList::Node& node) { return node.level == NodeList::kNoLevel; });
}

}  // namespace

std::uint32_t extract_peak_L1_memory_usage(const NodeList& list) {
    std::uint32_t programs = 0;
    std::uint32_t buffers = 0;
    std::uint32_t peak = 0;
    std::size_t depth = 0;
    for (std::size_t node = 0; node < list.size(); ++node) {
        const NodeList::ProgramMemory* piece = list.program_piece(node);
        const NodeList::Buffer* buffer = list.buffer(node);
        switch (list.nodes[node].kind) {
            case NodeKind::kFunctionStart:
                if (depth++ == 0) node = add_inputs(list, node, buffers);
                break;
            case NodeKind::kFunctionEnd:
                if (depth > 0) --depth;
                break;
            case NodeKind::kCircularBufferAllocate:
            case NodeKind::kScratchpadAllocate:
                programs += cut(required(piece->size_bytes, node, "size"));
                break;
            case NodeKind::kDataflowBufferAllocate:
                if (required(piece->shared_number, node, "borrows_memory") != 1)
                    programs += cut(required(piece->size_bytes, node, "size"));
                break;
            case NodeKind::kCircularBufferDeallocateAll:
                programs = 0;
                break;
            case NodeKind::kBufferAllocate:
                if (is_l1(list, *buffer)) buffers += cut(required(buffer->size_bytes, node, "size"));
                break;
            case NodeKind::kBufferDeallocate: {
                const auto targets = list.connections(node);
                if (targets.empty() || !list.holds(targets.front())) break;
                const auto* freed = list.buffer(static_cast<std::size_t>(targets.front()));
                if (freed != nullptr && is_l1(list, *freed))
                    buffers -= cut(required(freed->size_bytes, node, "size"));
                break;
            }
            default:
                break;
        }
        peak = std::max(peak, programs + buffers);
    }
    return peak;
}

PeakMemoryUsagePerCore extract_resource_usage_per_core(const NodeList& list) {
    const bool oldest = is_oldest_dialect(list);
    const auto is_shared = [&](const NodeList::ProgramMemory& piece, std::size_t node, const char* field) {
        if (oldest && piece.shared_number.is_no_digits()) return piece.shared;
        return required(piece.shared_number, node, field) == 1;
    };
    const auto per_bank = [&](const NodeList::Buffer& buffer, std::size_t node) -> std::uint64_t {
        if (!oldest || buffer.size_per_bank_bytes.given())
            return required(buffer.size_per_bank_bytes, node, "max_size_per_bank");
        const auto targets = list.connections(node);  // a free says size 0 there; its buffer node knows
        const bool known = !targets.empty() && list.holds(targets.front());
        const NodeList::Buffer* whole =
            known ? list.buffer(static_cast<std::size_t>(targets.front())) : nullptr;
        return bank_size_of(list, whole != nullptr ? *whole : buffer, nullptr).bytes;
    };
    PeakMemoryUsagePerCore now;
    PeakMemoryUsagePerCore peak;
    const auto add = [&](std::uint64_t PeakMemoryUsagePerCore::*kind, std::uint64_t bytes) {
        now.*kind += cut(bytes);
        peak.*kind = std::max(peak.*kind, now.*kind);
        const std::uint64_t total =
            now.peak_cb + now.peak_dataflow_buffer + now.peak_scratchpad + now.peak_l1;
        peak.peak_total = std::max(peak.peak_total, total);
    };
    for (std::size_t node = 0; node < list.size(); ++node) {
        const NodeList::Node& it = list.nodes[node];
        if (!it.counter.given()) fail(node, "counter is missing");
        if (it.counter.value_or(-1) != static_cast<std::int64_t>(node))
            throw AnalysisError(Kind::kRuntime, "Graph trace counter/execution out of order");
        if (it.kind == NodeKind::kUnknown && it.unknown_kind == TextRef::kNone)
            fail(node, "node_type is missing");
        const NodeList::ProgramMemory* piece = list.program_piece(node);
        const NodeList::Buffer* buffer = list.buffer(node);
        switch (it.kind) {
            case NodeKind::kCircularBufferAllocate:
                if (!is_shared(*piece, node, "globally_allocated"))
                    add(&PeakMemoryUsagePerCore::peak_cb, required(piece->size_bytes, node, "size"));
                break;
            case NodeKind::kDataflowBufferAllocate:
                if (!is_shared(*piece, node, "borrows_memory"))
                    add(&PeakMemoryUsagePerCore::peak_dataflow_buffer,
                        required(piece->size_bytes, node, "size"));
                break;
            case NodeKind::kScratchpadAllocate:
                add(&PeakMemoryUsagePerCore::peak_scratchpad, required(piece->size_bytes, node, "size"));
                break;
            case NodeKind::kCircularBufferDeallocateAll:
                now.peak_cb = now.peak_dataflow_buffer = now.peak_scratchpad = 0;
                break;
            case NodeKind::kBufferAllocate:
                if (list.text(buffer->type) != "DRAM")
                    add(&PeakMemoryUsagePerCore::peak_l1, per_bank(*buffer, node));
                break;
            case NodeKind::kBufferDeallocate:
                if (list.text(buffer->type) != "DRAM") now.peak_l1 -= cut(per_bank(*buffer, node));
                break;
            default:
                break;
        }
    }
    return peak;
}

std::vector<std::string> extract_calltrace(const NodeList& list) {
    std::vector<std::string> names;
    for (std::size_t node = 0; node < list.size(); ++node)
        if (list.nodes[node].kind == NodeKind::kFunctionStart) names.emplace_back(list.name(node));
    return names;
}

std::set<std::int64_t> extract_output_tensors(const NodeList& list) {
    std::set<std::int64_t> counters;
    for (const std::int64_t node : output_nodes(list))
        counters.insert(list.nodes[static_cast<std::size_t>(node)].counter.value_or(node));
    return counters;
}

std::pair<std::uint32_t, std::uint32_t> count_intermediate_and_output_tensors(const NodeList& list) {
    const auto nodes = output_nodes(list);
    const std::set<std::int64_t> outputs(nodes.begin(), nodes.end());
    std::set<std::int64_t> intermediates;
    for (std::size_t node = 0; node < list.size(); ++node) {
        if (list.nodes[node].kind != NodeKind::kFunctionEnd || list.name(node) != "create_device_tensor")
            continue;
        const auto targets = list.connections(node);
        if (!targets.empty() && !outputs.contains(targets.front())) intermediates.insert(targets.front());
    }
    return {static_cast<std::uint32_t>(intermediates.size()), static_cast<std::uint32_t>(outputs.size())};
}

std::vector<TensorInfo> extract_output_info(const NodeList& list) {
    const auto nodes = output_nodes(list);
    const std::unordered_set<std::int64_t> outputs(nodes.begin(), nodes.end());
    std::vector<TensorInfo> infos;
    for (std::size_t node = 0; node < list.size(); ++node) {
        if (list.nodes[node].kind != NodeKind::kBuffer) continue;
        const NodeList::Buffer& buffer = *list.buffer(node);
        std::unordered_set<std::int64_t> seen;
        for (const std::int64_t target : list.connections(node)) {
            if (!outputs.contains(target) || !seen.insert(target).second) continue;
            const NodeList::Tensor* tensor = list.tensor(static_cast<std::size_t>(target));
            const std::string_view shape = tensor ? list.text(tensor->shape) : std::string_view();
            infos.push_back(
                {shape_of(shape), cut(required(buffer.size_bytes, node, "size")), is_l1(list, buffer)});
        }
    }
    return infos;
}

std::map<std::string, double> extract_operation_durations(const NodeList& list) {
    std::map<std::string, double> seconds;
    for (std::size_t node = 0; node < list.size(); ++node) {
        if (list.nodes[node].kind != NodeKind::kFunctionEnd) continue;
        if (list.nodes[node].params_are_null)
            throw AnalysisError(Kind::kAttribute, "node " + std::to_string(node) + ": params is null");
        const NodeList::End& end = *list.end(node);
        const std::string name(end.name == TextRef::kNone ? "unknown" : list.text(end.name));
        seconds[name] = static_cast<double>(end.duration_ns.value_or(0)) / 1e9;
    }
    return seconds;
}

double extract_total_duration_from_graph(const NodeList& list) {
    for (std::size_t node = list.size(); node-- > 0;)
        if (list.nodes[node].kind == NodeKind::kCaptureEnd)
            return static_cast<double>(list.end(node)->duration_ns.value_or(0)) / 1e9;
    return 0.0;
}

}  // namespace tilemeter::graph
