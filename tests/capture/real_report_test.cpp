// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Real reports of TT-NN 0.81.1, turned into events and recorded: node types, parameters and their JSON types,
// connections, levels, input tensors and arguments come back as TT-NN wrote them.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capture/graph/graph_processor.hpp"
#include "tests/capture/report_replay.hpp"
#include "tests/paths.hpp"

namespace tilemeter {
namespace {

using nlohmann::json;

// Larger ones say nothing new and take minutes under sanitizers.
constexpr std::uintmax_t kMaxReportBytes = 8 << 20;

std::vector<std::filesystem::path> reports_in(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> found;
    if (!std::filesystem::exists(folder)) return found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (entry.is_regular_file() && name.ends_with("report.json") && entry.file_size() < kMaxReportBytes)
            found.push_back(entry.path());
    }
    return found;
}

void expect_same_after_replay(const std::filesystem::path& path) {
    std::ifstream file(path);
    const json report = json::parse(file);
    const json& theirs = report["graph"];
    graph::GraphProcessor::begin_graph_capture();
    test::emit_events_of(theirs);
    const graph::CapturedGraph captured = graph::GraphProcessor::end_capture();
    const json ours = captured.to_json();
    const json expected = test::comparable(theirs);
    const json found = test::comparable(ours);
    if (found != expected) {
        ADD_FAILURE() << path << "\n" << json::diff(expected, found).dump(1).substr(0, 3000);
    }
    EXPECT_EQ(json::parse(captured.to_text()), ours) << path;
}

TEST(RealReports, given_their_events_then_the_same_nodes_come_back) {
    const auto reports = reports_in(std::filesystem::path(test::data_folder()) / "capture");
    ASSERT_FALSE(reports.empty());
    for (const auto& path : reports)
        expect_same_after_replay(path);
}

TEST(RealReports, given_the_whole_corpus_then_the_same_nodes_come_back) {
    const auto reports = reports_in(std::filesystem::path(test::shared_folder()) / "reports");
    if (reports.empty()) GTEST_SKIP() << "the corpus of real reports is not here";
    for (const auto& path : reports)
        expect_same_after_replay(path);
}

}  // namespace
}  // namespace tilemeter
