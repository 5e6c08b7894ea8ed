// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "report/analysis/nodes/load.hpp"
#include "report/analysis/ttnn/answers_json.hpp"
#include "report/analysis/ttnn/extract.hpp"
#include "tilemeter_ttnn/graph/graph_consts.hpp"
#include "tilemeter_ttnn/graph/graph_trace_utils.hpp"
#include "tilemeter_ttnn/graph/levelized_graph.hpp"
#include "tilemeter_ttnn/tensor.hpp"
#include "tools/compat/src/fatal.hpp"

namespace ttnn::graph {

namespace analysis = tilemeter::analysis;

namespace {

analysis::NodeList list_of(const nlohmann::json& trace) {
    tilemeter::report::Result<analysis::NodeList> list = analysis::node_list_of(trace);
    if (!list) throw std::runtime_error(list.error().message());
    return std::move(*list);
}

// A number of bytes, in digits or as a number.
long long bytes_of(const nlohmann::json& node) {
    const nlohmann::json& size = node.at(kParams).at(kSize);
    return size.is_string() ? std::stoll(size.get<std::string>()) : size.get<long long>();
}

// What reads JSON of a client's: what is not as expected becomes one line.
template <typename Read>
auto reading(const char* what, const Read& read) {
    try {
        return read();
    } catch (const nlohmann::json::exception& error) {
        throw std::runtime_error(std::string(what) + ": expected nodes of a capture: " + error.what());
    }
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const TensorInfo& info) {
    return out << "TensorInfo(shape=" << info.shape << ",size=" << info.size
               << ",type=" << (info.type == tt::tt_metal::BufferType::L1 ? "L1" : "DRAM") << ")";
}

std::uint32_t extract_peak_L1_memory_usage(const nlohmann::json& trace) {
    return analysis::extract_peak_L1_memory_usage(list_of(trace));
}

std::uint32_t extract_l1_output_buffer_allocation_size_per_core(const ttnn::Tensor& output_tensor) {
    const tt::tt_metal::Buffer* const buffer = output_tensor.buffer();
    if (buffer == nullptr || !buffer->is_l1())
        tilemeter::compat::refuse_as_thrown("No L1 allocation. Tensor is in DRAM");
    return static_cast<std::uint32_t>(buffer->aligned_size_per_bank());
}

PeakMemoryUsagePerCore extract_resource_usage_per_core(const nlohmann::json& trace) {
    const analysis::PeakMemoryUsagePerCore peak = analysis::extract_resource_usage_per_core(list_of(trace));
    return {peak.peak_cb, peak.peak_l1, peak.peak_dataflow_buffer, peak.peak_scratchpad, peak.peak_total};
}

std::uint32_t extract_l1_buffer_allocation_peak_size_per_core(const nlohmann::json& trace) {
    return static_cast<std::uint32_t>(extract_resource_usage_per_core(trace).peak_l1);
}
std::uint32_t extract_circular_buffers_peak_size_per_core(const nlohmann::json& trace) {
    return static_cast<std::uint32_t>(extract_resource_usage_per_core(trace).peak_cb);
}
std::uint32_t extract_peak_memory_usage(const nlohmann::json& trace) {
    return static_cast<std::uint32_t>(extract_resource_usage_per_core(trace).peak_total);
}

DRAMUsage extract_dram_usage(const nlohmann::json& trace) {
    return reading("extract_dram_usage", [&] {
        DRAMUsage usage;
        long long now = 0;
        for (const nlohmann::json& node : trace) {
            const nlohmann::json& kind = node.at(kNodeType);
            if (kind == kNodeBufferAllocate && node.at(kParams).at(kType) == "DRAM") {
                now += bytes_of(node);
                usage.total_allocations += bytes_of(node);
            } else if (kind == kNodeBufferDeallocate) {
                // The buffer's node says what was freed.
                const nlohmann::json& buffer = trace.at(node.at(kConnections).at(0).get<std::size_t>());
                if (buffer.at(kParams).at(kType) == "DRAM") {
                    now -= bytes_of(buffer);
                    usage.total_deallocations += bytes_of(buffer);
                }
            }
            usage.peak = std::max(usage.peak, now);
        }
        return usage;
    });
}

std::pair<std::uint32_t, std::uint32_t> count_intermediate_and_output_tensors(const nlohmann::json& trace) {
    return analysis::count_intermediate_and_output_tensors(list_of(trace));
}

std::vector<std::string> extract_calltrace(const nlohmann::json& trace) {
    return analysis::extract_calltrace(list_of(trace));
}

std::vector<OperationInfo> extract_arguments(const nlohmann::json& trace) {
    return reading("extract_arguments", [&] {
        std::vector<OperationInfo> operations;
        for (const nlohmann::json& node : trace) {
            const nlohmann::json& arguments = node.at(kArguments);
            if (arguments.empty()) continue;
            operations.push_back(
                {node.at(kParams).at(kName).get<std::string>(), arguments.get<std::vector<std::string>>()});
        }
        return operations;
    });
}

std::unordered_set<std::uint32_t> extract_output_tensors(const nlohmann::json& trace) {
    std::unordered_set<std::uint32_t> counters;
    for (const std::int64_t each : analysis::extract_output_tensors(list_of(trace)))
        counters.insert(static_cast<std::uint32_t>(each));
    return counters;
}

std::vector<TensorInfo> extract_output_info(const nlohmann::json& trace) {
    std::vector<TensorInfo> infos;
    for (const analysis::TensorInfo& each : analysis::extract_output_info(list_of(trace)))
        infos.push_back({tt::tt_metal::Shape(each.shape), each.size,
                         each.in_l1 ? tt::tt_metal::BufferType::L1 : tt::tt_metal::BufferType::DRAM});
    return infos;
}

nlohmann::json extract_levelized_graph(const nlohmann::json& trace, std::size_t max_level) {
    return analysis::call_analysis("extract_levelized_graph", list_of(trace),
                                   static_cast<std::int64_t>(max_level));
}

LevelizedGraph::LevelizedGraph(const nlohmann::json& trace, std::size_t max_level) {
    const nlohmann::json graph = extract_levelized_graph(trace, max_level);
    for (const nlohmann::json& each : graph) {
        Vertex& vertex = graph_.emplace_back();
        vertex.id = each.at(kCounter).get<VertexID>();
        vertex.stacking_level = each.at(kStackingLevel).get<std::size_t>();
        vertex.name = each.at(kName).get<std::string>();
        vertex.arguments = each.at(kArguments).get<std::vector<std::string>>();
        vertex.in_edges = each.at(kInEdges).get<std::vector<VertexID>>();
        vertex.out_edges = each.at(kOutEdges).get<std::vector<VertexID>>();
        vertex.internals = each.at(kInternals).get<std::vector<VertexID>>();
        vertex.output_info = each.at(kOutputInfo).get<std::vector<std::string>>();
        vertex.output_shape = each.at(kOutputShape).get<std::vector<std::string>>();
    }
}

const LevelizedGraph::Vertex& LevelizedGraph::get_vertex(VertexID id) const {
    if (!is_valid_vertex(id))
        throw std::runtime_error("get_vertex: expected a vertex below " + std::to_string(size()) + ", got " +
                                 std::to_string(id));
    return graph_[id];
}

nlohmann::json LevelizedGraph::to_json() const {
    nlohmann::json all = nlohmann::json::array();
    for (const Vertex& vertex : graph_)
        all.push_back({{kCounter, vertex.id},
                       {kStackingLevel, vertex.stacking_level},
                       {kName, vertex.name},
                       {kArguments, vertex.arguments},
                       {kInEdges, vertex.in_edges},
                       {kOutEdges, vertex.out_edges},
                       {kInternals, vertex.internals},
                       {kOutputInfo, vertex.output_info},
                       {kOutputShape, vertex.output_shape}});
    return all;
}

std::vector<int> get_connections(const nlohmann::json& node) {
    return reading("get_connections", [&] {
        return node.contains(kConnections) ? node.at(kConnections).get<std::vector<int>>()
                                           : std::vector<int>();
    });
}

std::vector<int> get_valid_connections(const nlohmann::json& node, const nlohmann::json& trace) {
    std::vector<int> connections = get_connections(node);
    std::erase_if(connections,
                  [&](int each) { return each < 0 || static_cast<std::size_t>(each) >= trace.size(); });
    return connections;
}

}  // namespace ttnn::graph
