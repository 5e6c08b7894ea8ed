// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/graph/graph_processor.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capture/record/emit.hpp"
#include "capture/record/text.hpp"
#include "tests/capture/well_formed.hpp"

namespace tilemeter::graph {
namespace {

using nlohmann::json;
using test::nodes_of_type;
using test::outline;
using Words = std::vector<std::string>;

void call(const char* name) {
    GraphProcessor::track_function_start(name);
    GraphProcessor::track_function_end();
}

TEST(GraphProcessor, given_no_capture_when_it_is_ended_then_a_clear_error_says_so) {
    ASSERT_FALSE(is_graph_capture_active());
    try {
        GraphProcessor::end_graph_capture();
        FAIL() << "no exception";
    } catch (const CaptureError& error) {
        EXPECT_STREQ(error.what(),
                     "end of graph capture: no capture is open; begin_graph_capture comes first");
    }
}

TEST(GraphProcessor, given_a_capture_that_ended_when_it_is_ended_again_then_the_error_comes_too) {
    GraphProcessor::begin_graph_capture();
    GraphProcessor::end_graph_capture();
    EXPECT_THROW(GraphProcessor::end_graph_capture(), CaptureError);
    EXPECT_THROW(GraphProcessor::end_capture(), CaptureError);
}

TEST(GraphProcessor, given_an_empty_capture_then_its_start_leads_to_its_end) {
    GraphProcessor::begin_graph_capture(RunMode::NO_DISPATCH);
    json graph = GraphProcessor::end_graph_capture();
    ASSERT_TRUE(graph[1].erase("duration_ns"));
    EXPECT_EQ(graph, json::parse(R"([
        {"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start",
         "params": null, "stacking_level": 0},
        {"arguments": [], "connections": [], "counter": 1, "input_tensors": [], "node_type": "capture_end",
         "params": null, "stacking_level": 0}])"));
}

TEST(GraphProcessor, given_a_capture_then_it_is_active_until_it_ends) {
    EXPECT_FALSE(is_graph_capture_active());
    GraphProcessor::begin_graph_capture();
    EXPECT_TRUE(is_graph_capture_active());
    GraphProcessor::begin_graph_capture();
    GraphProcessor::end_capture();
    EXPECT_TRUE(GraphProcessor::is_graph_capture_active());
    GraphProcessor::end_capture();
    EXPECT_FALSE(is_graph_capture_active());
}

TEST(GraphProcessor, given_scopes_of_the_users_own_then_they_nest_like_operations) {
    GraphProcessor::begin_graph_capture();
    GraphProcessor::track_function_start("layer");
    call("first");
    call("second");
    GraphProcessor::track_function_end();
    const json graph = GraphProcessor::end_graph_capture();
    test::expect_well_formed(graph);
    EXPECT_EQ(outline(graph),
              (Words{"capture_start", "function_start layer", "function_start first", "function_end first",
                     "function_start second", "function_end second", "function_end layer", "capture_end"}));
    EXPECT_EQ(graph[1]["params"], (json{{"inputs", "0"}, {"name", "layer"}}));
    EXPECT_EQ(graph[3]["connections"], json({4})) << "an end leads to the next start";
    EXPECT_EQ(graph[5]["connections"], json::array()) << "an end followed by an end leads nowhere";
    EXPECT_EQ(graph[6]["connections"], json({7})) << "the last end leads to the capture's";
}

TEST(GraphProcessor, given_no_capture_then_scopes_of_the_users_own_change_nothing) {
    call("unseen");
    GraphProcessor::begin_graph_capture();
    const json graph = GraphProcessor::end_graph_capture();
    EXPECT_EQ(graph.size(), 2U);
}

TEST(GraphProcessor, given_nested_captures_then_each_gets_what_happened_between_its_begin_and_end) {
    GraphProcessor::begin_graph_capture();
    call("before");
    GraphProcessor::track_function_start("around");
    GraphProcessor::begin_graph_capture(RunMode::NO_DISPATCH);
    call("within");
    const json inner = GraphProcessor::end_graph_capture();
    GraphProcessor::track_function_end();
    call("after");
    const json outer = GraphProcessor::end_graph_capture();

    test::expect_well_formed(inner);
    test::expect_well_formed(outer);
    EXPECT_EQ(outline(inner),
              (Words{"capture_start", "function_start within", "function_end within", "capture_end"}));
    EXPECT_EQ(inner[1]["stacking_level"], 1) << "levels count from the capture's own outside";
    EXPECT_EQ(outline(outer),
              (Words{"capture_start", "function_start before", "function_end before", "function_start around",
                     "function_start within", "function_end within", "function_end around",
                     "function_start after", "function_end after", "capture_end"}));
}

TEST(GraphProcessor, given_a_function_begun_before_the_capture_then_it_is_no_part_of_it) {
    GraphProcessor::begin_graph_capture();
    GraphProcessor::track_function_start("begun before");
    GraphProcessor::begin_graph_capture();
    record::emit_argument(record::intern("late"));
    record::emit_input_tensor({record::TensorId{1}, {}, {}, {}, 0, false});
    record::emit_output_tensor({record::TensorId{2}, {}, {}, {}, 0, false});
    record::emit_program_selected(record::intern("factory"), 0, false);
    GraphProcessor::track_function_end();
    call("within");
    const json inner = GraphProcessor::end_graph_capture();
    GraphProcessor::end_capture();
    test::expect_well_formed(inner);
    EXPECT_EQ(outline(inner),
              (Words{"capture_start", "function_start within", "function_end within", "capture_end"}));
}

TEST(GraphProcessor, given_an_end_without_a_function_then_it_is_dropped) {
    GraphProcessor::begin_graph_capture();
    GraphProcessor::track_function_end();
    call("only");
    GraphProcessor::track_function_end();
    const json graph = GraphProcessor::end_graph_capture();
    EXPECT_EQ(outline(graph),
              (Words{"capture_start", "function_start only", "function_end only", "capture_end"}));
}

TEST(GraphProcessor, given_a_function_still_open_at_the_end_then_it_has_no_function_end) {
    GraphProcessor::begin_graph_capture();
    GraphProcessor::track_function_start("open");
    const json graph = GraphProcessor::end_graph_capture();
    GraphProcessor::track_function_end();
    EXPECT_EQ(outline(graph), (Words{"capture_start", "function_start open", "capture_end"}));
    EXPECT_EQ(graph[0]["connections"], json({1, 2})) << "no end leads to the capture's, so the start does";
    EXPECT_EQ(graph[2]["stacking_level"], 0);
}

TEST(GraphProcessor, given_a_function_left_by_an_exception_then_its_end_says_so) {
    GraphProcessor::begin_graph_capture();
    record::emit_function_begin(record::intern("op"), 0);
    record::emit_error(record::intern("exception"), record::intern("bad \"shape\""), record::intern("op"));
    record::emit_function_aborted(record::TextId::kNone);
    record::emit_function_begin(record::intern("other"), 0);
    record::emit_function_aborted(record::intern("out of memory"));
    const json graph = GraphProcessor::end_graph_capture();
    test::expect_well_formed(graph);
    EXPECT_EQ(graph[1]["connections"], json({2, 3}));
    EXPECT_EQ(graph[2]["node_type"], "error");
    EXPECT_EQ(
        graph[2]["params"],
        (json{{"error_message", "bad \"shape\""}, {"error_operation", "op"}, {"error_type", "exception"}}));
    EXPECT_EQ(graph[3]["params"], (json{{"aborted", "true"}, {"name", "op"}}));
    EXPECT_EQ(graph[5]["params"],
              (json{{"abort_reason", "out of memory"}, {"aborted", "true"}, {"name", "other"}}));
}

TEST(GraphProcessor, given_a_duration_then_it_lies_within_that_of_the_scope_around) {
    GraphProcessor::begin_graph_capture();
    GraphProcessor::track_function_start("outer");
    call("inner");
    GraphProcessor::track_function_end();
    const json graph = GraphProcessor::end_graph_capture();
    const auto ends = nodes_of_type(graph, "function_end");
    EXPECT_LE(ends[0]["duration_ns"], ends[1]["duration_ns"]);
    EXPECT_LE(ends[1]["duration_ns"], graph.back()["duration_ns"]);
    EXPECT_GT(graph.back()["duration_ns"], 0);
    constexpr std::uint64_t kOneMinute = 60'000'000'000;
    EXPECT_LT(graph.back()["duration_ns"], kOneMinute);
}

TEST(ScopedGraphCapture, given_its_end_then_it_gives_the_nodes_and_the_destructor_does_nothing_more) {
    GraphProcessor::begin_graph_capture();
    {
        ScopedGraphCapture capture(RunMode::NORMAL);
        call("seen");
        EXPECT_EQ(capture.end_graph_capture().size(), 4U);
        EXPECT_THROW(capture.end_graph_capture(), CaptureError);
    }
    EXPECT_TRUE(is_graph_capture_active()) << "the outer capture is somebody else's";
    EXPECT_EQ(GraphProcessor::end_graph_capture().size(), 4U);
}

TEST(ScopedGraphCapture, given_an_exception_then_the_capture_is_closed) {
    try {
        const ScopedGraphCapture capture;
        throw std::runtime_error("the model failed");
    } catch (const std::runtime_error&) {
        EXPECT_FALSE(is_graph_capture_active());
    }
}

TEST(ScopedGraphCapture, given_a_capture_forgotten_within_then_it_closes_its_own) {
    {
        const ScopedGraphCapture capture;
        GraphProcessor::begin_graph_capture();
        call("in both");
    }
    EXPECT_EQ(GraphProcessor::end_graph_capture().size(), 4U) << "the forgotten one is still open";
    EXPECT_FALSE(is_graph_capture_active());
}

TEST(CapturedGraph, given_nothing_is_asked_for_then_it_converts_on_demand) {
    GraphProcessor::begin_graph_capture();
    call("op");
    const CapturedGraph captured = GraphProcessor::end_capture();
    const json converted = captured;
    EXPECT_EQ(captured.node_count(), 4U);
    EXPECT_EQ(converted, captured.to_json());
    EXPECT_EQ(converted, json::parse(captured.to_text()));
}

}  // namespace
}  // namespace tilemeter::graph
