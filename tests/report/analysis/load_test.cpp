// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/nodes/load.hpp"

#include <fstream>
#include <future>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "capture/graph/graph_processor.hpp"
#include "report/analysis/answers/peak.hpp"
#include "report/analysis/answers/verdict.hpp"
#include "report/analysis/ttnn/answers_json.hpp"
#include "report/report_writer.hpp"
#include "tests/report/compressed.hpp"
#include "tests/scratch_folder.hpp"

namespace tilemeter::analysis {
namespace {

TEST(Load, says_in_one_line_what_is_wrong_with_a_list) {
    for (const char* text : {"5", "\"x\"", "{\"a\": 1}", "[1]", "[null]", "[{\"params\": [\"x\"]}]", "[{]"}) {
        const auto list = node_list_of_text(text);
        ASSERT_FALSE(list.ok()) << text;
        EXPECT_EQ(list.error().message().find('\n'), std::string::npos);
    }
    EXPECT_TRUE(node_list_of_text("{}").ok()) << "reads as an empty list";
}

TEST(Load, of_a_file_that_is_not_there_fails) {
    EXPECT_FALSE(load_node_list("/nonexistent/report.json").ok());
}

TEST(Load, finds_the_sidecar_of_a_compressed_report_and_looks_for_none_beside_a_pipe) {
    const std::string report = R"({"devices": [], "graph": [
        {"counter": 0, "node_type": "capture_start", "params": {}, "connections": [1]},
        {"counter": 1, "node_type": "function_start", "params": {"name": "op"}, "connections": [2]},
        {"counter": 2, "node_type": "function_end", "params": {"name": "op"}, "connections": []}],
        "metadata": {}, "version": 1})";
    const std::string records = R"([{"name": "op", "error": {"type": "RuntimeError", "message": "no"}}])";
    const test::ScratchFolder scratch;
    const auto path = scratch.write("x.json.gz", test::gzipped(report));
    auto list = load_node_list(path);
    ASSERT_TRUE(list.ok()) << list.error().message();
    EXPECT_EQ(list->source.sidecar, ListSource::Sidecar::kMissing);
    EXPECT_EQ(list->source.sidecar_file, (scratch.path() / "x.python_io.json").string());
    const std::string packed = test::zstd_compressed(records);
    const auto sidecar = scratch.write("x.python_io.json.zst", packed);
    list = load_node_list(path);
    EXPECT_EQ(list->source.sidecar, ListSource::Sidecar::kRead);
    EXPECT_EQ(list->source.sidecar_file, sidecar.string());
    ASSERT_EQ(list->source.python_calls.size(), 1U);
    EXPECT_EQ(list->source.python_calls[0].error_message, "no");
    scratch.write("x.python_io.json.zst", packed.substr(0, packed.size() - 1));
    list = load_node_list(path);
    EXPECT_EQ(list->source.sidecar, ListSource::Sidecar::kUnreadable);
    EXPECT_NE(list->source.sidecar_problem.find("expected the rest of a zstd frame"), std::string::npos);
    const auto pipe = scratch.path() / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(pipe) << report; });
    list = load_node_list(pipe);
    writer.join();
    ASSERT_TRUE(list.ok()) << list.error().message();
    EXPECT_EQ(list->source.sidecar, ListSource::Sidecar::kNone);
}

TEST(Load, takes_from_the_metadata_how_much_of_program_memory_was_told) {
    const test::ScratchFolder scratch;
    const auto list_with = [&](const std::string& metadata) {
        auto list = load_node_list(scratch.write("report.json", R"({"devices": [], "graph": [
            {"counter": 0, "node_type": "capture_start", "params": {}, "connections": [1]},
            {"counter": 1, "node_type": "function_start", "params": {"name": "op"}, "connections": [2]},
            {"counter": 2, "node_type": "circular_buffer_deallocate_all", "params": {"device_id": 0}, "connections": [1]},
            {"counter": 3, "node_type": "circular_buffer_allocate", "connections": [], "params": {"address": 0,
             "core_range_set": "{[0-0 - 0-0]}", "device_id": 0, "globally_allocated": "0", "size": 64}},
            {"counter": 4, "node_type": "function_end", "params": {"name": "op"}, "connections": []}],
            "metadata": )" + metadata + R"(, "version": 1})"));
        EXPECT_TRUE(list.ok()) << list.error().message();
        return *list;
    };
    const auto untold = [](const NodeList& list) {
        std::string kinds = "-";
        for (const Reason& gap : find_gaps(list, find_lifetimes(list))) {
            if (gap.kind == Reason::Kind::kProgramsNotRecorded) kinds = gap.detail;
        }
        return kinds;
    };
    const std::string all =
        R"({"program_memory": {"circular_buffers": "complete", "dataflow_buffers": "complete",
                                "scratchpads": "complete"}})";
    EXPECT_TRUE(list_with(all).program_memory_is_complete());
    EXPECT_EQ(untold(list_with(all)), "-");
    const std::string some =
        R"({"producer": "tilemeter 0.1.0", "program_memory": {"circular_buffers": "complete",
                                 "dataflow_buffers": "partial", "scratchpads": "none"}})";
    EXPECT_FALSE(list_with(some).program_memory_is_complete());
    EXPECT_EQ(untold(list_with(some)), "dataflow buffers, scratchpads");
    EXPECT_FALSE(list_with("{}").program_memory_is_complete());
    EXPECT_FALSE(
        list_with(R"({"program_memory": {"circular_buffers": "much"}})").program_memory_told.has_value());
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

