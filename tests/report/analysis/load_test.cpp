// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/load.hpp"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capture/graph/graph_processor.hpp"
#include "report/analysis/answers_json.hpp"
#include "report/analysis/peak.hpp"

namespace tilemeter::graph {
namespace {

TEST(Load, says_in_one_line_what_is_wrong_with_a_list) {
    for (const char* text :
         {"5", "\"x\"", "{\"a\": 1}", "[1]", "[null]", "[{\"connections\": [\"x\"]}]", "[{]"}) {
        const auto list = node_list_of_text(text);
        ASSERT_FALSE(list.ok()) << text;
        EXPECT_EQ(list.error().message().find('\n'), std::string::npos);
    }
    EXPECT_TRUE(node_list_of_text("{}").ok()) << "reads as an empty list";
}

TEST(Load, of_a_file_that_is_not_there_fails) {
    EXPECT_FALSE(load_node_list("/nonexistent/report.json").ok());
}

TEST(Load, keeps_unknown_kinds_and_counts_their_memory) {
    const auto list = node_list_of_text(R"([
        {"counter": 0, "node_type": "function_start", "params": {"name": "op"}, "connections": [2]},
        {"counter": 1, "node_type": "tensix_pool_allocate", "params": {"size": 4096, "core_range_set": "{[0-0 - 7-7]}"}},
        {"counter": 2, "node_type": "function_end", "params": {"name": "op"}, "connections": []}])");
    ASSERT_TRUE(list.ok());
    EXPECT_EQ(list.value().kind_name(1), "tensix_pool_allocate");
    EXPECT_EQ(find_peak(list.value()).l1()->bytes, 4096U);
}

TEST(Load, of_a_capture_in_memory_equals_that_of_its_json) {
    ScopedGraphCapture capture;
    GraphProcessor::track_function_start("outer");
    GraphProcessor::track_function_start("inner");
    GraphProcessor::track_function_end();
    GraphProcessor::track_function_end();
    const CapturedGraph graph = capture.end_capture();
    const NodeList direct = node_list_of(graph);
    const auto parsed = node_list_of(graph.to_json());
    ASSERT_TRUE(parsed.ok());
    ASSERT_EQ(direct.size(), parsed.value().size());
    for (const char* name : {"extract_calltrace", "pretty_format", "visualize", "extract_operation_durations",
                             "extract_peak_L1_memory_usage", "extract_resource_usage_per_core"})
        EXPECT_EQ(call_analysis(name, direct), call_analysis(name, parsed.value())) << name;
    EXPECT_EQ(call_analysis("extract_levelized_graph", direct, 3),
              call_analysis("extract_levelized_graph", parsed.value(), 3));
}

}  // namespace
}  // namespace tilemeter::graph
