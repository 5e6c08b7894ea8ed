// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <iomanip>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "report/analysis/answers_json.hpp"
#include "report/analysis/extract.hpp"
#include "report/analysis/truth.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct Options {
    std::string report, programs_from;
    bool json = false;
};

/// TT-NN's answer, or {"error": text}.
Json as_ttnn(const char* analysis, const graph::NodeList& list) {
    try {
        return Json::parse(graph::call_analysis(analysis, list).dump());
    } catch (const graph::AnalysisError& error) {
        return {{"error", error.what()}};
    }
}

Json outputs_json(const graph::NodeList& list, const graph::MemoryLives& lives) {
    Json outputs = Json::array();
    for (const graph::TrueOutput& it : graph::true_outputs(list, lives))
        outputs.push_back({{"tensor_id", json_of(it.tensor_id)},
                           {"shape", it.shape},
                           {"size", it.size_bytes},
                           {"memory", it.size_bytes == 0 ? "host" : name_of(it.memory)}});
    return outputs;
}

/// [figure, TT-NN's, right]
Json figures(const graph::NodeList& list, const graph::MemoryLives& lives) {
    const graph::TrueUsage usage = graph::true_usage(list, lives);
    const graph::TensorCounts counts = graph::true_tensor_counts(list, lives.scopes);
    const Json theirs = as_ttnn("extract_resource_usage_per_core", list);
    const auto of_theirs = [&](const char* key) { return theirs.contains(key) ? theirs[key] : theirs; };
    // A program whose memory is not recorded may have taken any.
    const auto or_unknown = [&](std::uint64_t bytes) {
        return usage.unknown_programs != 0 && bytes == 0 ? Json("unknown") : Json(bytes);
    };
    return {
        {"peak_cb", of_theirs("peak_cb"), or_unknown(usage.peak_cb)},
        {"peak_dataflow_buffer", of_theirs("peak_dataflow_buffer"), or_unknown(usage.peak_dataflow_buffer)},
        {"peak_scratchpad", of_theirs("peak_scratchpad"), or_unknown(usage.peak_scratchpad)},
        {"peak_l1", of_theirs("peak_l1"), usage.peak_l1},
        {"peak_total", of_theirs("peak_total"), usage.peak_total},
        {"extract_peak_L1_memory_usage", as_ttnn("extract_peak_L1_memory_usage", list),
         usage.peak_l1_memory_usage},
        {"the same, with what is older than the list", Json(nullptr), usage.peak_l1_memory_usage_with_older},
        {"intermediate and output tensors", as_ttnn("count_intermediate_and_output_tensors", list),
         Json{counts.intermediate, counts.outputs}},
        {"extract_output_info", as_ttnn("extract_output_info", list), outputs_json(list, lives)}};
}

std::string text_of(const Json& value) {
    if (value.is_number_unsigned()) return grouped(value.get<std::uint64_t>());
    if (value.is_null()) return "-";
    if (value.is_object() && value.contains("error")) return "fails";
    if (value.is_string()) return value.get<std::string>();
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void run(const Options& options) {
    const graph::NodeList list = load(options.report);
    const graph::ProgramLibrary library = load_programs(options.programs_from);
    const graph::MemoryLives lives = graph::find_lives(list, &library);
    const Json rows = figures(list, lives);
    const auto times = graph::operation_times(list, lives.scopes);
    const Json last_call = as_ttnn("extract_operation_durations", list);
    if (options.json) {
        Json json = Json::object();
        for (const Json& row : rows)
            json["figures"].push_back({{"figure", row[0]}, {"ttnn", row[1]}, {"right", row[2]}});
        for (const auto& [name, time] : times)
            json["operations"].push_back({{"name", name},
                                          {"calls", time.calls},
                                          {"total_ns", time.total_ns},
                                          {"longest_ns", time.longest_ns},
                                          {"ttnn_seconds", last_call.value(name, Json(nullptr))}});
        return print(json);
    }
    std::cout << std::left << std::setw(44) << "figure" << std::right << std::setw(28) << "TT-NN says"
              << std::setw(20) << "right" << '\n';
    for (const Json& row : rows) {
        const std::string theirs = text_of(row[1]);
        const std::string right = text_of(row[2]);
        std::cout << std::left << std::setw(44) << row[0].get<std::string>() << std::right;
        if (theirs.size() > 28 || right.size() > 20)
            std::cout << "\n    TT-NN says  " << theirs << "\n    right       " << right << '\n';
        else
            std::cout << std::setw(28) << theirs << std::setw(20) << right
                      << (row[1].is_null() || theirs == right ? "" : "  *") << '\n';
    }
    std::cout << "\n[i,o]: i intermediate tensors (made by operations, no outputs), o outputs (of the last "
                 "operation "
                 "that gives any)\n";
    if (graph::true_usage(list, lives).unknown_programs != 0)
        std::cout
            << "\nnote: what some programs took is not recorded (--programs-from): peaks are lower bounds\n";
    std::cout << "\n" << std::left << std::setw(44) << "time of all calls (TT-NN: of the last)" << '\n';
    for (const auto& [name, time] : times)
        std::cout << std::left << std::setw(44) << name << std::right << std::setw(12)
                  << duration_text(time.total_ns) << " in " << time.calls << '\n';
}

}  // namespace

void add_figures(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* verb =
        app.add_subcommand("figures", "The figures of TT-NN's analyses, and the right ones beside them");
    verb->add_option("report", options->report, "a report, or a node list")->required();
    verb->add_option("--programs-from", options->programs_from,
                     "another capture of the workload that recorded its programs");
    verb->add_flag("--json", options->json, "machine-readable");
    verb->callback([options] { run(*options); });
}

}  // namespace tilemeter::cli
