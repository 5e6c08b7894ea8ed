// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/figures_render.hpp"

#include <cstdint>
#include <utility>

#include <nlohmann/json.hpp>

#include "report/analysis/answers/corrected_usage.hpp"
#include "report/analysis/answers/peak.hpp"
#include "report/analysis/nodes/units.hpp"
#include "report/analysis/ttnn/answers_json.hpp"
#include "report/analysis/ttnn/extract.hpp"

namespace tilemeter::analysis {

using Json = nlohmann::ordered_json;

namespace {

/// TT-NN's answer, or {"error": text}.
Json as_ttnn(const char* analysis, const NodeList& list) {
    try {
        return Json::parse(
            call_analysis(analysis, list).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    } catch (const AnalysisError& error) {
        return {{"error", error.what()}};
    }
}

/// Why TT-NN's figures of L1 are wrong by so much: it subtracts what it never added.
Json notes_of(const MemoryLifetimes& lifetimes) {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    for (const BufferLifetime& it : lifetimes.buffers) {
        const bool in_l1 = it.memory == MemoryType::kL1 || it.memory == MemoryType::kL1Small;
        if (!it.before_window || it.end == kNoIndex || !in_l1) continue;
        ++count;
        bytes += it.per_bank.bytes;
    }
    Json notes = Json::array();
    if (count != 0)
        notes.push_back(
            "freed in the capture: " + grouped(count) + (count == 1 ? " buffer" : " buffers") +
            " of L1 older than it, " + bytes_text(bytes) +
            " per core; TT-NN subtracts what it never added, and its figures of L1 can be too small, or "
            "2^64 - N and 2^32 - N");
    return notes;
}

Json outputs_json(const NodeList& list, const MemoryLifetimes& lifetimes) {
    Json outputs = Json::array();
    for (const CorrectedOutput& it : corrected_outputs(list, lifetimes))
        outputs.push_back(
            {{"tensor_id", it.tensor_id.given() ? Json(it.tensor_id.value_or(0)) : Json(nullptr)},
             {"shape", it.shape},
             {"size_bytes", it.size_bytes},
             {"memory", it.size_bytes == 0 ? "host" : name_of(it.memory)}});
    return outputs;
}

}  // namespace

Json figures_json(const NodeList& list, const MemoryLifetimes& lifetimes) {
    const CorrectedUsage usage = corrected_usage(list, lifetimes);
    const TensorCounts counts = corrected_tensor_counts(list, lifetimes.scopes);
    const Json theirs = as_ttnn("extract_resource_usage_per_core", list);
    const auto of_theirs = [&](const char* key) { return theirs.contains(key) ? theirs[key] : theirs; };
    // A program whose memory is not recorded may have taken any.
    const auto if_known = [&](std::uint64_t bytes) {
        return usage.unknown_programs != 0 && bytes == 0 ? Json(nullptr) : Json(bytes);
    };
    Json figures = Json::array();
    const auto add = [&](const char* figure, const char* unit, Json ttnn, Json right) {
        figures.push_back(
            {{"figure", figure}, {"unit", unit}, {"ttnn", std::move(ttnn)}, {"right", std::move(right)}});
    };
    const char* per_core = "bytes_per_core";
    add("peak_cb", per_core, of_theirs("peak_cb"), if_known(usage.peak_cb));
    add("peak_dataflow_buffer", per_core, of_theirs("peak_dataflow_buffer"),
        if_known(usage.peak_dataflow_buffer));
    add("peak_scratchpad", per_core, of_theirs("peak_scratchpad"), if_known(usage.peak_scratchpad));
    add("peak_l1", per_core, of_theirs("peak_l1"), usage.peak_l1);
    add("peak_total", per_core, of_theirs("peak_total"), usage.peak_total);
    add("extract_peak_L1_memory_usage", "bytes", as_ttnn("extract_peak_L1_memory_usage", list),
        usage.peak_l1_memory_usage);
    add("the same, with what is older than the list", "bytes", nullptr,
        usage.peak_l1_memory_usage_with_older);
    add("intermediate and output tensors", "count", as_ttnn("count_intermediate_and_output_tensors", list),
        Json{counts.intermediate, counts.outputs});
    add("extract_output_info", "tensors", as_ttnn("extract_output_info", list),
        outputs_json(list, lifetimes));

    const Json last_call = as_ttnn("extract_operation_durations", list);
    Json operations = Json::array();
    for (const auto& [name, time] : operation_times(list, lifetimes.scopes))
        operations.push_back({{"name", name},
                              {"calls", time.calls},
                              {"duration_ns", time.total_ns},
                              {"longest_duration_ns", time.longest_ns},
                              {"ttnn_duration_s", last_call.value(name, Json(nullptr))}});
    return {{"figures", std::move(figures)},
            {"notes", notes_of(lifetimes)},
            {"operations", std::move(operations)}};
}

}  // namespace tilemeter::analysis
