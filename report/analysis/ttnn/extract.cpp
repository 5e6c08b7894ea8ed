// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/ttnn/extract.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "report/analysis/memory/bank_size.hpp"
#include "report/analysis/nodes/internal/malformed_nodes.hpp"
#include "report/analysis/ttnn/internal/refusals.hpp"

namespace tilemeter::analysis {
namespace {

using internal::TtnnAnalysis;

[[noreturn]] void fail(std::size_t node, const std::string& what) {
    throw AnalysisError(AnalysisError::Kind::kRuntime, "node " + std::to_string(node) + ": " + what);
}

/// A count as TT-NN takes it from a node: there, and made of digits.
std::uint64_t required(Number number, std::size_t node, const char* field) {
    if (number.given()) return static_cast<std::uint64_t>(number.value_or(0));
    if (number.is_too_large())
        throw AnalysisError(AnalysisError::Kind::kIndex,
                            "node " + std::to_string(node) + ", " + field + ": too large");
    if (number.is_no_digits())
        throw AnalysisError(AnalysisError::Kind::kValue,
                            "node " + std::to_string(node) + ", " + field + ": no number");
    fail(node, std::string(field) + (number.is_absent() ? " is missing" : " is no number"));
}

std::uint32_t cut(std::uint64_t value) {
    return static_cast<std::uint32_t>(value);  // TT-NN keeps sizes in 32 bits
}

bool is_l1(const NodeList& list, const NodeList::Buffer& buffer) {
    return list.text(buffer.type) == "L1";
}

std::uint32_t defects_of(const NodeList& list, std::size_t node) {
    const auto found = std::lower_bound(
        list.malformed_nodes.begin(), list.malformed_nodes.end(), node,
        [](const NodeList::MalformedNode& malformed, std::size_t wanted) { return malformed.node < wanted; });
    return found != list.malformed_nodes.end() && found->node == node ? found->defects : 0;
}

/// Node of the buffers that follow an outermost function_start at once, as TT-NN takes inputs to be noted.
std::size_t add_inputs(const NodeList& list, std::size_t start, std::uint32_t& bytes) {
    std::size_t node = start;
    while (node + 1 < list.size()) {
        if (list.nodes[node + 1].kind == NodeType::kTensor) {
            ++node;
            continue;
        }
        const NodeList::Buffer* buffer = list.buffer(node + 1);
        if (buffer != nullptr && (defects_of(list, node + 1) & internal::kParamsOther) != 0)
            fail(node + 1, "params are no object");
        if (list.nodes[node + 1].kind != NodeType::kBuffer || buffer == nullptr || !is_l1(list, *buffer))
            break;
        ++node;
        bytes += cut(required(buffer->size_bytes, node, "size"));
    }
    return node;
}

/// The last function_end that gives tensors. What TT-NN comes across on its way there must be in order.
std::optional<std::size_t> output_end(const NodeList& list) {
    for (std::size_t node = list.size(); node-- > 0;) {
        const std::uint32_t defects = list.malformed_nodes.empty() ? 0 : defects_of(list, node);
        if ((defects & internal::kNoObject) != 0) fail(node, "an object is expected");
        if (list.nodes[node].kind != NodeType::kFunctionEnd) continue;
        if ((defects &
             (internal::kNoConnections | internal::kConnectionsOther | internal::kConnectionOther)) != 0)
            fail(node, "connections are no list of numbers");
        bool gives_tensors = false;
        for (const std::int64_t target : list.connections(node)) {
            if (!list.holds(target)) fail(node, "a connection leads out of the list");
            gives_tensors =
                gives_tensors || list.nodes[static_cast<std::size_t>(target)].kind == NodeType::kTensor;
        }
        if (gives_tensors) return node;
    }
    return {};
}

std::vector<std::int64_t> output_nodes(const NodeList& list) {
    const auto end = output_end(list);
    if (!end)
        throw AnalysisError(AnalysisError::Kind::kRuntime,
                            "No function_end node with tensor connections found in the trace");
    std::vector<std::int64_t> nodes;
    for (const std::int64_t target : list.connections(*end))
        if (list.holds(target) && list.nodes[static_cast<std::size_t>(target)].kind == NodeType::kTensor)
            nodes.push_back(target);
    return nodes;
}

/// "Shape([1, 3])" as TT-NN reads it: numbers between the first brackets (of the whole text where there are
/// none), each modulo 2^32, a comma, at most one blank; anything else ends it.
std::vector<std::uint32_t> shape_of(std::string_view whole) {
    std::vector<std::uint32_t> shape;
    const std::size_t open = whole.find('[');
    const std::size_t begin = open == std::string_view::npos ? 0 : open + 1;
    const std::string_view text = whole.substr(begin, whole.find(']') - begin);
    const std::size_t close = text.size();
    std::size_t at = 0;
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

}  // namespace

std::uint32_t extract_peak_L1_memory_usage(const NodeList& list) {
    refuse_as_ttnn(list, TtnnAnalysis::kPeakL1);
    std::uint32_t programs = 0;
    std::uint32_t buffers = 0;
    std::uint32_t peak = 0;
    std::size_t depth = 0;
    for (std::size_t node = 0; node < list.size(); ++node) {
        const NodeList::ProgramMemory* piece = list.program_piece(node);
        const NodeList::Buffer* buffer = list.buffer(node);
        switch (list.nodes[node].kind) {
            case NodeType::kFunctionStart:
                if (depth++ == 0) node = add_inputs(list, node, buffers);
                break;
            case NodeType::kFunctionEnd:
                if (depth > 0) --depth;
                break;
            case NodeType::kCircularBufferAllocate:
            case NodeType::kScratchpadAllocate:
                programs += cut(required(piece->size_bytes, node, "size"));
                break;
            case NodeType::kDataflowBufferAllocate:
                if (required(piece->shared_number, node, "borrows_memory") != 1)
                    programs += cut(required(piece->size_bytes, node, "size"));
                break;
            case NodeType::kCircularBufferDeallocateAll:
                programs = 0;
                break;
            case NodeType::kBufferAllocate:
                if (is_l1(list, *buffer)) buffers += cut(required(buffer->size_bytes, node, "size"));
                break;
            case NodeType::kBufferDeallocate: {
                const auto targets = list.connections(node);
                if (targets.empty()) break;
                if (!list.holds(targets.front())) fail(node, "a connection leads out of the list");
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
    refuse_as_ttnn(list, TtnnAnalysis::kResourceUsage);
    const bool oldest = internal::is_oldest_dialect(list);
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
            throw AnalysisError(AnalysisError::Kind::kRuntime, "Graph trace counter/execution out of order");
        if (it.kind == NodeType::kUnknown && it.unknown_kind == TextRef::kNone)
            fail(node, "node_type is missing");
        const NodeList::ProgramMemory* piece = list.program_piece(node);
        const NodeList::Buffer* buffer = list.buffer(node);
        switch (it.kind) {
            case NodeType::kCircularBufferAllocate:
                if (!is_shared(*piece, node, "globally_allocated"))
                    add(&PeakMemoryUsagePerCore::peak_cb, required(piece->size_bytes, node, "size"));
                break;
            case NodeType::kDataflowBufferAllocate:
                if (!is_shared(*piece, node, "borrows_memory"))
                    add(&PeakMemoryUsagePerCore::peak_dataflow_buffer,
                        required(piece->size_bytes, node, "size"));
                break;
            case NodeType::kScratchpadAllocate:
                add(&PeakMemoryUsagePerCore::peak_scratchpad, required(piece->size_bytes, node, "size"));
                break;
            case NodeType::kCircularBufferDeallocateAll:
                now.peak_cb = now.peak_dataflow_buffer = now.peak_scratchpad = 0;
                break;
            case NodeType::kBufferAllocate:
                if (list.text(buffer->type) != "DRAM")
                    add(&PeakMemoryUsagePerCore::peak_l1, per_bank(*buffer, node));
                break;
            case NodeType::kBufferDeallocate:
                if (list.text(buffer->type) != "DRAM") now.peak_l1 -= cut(per_bank(*buffer, node));
                break;
            default:
                break;
        }
    }
    return peak;
}

std::vector<std::string> extract_calltrace(const NodeList& list) {
    refuse_as_ttnn(list, TtnnAnalysis::kCallTrace);
    std::vector<std::string> names;
    for (std::size_t node = 0; node < list.size(); ++node)
        if (list.nodes[node].kind == NodeType::kFunctionStart) names.emplace_back(list.name(node));
    return names;
}

std::set<std::int64_t> extract_output_tensors(const NodeList& list) {
    const auto nodes = output_nodes(list);
    return {nodes.begin(), nodes.end()};
}

std::pair<std::uint32_t, std::uint32_t> count_intermediate_and_output_tensors(const NodeList& list) {
    refuse_as_ttnn(list, TtnnAnalysis::kTensorCounts);
    const auto nodes = output_nodes(list);
    const std::set<std::int64_t> outputs(nodes.begin(), nodes.end());
    std::set<std::int64_t> intermediates;
    for (std::size_t node = 0; node < list.size(); ++node) {
        if (list.nodes[node].kind != NodeType::kFunctionEnd || list.name(node) != "create_device_tensor")
            continue;
        constexpr std::uint32_t kBadConnections = internal::kNoConnections | internal::kConnectionsScalar |
                                                  internal::kConnectionsOther | internal::kConnectionOther;
        if ((defects_of(list, node) & kBadConnections) != 0) fail(node, "connections are no list of numbers");
        const auto targets = list.connections(node);
        if (!targets.empty() && !outputs.contains(targets.front())) intermediates.insert(targets.front());
    }
    return {static_cast<std::uint32_t>(intermediates.size()), static_cast<std::uint32_t>(outputs.size())};
}

std::vector<TensorInfo> extract_output_info(const NodeList& list) {
    refuse_as_ttnn(list, TtnnAnalysis::kOutputInfo);
    const auto nodes = output_nodes(list);
    const std::unordered_set<std::int64_t> outputs(nodes.begin(), nodes.end());
    std::vector<TensorInfo> infos;
    for (std::size_t node = 0; node < list.size(); ++node) {
        if (list.nodes[node].kind != NodeType::kBuffer) continue;
        const NodeList::Buffer& buffer = *list.buffer(node);
        // Several outputs of one buffer come in the order of TT-NN's hash table, which is libstdc++'s.
        std::unordered_set<std::int64_t> targets;
        for (const std::int64_t target : list.connections(node))
            targets.insert(target);
        for (const std::int64_t target : targets) {
            if (!outputs.contains(target)) continue;
            const NodeList::Tensor* tensor = list.tensor(static_cast<std::size_t>(target));
            if (tensor == nullptr || tensor->shape == TextRef::kNone)
                fail(static_cast<std::size_t>(target), "shape is no text");
            infos.push_back({shape_of(list.text(tensor->shape)),
                             cut(required(buffer.size_bytes, node, "size")), is_l1(list, buffer)});
        }
    }
    return infos;
}

std::map<std::string, double> extract_operation_durations(const NodeList& list) {
    refuse_as_ttnn(list, TtnnAnalysis::kOperationDurations);
    std::map<std::string, double> seconds;
    for (std::size_t node = 0; node < list.size(); ++node) {
        if (list.nodes[node].kind != NodeType::kFunctionEnd) continue;
        const NodeList::End& end = *list.end(node);
        const std::string name(end.name == TextRef::kNone ? "unknown" : list.text(end.name));
        seconds[name] = static_cast<double>(end.duration_ns.value_or(0)) / 1e9;
    }
    return seconds;
}

double extract_total_duration_from_graph(const NodeList& list) {
    for (std::size_t node = list.size(); node-- > 0;) {
        const std::uint32_t defects = list.malformed_nodes.empty() ? 0 : defects_of(list, node);
        if ((defects & internal::kNoObject) != 0)
            throw AnalysisError(AnalysisError::Kind::kAttribute,
                                "node " + std::to_string(node) + ": an object is expected");
        if (list.nodes[node].kind != NodeType::kCaptureEnd) continue;
        if ((defects & internal::kDurationOther) != 0)
            throw AnalysisError(AnalysisError::Kind::kType,
                                "node " + std::to_string(node) + ", duration_ns: no number");
        return static_cast<double>(list.end(node)->duration_ns.value_or(0)) / 1e9;
    }
    return 0.0;
}

}  // namespace tilemeter::analysis
