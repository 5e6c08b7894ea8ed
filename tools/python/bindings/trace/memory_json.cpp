// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/python/bindings/trace/memory_json.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "report/analysis/answers/peak.hpp"
#include "runtime/device/device.hpp"

namespace tilemeter::python::tracing {

namespace {

using Json = nlohmann::ordered_json;
using analysis::kNoEquation;
using analysis::MemoryPlan;
using analysis::PlannedBuffer;
using analysis::PlannedEquation;
using analysis::PlannedPeak;
using analysis::PlannedProgram;
using analysis::PlannedProgramMemory;
using analysis::SavedBuffer;

// Null: before the first equation, or after the last.
Json equation_or_null(std::uint32_t equation) {
    return equation == kNoEquation ? Json(nullptr) : Json(equation);
}

Json text_or_null(std::string_view text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

Json json_of(const PlannedEquation& equation) {
    return {{"operation", equation.operation},
            {"pass", name_of(equation.pass)},
            {"source", text_or_null(equation.source)}};
}

Json json_of(const PlannedBuffer& buffer) {
    return {{"role", name_of(buffer.role)},
            {"reason", buffer.reason},
            {"pass", buffer.pass ? Json(name_of(*buffer.pass)) : Json(nullptr)},
            {"name", text_or_null(buffer.name)},
            {"shape", text_or_null(buffer.shape)},
            {"birth", equation_or_null(buffer.birth)},
            {"death", equation_or_null(buffer.death)},
            {"memory", analysis::name_of(buffer.memory)},
            {"address", buffer.address},
            {"bytes_per_bank", buffer.bytes_per_bank},
            {"cores", text_or_null(buffer.cores)},
            {"bytes", buffer.bytes},
            {"readers", buffer.readers},
            {"writers", buffer.writers}};
}

Json json_of(const PlannedProgram& program) {
    Json pieces = Json::array();
    for (const PlannedProgramMemory& each : program.pieces)
        pieces.push_back({{"kind", analysis::name_of(each.kind)},
                          {"address", each.address},
                          {"bytes_per_core", each.bytes},
                          {"cores", each.cores},
                          {"is_shared", each.is_shared}});
    return {{"equation", equation_or_null(program.equation)}, {"pieces", pieces}};
}

Json json_of(const PlannedPeak& peak) {
    Json by_role = Json::object();
    for (const auto& [role, bytes] : peak.by_role)
        by_role[std::string(name_of(role))] = bytes;
    return {{"bytes", peak.bytes},
            {"equation", equation_or_null(peak.equation)},
            {"program_bytes", peak.program_bytes},
            {"by_role", by_role},
            {"alive", peak.alive}};
}

Json json_of(const SavedBuffer& saved, const MemoryPlan& plan) {
    const PlannedBuffer& buffer = plan.buffers[saved.buffer];
    const auto at = [&](std::uint32_t equation) {
        Json json{{"equation", equation}};
        json.update(json_of(plan.equations[equation]));
        return json;
    };
    Json needed_by = Json::array();
    for (const std::uint32_t each : saved.needed_by)
        needed_by.push_back(at(each));
    return {{"buffer", saved.buffer},
            {"shape", text_or_null(buffer.shape)},
            {"memory", analysis::name_of(buffer.memory)},
            {"bytes_per_bank", buffer.bytes_per_bank},
            {"bytes", buffer.bytes},
            {"held_equations", saved.held_equations},
            {"byte_equations", saved.byte_equations},
            {"made_by", at(buffer.birth)},
            {"needed_by", needed_by}};
}

template <typename Each>
Json list_of(const std::vector<Each>& all) {
    Json list = Json::array();
    for (const Each& each : all)
        list.push_back(json_of(each));
    return list;
}

}  // namespace

std::string json_text(const MemoryPlan& plan) {
    Json saved = Json::array();
    for (const SavedBuffer& each : plan.saved)
        saved.push_back(json_of(each, plan));
    Json equations = list_of(plan.equations);
    for (std::size_t i = 0; i < equations.size(); ++i)
        equations[i]["node"] = plan.first_nodes[i] ? Json(*plan.first_nodes[i]) : Json(nullptr);
    return Json{{"schema", "tilemeter.memory/1"},
                {"name", plan.name},
                {"device", plan.device},
                {"compute_grid", {plan.grid_columns, plan.grid_rows}},
                {"l1_per_core", json_of(plan.l1)},
                {"dram_per_bank", json_of(plan.dram)},
                {"saved", saved},
                {"equations", equations},
                {"buffers", list_of(plan.buffers)},
                {"programs", list_of(plan.programs)}}
        .dump();
}

namespace {

Json json_of(const trace::NeededAtLeast& needed, const ir::Graph& graph) {
    Json json{
        {"bytes", needed.bytes}, {"given_bytes", needed.given_bytes}, {"beside_bytes", needed.beside_bytes}};
    json["equation"] = needed.equation ? Json(*needed.equation) : Json(nullptr);
    json["operation"] = needed.equation ? Json(graph.equation(*needed.equation).operation()) : Json(nullptr);
    json["source"] = needed.equation
                         ? text_or_null(trace::source_of(graph.equation(*needed.equation).location()))
                         : Json(nullptr);
    return json;
}

Json json_of(const trace::RecomputePoint& point, const ir::Graph& graph) {
    Json again = Json::array();
    for (const trace::CallAgain& each : point.again) {
        const ir::Equation equation = graph.equation(each.equation);
        again.push_back({{"equation", each.equation},
                         {"operation", equation.operation()},
                         {"source", text_or_null(trace::source_of(equation.location()))},
                         {"times", each.times},
                         {"bytes", each.bytes},
                         {"cost", each.cost}});
    }
    return {{"l1_bytes_per_core", point.l1_bytes},
            {"dram_bytes_per_bank", point.dram_bytes},
            {"cost", point.cost},
            {"is_least", point.is_least},
            {"recomputed", again}};
}

}  // namespace

std::string json_text(const trace::RecomputeCurve& curve) {
    const ir::Graph& graph = curve.traced().graph();
    Json points = Json::array();
    for (const trace::RecomputePoint& each : curve.points())
        points.push_back(json_of(each, graph));
    const DeviceDescription& device = curve.traced().device()->description();
    return Json{{"schema", "tilemeter.recompute/1"},
                {"name", graph.name()},
                {"device", device.name},
                {"allocatable",
                 {{"l1_per_core", device.l1_size - device.l1_unreserved_base},
                  {"dram_per_bank", device.dram_bank_size - device.dram_unreserved_base}}},
                {"cost_of_run", curve.cost_of_run()},
                {"planned", curve.planned()},
                {"proposed", curve.proposed()},
                {"none_below",
                 {{"l1_per_core", json_of(curve.least_l1(), graph)},
                  {"dram_per_bank", json_of(curve.least_dram(), graph)}}},
                {"points", points}}
        .dump();
}

}  // namespace tilemeter::python::tracing
