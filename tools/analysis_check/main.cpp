// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Do the analyses answer as TT-NN's?
//
//     analysis_check FILE...
//
// A file is a list of recorded calls {function, args, result | error}, or what TT-NN answered for a report
// (expect.json) beside that report.json. The last line says `N passed, M failed`; exit status 1 if any
// failed, or if a file is none of these: then that is the one line on standard error.

#include <cstddef>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "capture/log/log.hpp"
#include "report/analysis/nodes/load.hpp"
#include "report/analysis/ttnn/answers_json.hpp"
#include "report/analysis/ttnn/extract.hpp"
#include "report/analysis/ttnn/levelized_graph.hpp"
#include "tools/command/arguments.hpp"

namespace {

using nlohmann::json;
using tilemeter::analysis::AnalysisError;
using tilemeter::analysis::NodeList;

constexpr int kMostFailuresShown = 20;

std::string name_of(AnalysisError::Kind kind) {
    switch (kind) {
        case AnalysisError::Kind::kRuntime:
            return "RuntimeError";
        case AnalysisError::Kind::kValue:
            return "ValueError";
        case AnalysisError::Kind::kAttribute:
            return "AttributeError";
        case AnalysisError::Kind::kIndex:
            return "IndexError";
        case AnalysisError::Kind::kKey:
            return "KeyError";
        case AnalysisError::Kind::kType:
            return "TypeError";
    }
    return "Error";
}

class Tally {
public:
    void note(const std::string& function, const std::string& what, const json& answer, const json& wanted) {
        if (answer == wanted) {
            ++counts_[function].passed;
            return;
        }
        if (++counts_[function].failed <= kMostFailuresShown)
            std::cout << "FAIL " << function << ' ' << what << ": " << answer.dump().substr(0, 300)
                      << "\n  wanted " << wanted.dump().substr(0, 300) << '\n';
    }
    bool finish() const {
        std::size_t passed = 0;
        std::size_t failed = 0;
        for (const auto& [function, count] : counts_) {
            std::cout << count.passed << '/' << count.passed + count.failed << ' ' << function << '\n';
            passed += count.passed;
            failed += count.failed;
        }
        std::cout << passed << " passed, " << failed << " failed\n";
        return failed == 0;
    }

private:
    struct Count {
        std::size_t passed = 0, failed = 0;
    };
    std::map<std::string, Count> counts_;
};

json answer_of(const std::string& function, const NodeList& list, std::int64_t max_level) {
    try {
        return {{"result", call_analysis(function, list, max_level)}};
    } catch (const AnalysisError& error) {
        return {{"error", name_of(error.kind())}};
    }
}

void check_case(const json& recorded, Tally& tally) {
    const std::string function = recorded.at("function");
    const json& args = recorded.at("args");
    const std::int64_t max_level = args.size() > 1 && args[1].is_number() ? args[1].get<std::int64_t>() : 1;
    json answer;
    try {
        const auto result =
            tilemeter::analysis::call_analysis_of_text(function, args.at(0).dump(), max_level);
        answer["result"] = json::parse(result.dump());
    } catch (const AnalysisError& error) {
        answer["error"] = name_of(error.kind());
    }
    json wanted;
    if (recorded.contains("error"))
        wanted["error"] = recorded["error"].at("type");
    else
        wanted["result"] = recorded.at("result");
    if (recorded.value("undefined_in_original", false)) wanted = answer;  // it had only not to crash
    tally.note(function, "#" + recorded.value("id", json(0)).dump() + " (" + recorded.value("note", "") + ")",
               answer, wanted);
}

bool has_end(const NodeList& list, std::uint32_t function) {
    for (const std::int64_t target : list.connections(function)) {
        if (!list.holds(target)) continue;
        const auto node = static_cast<std::size_t>(target);
        if (list.nodes[node].kind == tilemeter::report::NodeType::kFunctionEnd &&
            list.name(node) == list.name(function))
            return true;
    }
    return false;
}

/// TT-NN reads memory that is not its own where a function has no end (it differs from run to run): what it
/// says of such a function's inside and outputs is not compared.
void forget_undefined(const NodeList& list, std::int64_t max_level, json& graph) {
    const auto vertices = extract_levelized_graph(list, max_level);
    for (std::size_t i = 0; i < vertices.size() && i < graph.size(); ++i) {
        const std::uint32_t node = vertices[i].node;
        if (list.function(node) == nullptr || has_end(list, node)) continue;
        graph[i].erase("internals");
        graph[i].erase("output_shape");
    }
}

/// {"value": ..} or {"error": ..} of an expect.json; our errors are compared by their being there.
void check_value(const std::string& function, const std::string& what, const NodeList& list,
                 std::int64_t max_level, const json& expected, Tally& tally) {
    json answer = answer_of(function, list, max_level);
    if (!expected.contains("value")) {
        tally.note(function, what, answer.contains("error"), true);
        return;
    }
    json wanted = expected.at("value");
    if (function == "extract_levelized_graph" && answer.contains("result")) {
        forget_undefined(list, max_level, wanted);
        forget_undefined(list, max_level, answer["result"]);
    }
    if (function == "extract_output_info")
        for (json& info : wanted)
            info.erase("repr");
    tally.note(function, what, answer, {{"result", wanted}});
}

void check_expectations(const std::filesystem::path& path, const json& expected, Tally& tally) {
    const auto list = tilemeter::analysis::load_node_list(path.parent_path() / "report.json");
    if (!list) throw std::runtime_error(list.error().message());
    for (const auto& [function, value] : expected.items()) {
        const bool is_analysis = function.starts_with("extract_") || function.starts_with("count_") ||
                                 function == "pretty_format" || function == "visualize";
        if (!is_analysis || !value.is_object()) continue;
        if (value.contains("value") || value.contains("error")) {
            check_value(function, path.string(), list.value(), 1, value, tally);
            continue;
        }
        for (const auto& [variant, variant_value] : value.items()) {
            constexpr std::string_view kLevel = "max_level=";
            const std::int64_t level =
                variant.starts_with(kLevel) ? std::stoll(variant.substr(kLevel.size())) : 1;
            check_value(function, path.string() + " " + variant, list.value(), level, variant_value, tally);
        }
    }
}

/// Throws with one line if the file is not what the head of this file says.
void check_file(const std::filesystem::path& path, Tally& tally) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error(path.string() + ": expected a file that can be read, found none");
    try {
        const json content = json::parse(file);
        if (content.is_object()) return check_expectations(path, content, tally);
        for (const json& recorded : content)
            check_case(recorded, tally);
    } catch (const json::exception& error) {
        throw std::runtime_error(path.string() + ": expected recorded calls, found " + error.what());
    }
}

}  // namespace

int main(int argument_count, char** arguments) {
    tilemeter::logging::set_default_level(tilemeter::logging::Level::kWarn);
    std::vector<std::string> files;
    const tilemeter::command::Program program{
        .name = "analysis_check",
        .documentation =
            "Holds the analyses against what was recorded from TT-NN and counts what comes out equal.",
        .parameters = {
            {"files",
             &files,
             "lists of recorded calls, or expect.json of what TT-NN said of the report.json beside it",
             {.required = true}}}};
    if (const auto ended = tilemeter::command::parse(program, argument_count, arguments)) return *ended;
    Tally tally;
    for (const std::string& file : files) {
        try {
            check_file(file, tally);
        } catch (const std::exception& error) {
            std::cerr << "analysis_check: " << tilemeter::command::one_line(error.what()) << '\n';
            return tilemeter::command::kBadInput;
        }
    }
    return tally.finish() ? 0 : 1;
}
