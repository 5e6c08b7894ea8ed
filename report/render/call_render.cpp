// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/call_render.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "report/analysis/answers/call_tree.hpp"
#include "report/analysis/answers/peak.hpp"
#include "report/analysis/gate/compare.hpp"
#include "report/analysis/memory/operation_source.hpp"

namespace tilemeter::analysis {

using Json = nlohmann::ordered_json;

namespace {

Json texts(const NodeList& list, const std::vector<TextRef>& refs) {
    Json result = Json::array();
    for (const TextRef ref : refs)
        result.push_back(list.text(ref));
    return result;
}

}  // namespace

Json call_tree_json(const NodeList& list, const MemoryLifetimes& lifetimes) {
    const auto& scopes = lifetimes.scopes.scopes;
    Json calls = Json::array();
    for (const CallNode& call : call_nodes(list, lifetimes)) {
        const Scope& scope = scopes[call.scope];
        const std::string line = source_of(list, lifetimes.scopes, call.scope);
        calls.push_back(
            {{"node", scope.start},
             {"parent_node", scope.parent == kNoIndex ? Json(nullptr) : Json(scopes[scope.parent].start)},
             {"operation", lifetimes.scopes.path(list, call.scope)},
             {"source_line", line.empty() ? Json(nullptr) : Json(line)},
             {"name", list.name(scope.start)},
             {"level", scope.depth},
             {"duration_ns", call.duration_ns},
             {"l1_peak_bytes_per_core", call.l1_peak_bytes},
             {"dram_peak_bytes_per_bank", call.dram_peak_bytes},
             {"l1_change_bytes_per_core", call.l1_change_bytes},
             {"aborted", call.aborted},
             {"left_open", call.open}});
    }
    return {{"operations", std::move(calls)}};
}

Json tightest_json(const NodeList& list, const MemoryLifetimes& lifetimes,
                   const std::vector<TightOperation>& operations, MemoryType memory, std::size_t top) {
    const std::string unit = memory == MemoryType::kL1 ? "_per_core" : "_per_bank";
    Json fullest = Json::array();
    for (std::size_t i = 0; i < std::min(top, operations.size()); ++i) {
        const TightOperation& it = operations[i];
        const std::string line = source_of(list, lifetimes.scopes, it.scope);
        fullest.push_back(
            {{"node", lifetimes.scopes.scopes[it.scope].start},
             {"operation", lifetimes.scopes.path(list, it.scope)},
             {"source_line", line.empty() ? Json(nullptr) : Json(line)},
             {"peak_bytes" + unit, it.peak_bytes},
             {"headroom_bytes" + unit, it.headroom_bytes ? Json(*it.headroom_bytes) : Json(nullptr)}});
    }
    return {{"memory", name_of(memory)},
            {"operations", std::move(fullest)},
            {"left_out", operations.size() - std::min(top, operations.size())}};
}

Json vertices_json(const NodeList& list, const std::vector<LevelizedVertex>& vertices) {
    Json json = Json::array();
    for (const LevelizedVertex& vertex : vertices) {
        Json arguments = Json::array();
        for (std::uint32_t i = 0; i < vertex.arguments.count; ++i)
            arguments.push_back(list.text(list.argument_texts[vertex.arguments.begin + i]));
        std::vector<TextRef> info;
        if (vertex.output_info != TextRef::kNone) info.push_back(vertex.output_info);
        json.push_back({{"counter", vertex.counter},
                        {"stacking_level", vertex.stacking_level},
                        {"name", vertex.name(list)},
                        {"arguments", std::move(arguments)},
                        {"in_edges", vertex.in_edges},
                        {"out_edges", vertex.out_edges},
                        {"internals", vertex.internals},
                        {"output_info", texts(list, info)},
                        {"output_shape", texts(list, vertex.output_shape)}});
    }
    return {{"vertices", std::move(json)}};
}

Json configurations_json(const NodeList& list, const MemoryLifetimes& lifetimes) {
    Json found = Json::array();
    for (const Configuration& it : configurations(list, lifetimes))
        found.push_back(
            {{"operation", it.operation},
             {"count", it.count},
             {"inputs", it.inputs},
             {"arguments", it.arguments},
             {"program_bytes_per_core", it.program_bytes != 0 ? Json(it.program_bytes) : Json(nullptr)}});
    return {{"configurations", std::move(found)}};
}

}  // namespace tilemeter::analysis