TEST(Load, of_numbers_that_are_none_keeps_the_rest_and_where_they_stood) {
    const test::ScratchFolder scratch;
    const std::string text = R"({"devices": [], "graph": [
        {"counter": 0, "node_type": "capture_start", "params": {}, "connections": [1]},
        {"counter": 1, "node_type": "function_start", "params": {"name": "op"}, "connections": [2, "x"]},
        {"counter": 2, "node_type": "circular_buffer_allocate", "connections": [], "params": {"address": 0,
         "core_range_set": "{[0-0 - 0-0]}", "device_id": 0, "globally_allocated": "0", "size": "12abc"}},
        {"counter": -3, "node_type": "function_end", "params": {"name": "op"}, "connections": []}],
        "metadata": {"recorder_dropped_events": 1.5}, "version": 99})";
    const auto list = load_node_list(scratch.write("report.json", text));
    ASSERT_TRUE(list.ok()) << list.error().message();
    const ListSource& source = list.value().source;
    EXPECT_EQ(source.unknown_version, "99");
    ASSERT_EQ(source.damaged_numbers.size(), 4U);
    EXPECT_EQ(source.damaged_number_count, 4U);
    const auto find = [&](const std::string& where) {
        for (const DamagedNumber& it : source.damaged_numbers)
            if (it.where == where) return text_of(it);
        return std::string();
    };
    // Blanks may lie before a node.
    const std::string size = find("params.size");
    EXPECT_EQ(size.substr(size.find(',')),
              ", node 2, params.size: expected an integer from 0 to 2^63 - 1, found '12abc'");
    const std::size_t byte = std::stoul(size.substr(size.find(' ')));
    EXPECT_EQ(text.find_first_not_of(" \n", byte), text.find("{\"counter\": 2"));
    EXPECT_EQ(find("metadata.recorder_dropped_events"),
              "byte " + std::to_string(text.find("{\"recorder_dropped")) +
                  ", metadata.recorder_dropped_events: expected an integer from 0 to 2^63 - 1, found 1.5");
    EXPECT_NE(find("connections"), "");
    EXPECT_NE(find("counter").find("found -3"), std::string::npos);
    const Judgement judgement = judge(list.value(), find_lifetimes(list.value()));
    EXPECT_EQ(judgement.verdict, Verdict::kUnknown);
    EXPECT_EQ(judgement.l1.bound, Bound::kUncertain);
}

TEST(Load, of_a_capture_that_ends_while_a_thread_is_in_a_function_finds_no_damage) {
    std::promise<void> is_in, may_leave;
    graph::ScopedGraphCapture capture;
    graph::GraphProcessor::track_function_start("done");
    graph::GraphProcessor::track_function_end();
    std::thread other([&] {
        graph::GraphProcessor::track_function_start("outer");
        graph::GraphProcessor::track_function_start("inner");
        is_in.set_value();
        may_leave.get_future().wait();
        graph::GraphProcessor::track_function_end();
        graph::GraphProcessor::track_function_end();
    });
    is_in.get_future().wait();
    const graph::CapturedGraph graph = capture.end_capture();
    may_leave.set_value();
    other.join();
    const auto is_damaged = [](const NodeList& list) {
        return judge(list, find_lifetimes(list)).find(Reason::Kind::kNodesMissing) != nullptr;
    };
    EXPECT_FALSE(is_damaged(node_list_of(graph)));
    const test::ScratchFolder scratch;
    const auto path = scratch.path() / "report.json";
    ASSERT_TRUE(report::write_report(graph, path).ok());
    auto list = load_node_list(path);
    ASSERT_TRUE(list.ok()) << list.error().message();
    EXPECT_EQ(list->source.open_functions, Number(2));
    EXPECT_FALSE(is_damaged(list.value()));
    // If the report says nothing of it, an end is missing.
    list->source.open_functions = {};
    EXPECT_TRUE(is_damaged(list.value()));
}

TEST(Load, of_a_capture_in_memory_equals_that_of_its_json) {
    graph::ScopedGraphCapture capture;
    graph::GraphProcessor::track_function_start("outer");
    graph::GraphProcessor::track_function_start("inner");
    graph::GraphProcessor::track_function_end();
    graph::GraphProcessor::track_function_end();
    const graph::CapturedGraph graph = capture.end_capture();
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
}  // namespace tilemeter::analysis
