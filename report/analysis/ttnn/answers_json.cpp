// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/ttnn/answers_json.hpp"

#include <array>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "report/analysis/nodes/internal/append_node.hpp"
#include "report/analysis/ttnn/extract.hpp"
#include "report/analysis/ttnn/levelized_graph.hpp"
#include "report/analysis/ttnn/pretty_format.hpp"

namespace tilemeter::analysis {
namespace {

using Json = nlohmann::json;

Json usage(const NodeList& list, std::int64_t /*max_level*/) {
    const PeakMemoryUsagePerCore peak = extract_resource_usage_per_core(list);
    return {{"peak_cb", peak.peak_cb},
            {"peak_dataflow_buffer", peak.peak_dataflow_buffer},
            {"peak_l1", peak.peak_l1},
            {"peak_scratchpad", peak.peak_scratchpad},
            {"peak_total", peak.peak_total}};
}

Json output_info(const NodeList& list, std::int64_t /*max_level*/) {
    Json infos = Json::array();
    for (const TensorInfo& info : extract_output_info(list))
        infos.push_back({{"shape", info.shape}, {"size", info.size}, {"type", info.in_l1 ? "L1" : "DRAM"}});
    return infos;
}

Json levelized(const NodeList& list, std::int64_t max_level) {
    Json vertices = Json::array();
    for (const LevelizedVertex& vertex : extract_levelized_graph(list, max_level)) {
        Json arguments = Json::array();
        for (std::uint32_t i = 0; i < vertex.arguments.count; ++i)
            arguments.push_back(list.text(list.argument_texts[vertex.arguments.begin + i]));
        Json shapes = Json::array();
        for (const TextRef shape : vertex.output_shape)
            shapes.push_back(list.text(shape));
        Json info = Json::array();
        if (vertex.output_info != TextRef::kNone) info.push_back(list.text(vertex.output_info));
        vertices.push_back({{"arguments", std::move(arguments)},
                            {"counter", vertex.counter},
                            {"in_edges", vertex.in_edges},
                            {"internals", vertex.internals},
                            {"name", vertex.name(list)},
                            {"out_edges", vertex.out_edges},
                            {"output_info", std::move(info)},
                            {"output_shape", std::move(shapes)},
                            {"stacking_level", vertex.stacking_level}});
    }
    return vertices;
}

struct Analysis {
    std::string_view name;
    Json (*call)(const NodeList& list, std::int64_t max_level);
};

constexpr std::array<Analysis, 11> kAnalyses{{
    {"extract_peak_L1_memory_usage",
     [](const NodeList& list, std::int64_t) { return Json(extract_peak_L1_memory_usage(list)); }},
    {"extract_resource_usage_per_core", usage},
    {"extract_calltrace", [](const NodeList& list, std::int64_t) { return Json(extract_calltrace(list)); }},
    {"extract_levelized_graph", levelized},
    {"count_intermediate_and_output_tensors",
     [](const NodeList& list, std::int64_t) { return Json(count_intermediate_and_output_tensors(list)); }},
    {"extract_output_info", output_info},
    {"extract_output_tensors",
     [](const NodeList& list, std::int64_t) { return Json(extract_output_tensors(list)); }},
    {"extract_operation_durations",
     [](const NodeList& list, std::int64_t) { return Json(extract_operation_durations(list)); }},
    {"extract_total_duration_from_graph",
     [](const NodeList& list, std::int64_t) { return Json(extract_total_duration_from_graph(list)); }},
    {"pretty_format", [](const NodeList& list, std::int64_t) { return Json(pretty_format(list)); }},
    {"visualize", [](const NodeList& list, std::int64_t) { return Json(visualize(list)); }},
}};

/// The error for a value that is no list: TT-NN's functions in C++ refuse all alike, those in Python find out on their
/// way.
AnalysisError::Kind error_of(std::string_view name, const report::JsonValue& value) {
    using Kind = AnalysisError::Kind;
    const bool can_be_walked = value.is_object() || value.text();
    if (name == "extract_operation_durations" || name == "extract_total_duration_from_graph")
        return can_be_walked ? Kind::kAttribute : Kind::kType;
    const bool in_python =
        name == "pretty_format" || name == "visualize" || name == "GraphTracerUtils.serialize_graph";
    return in_python || value.is_null() ? Kind::kType : Kind::kRuntime;
}

}  // namespace

nlohmann::ordered_json call_analysis_of_text(std::string_view name, std::string_view json_text,
                                             std::int64_t max_level) {
    report::JsonDocument document;
    const auto value = document.parse(json_text);
    if (!value) throw AnalysisError(AnalysisError::Kind::kRuntime, value.error().message());
    const auto list = internal::lenient_node_list_of(value.value());
    if (!list) {
        const bool is_list = value.value().is_array();
        throw AnalysisError(is_list ? AnalysisError::Kind::kRuntime : error_of(name, value.value()),
                            list.error().message());
    }
    if (name == "GraphTracerUtils.serialize_graph") return serialize_arguments(list.value());
    return call_analysis(name, list.value(), max_level);
}

Json call_analysis(std::string_view name, const NodeList& list, std::int64_t max_level) {
    for (const Analysis& analysis : kAnalyses)
        if (analysis.name == name) return analysis.call(list, max_level);
    throw AnalysisError(AnalysisError::Kind::kAttribute, "no analysis is named " + std::string(name));
}

}  // namespace tilemeter::analysis
