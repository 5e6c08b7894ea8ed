// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <atomic>
#include <cstdint>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "capture/graph/graph_processor.hpp"
#include "capture/graph/selection.hpp"
#include "capture/graph/step_capture.hpp"
#include "capture/record/context.hpp"
#include "capture/record/text.hpp"
#include "capture/record/window.hpp"
#include "tests/capture/well_formed.hpp"

namespace tilemeter {
namespace {

using graph::CapturedGraph;
using graph::GraphProcessor;
using nlohmann::json;
using record::Detail;
using record::EventKind;
using test::outline;
using Words = std::vector<std::string>;

record::WindowOptions at(Detail detail) {
    record::WindowOptions options;
    options.detail = detail;
    return options;
}

void call(const std::string& name) {
    record::emit_function_begin(record::intern(name), 1);
    record::emit_argument(record::intern("one"));
    record::emit_function_end();
}

std::uint64_t kept(const record::Recording& recording) {
    std::uint64_t events = 0;
    for (const auto& slice : recording.threads)
        events += slice.end - slice.begin;
    return events;
}

TEST(DetailOfACapture, given_counters_then_events_are_counted_and_not_kept) {
    const auto window = record::open_window(at(Detail::kCounters));
    for (int i = 0; i < 5000; ++i)
        call("a");
    const auto recording = record::close_window(window);
    EXPECT_EQ(kept(*recording), 0U);
    EXPECT_EQ(recording->counted.by_kind[static_cast<std::size_t>(EventKind::kFunctionBegin)], 5000U);
    EXPECT_EQ(recording->counted.by_kind[static_cast<std::size_t>(EventKind::kArgument)], 0U);
    EXPECT_EQ(recording->counted.total(), 10000U);
}

TEST(DetailOfACapture, given_a_capture_of_events_inside_one_of_counters_then_both_get_theirs) {
    const auto counters = record::open_window(at(Detail::kCounters));
    call("a");
    const auto events = record::open_window(at(Detail::kEvents));
    call("b");
    call("b");
    EXPECT_EQ(kept(*record::close_window(events)), 4U);
    call("c");
    const auto recording = record::close_window(counters);
    // While the inner one was open, events were kept for it; before and after, counted.
    EXPECT_EQ(recording->counted.total(), 4U);
}

TEST(DetailOfACapture, given_events_then_there_are_no_arguments) {
    record::open_window(at(Detail::kEvents));
    call("a");
    EXPECT_TRUE(GraphProcessor::end_graph_capture()[1]["arguments"].empty());
    record::open_window(at(Detail::kArguments));
    call("a");
    const json graph = GraphProcessor::end_graph_capture();
    EXPECT_EQ(graph[1]["arguments"], json::array({"one"}));
    EXPECT_FALSE(graph[1].contains("stack_trace"));
    record::open_window(at(Detail::kStacks));
    call("a");
    EXPECT_TRUE(GraphProcessor::end_graph_capture()[1].contains("stack_trace"));
}

TEST(LimitOfACapture, given_a_ring_then_the_newest_stay_and_the_loss_is_counted) {
    record::WindowOptions options;
    options.max_bytes = 3 * sizeof(record::Chunk);
    const auto window = record::open_window(options);
    for (std::uint64_t i = 0; i < 30000; ++i)
        record::emit_function_begin(record::TextId{1}, i);
    const auto recording = record::close_window(window);
    EXPECT_EQ(kept(*recording) + recording->overwritten, 30000U);
    EXPECT_LE(kept(*recording), 3 * record::Chunk::kEvents);
    std::uint64_t expected = recording->overwritten;
    recording->threads.at(0).for_each(
        [&](const record::Event& event) { EXPECT_EQ(event.payload.call.argument_count, expected++); });
    EXPECT_EQ(expected, 30000U);
}

TEST(LimitOfACapture, given_a_ring_that_is_looked_at_while_it_goes_on_then_what_was_seen_stays) {
    record::WindowOptions options;
    options.max_bytes = 3 * sizeof(record::Chunk);
    const auto window = record::open_window(options);
    std::uint64_t next = 0;
    const auto emit_to = [&](std::uint64_t end) {
        while (next < end)
            record::emit_function_begin(record::TextId{1}, next++);
    };
    emit_to(10000);
    const auto seen = record::peek_window(window);
    emit_to(30000);
    const auto recording = record::close_window(window);
    EXPECT_EQ(kept(*recording) + recording->overwritten, 30000U);
    std::uint64_t expected = seen->overwritten;
    seen->threads.at(0).for_each(
        [&](const record::Event& event) { EXPECT_EQ(event.payload.call.argument_count, expected++); });
    EXPECT_EQ(expected, 10000U);
}

TEST(LimitOfACapture, given_the_other_policy_then_the_oldest_stay) {
    record::WindowOptions options;
    options.max_bytes = 3 * sizeof(record::Chunk);
    options.when_full = record::FullPolicy::kDropNewest;
    auto window = record::open_window(options);
    for (std::uint64_t i = 0; i < 30000; ++i)
        record::emit_function_begin(record::TextId{1}, i);
    auto recording = record::close_window(window);
    EXPECT_EQ(kept(*recording) + recording->counted.total(), 30000U);
    EXPECT_GT(kept(*recording), 2 * record::Chunk::kEvents - 1);
    std::uint64_t expected = 0;
    recording->threads.at(0).for_each(
        [&](const record::Event& event) { EXPECT_EQ(event.payload.call.argument_count, expected++); });

    // The next capture is as good as new.
    window = record::open_window(record::RunMode::NORMAL);
    call("a");
    EXPECT_EQ(kept(*record::close_window(window)), 3U);
}

TEST(LimitOfACapture, given_a_capture_without_one_beside_it_then_that_loses_nothing) {
    record::WindowOptions options;
    options.max_bytes = 2 * sizeof(record::Chunk);
    const auto limited = record::open_window(options);
    const auto unlimited = record::open_window(record::RunMode::NORMAL);
    for (int i = 0; i < 10000; ++i)
        record::emit_function_end();
    EXPECT_EQ(kept(*record::close_window(unlimited)), 10000U);
    record::close_window(limited);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // whose own memory is beyond any limit
TEST(LimitOfACapture, given_no_more_memory_then_the_loss_is_counted_and_the_next_capture_is_whole) {
    // The places that can be written to. Of address space the C library keeps 64 MiB for each thread that there was.
    std::uint64_t kilobytes = 0;
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word && kilobytes == 0;) {
        if (word == "VmData:") status >> kilobytes;
    }
    ASSERT_GT(kilobytes, 0U);
    rlimit limits{};
    ASSERT_EQ(getrlimit(RLIMIT_DATA, &limits), 0);
    rlimit tight = limits;
    tight.rlim_cur = kilobytes << 10U;
    constexpr std::uint64_t kCalls = 1'000'000;
    call("a");  // interned
    const auto window = record::open_window(at(Detail::kArguments));
    ASSERT_EQ(setrlimit(RLIMIT_DATA, &tight), 0);
    for (std::uint64_t i = 0; i < kCalls; ++i)
        call("a");
    ASSERT_EQ(setrlimit(RLIMIT_DATA, &limits), 0);
    const auto recording = record::close_window(window);
    EXPECT_GT(recording->counted.total(), 0U);
    EXPECT_EQ(kept(*recording) + recording->counted.total(), 3 * kCalls);
    const auto next = record::open_window(at(Detail::kArguments));
    call("a");
    EXPECT_EQ(kept(*record::close_window(next)), 3U);
}
#endif

TEST(Steps, given_some_to_skip_then_only_the_others_are_captured) {
    graph::StepCapture capture({.skip = 2, .count = 3});
    for (int i = 0; i < 10; ++i) {
        capture.step();
        call("step " + std::to_string(i));
        EXPECT_EQ(capture.is_capturing(), i >= 2 && i < 5);
    }
    const auto captured = capture.take();
    ASSERT_TRUE(captured);
    EXPECT_EQ(outline(captured->to_json()),
              (Words{"capture_start", "function_start step 2", "function_end step 2", "function_start step 3",
                     "function_end step 3", "function_start step 4", "function_end step 4", "capture_end"}));
    EXPECT_FALSE(capture.take());
    EXPECT_EQ(record::open_window_count(), 0U);
}

TEST(Steps, given_a_loop_that_ends_early_then_what_was_captured_can_be_taken) {
    graph::StepCapture capture({.skip = 0, .count = 100});
    capture.step();
    call("a");
    EXPECT_EQ(capture.take()->node_count(), 4U);
}

TEST(Selection, given_a_name_then_its_calls_with_all_inside_are_left) {
    const auto window = record::open_window(record::RunMode::NORMAL);
    for (int i = 0; i < 1000; ++i) {
        call("other");
        record::emit_function_begin(record::intern("layer"), 0);
        call("inner " + std::to_string(i));
        record::emit_function_end();
    }
    const auto recording = record::close_window(window);
    const json graph = CapturedGraph(graph::only_functions(*recording, "layer", 990, 2)).to_json();
    test::expect_well_formed(graph);
    EXPECT_EQ(outline(graph), (Words{"capture_start", "function_start layer", "function_start inner 990",
                                     "function_end inner 990", "function_end layer", "function_start layer",
                                     "function_start inner 991", "function_end inner 991",
                                     "function_end layer", "capture_end"}));
    EXPECT_EQ(CapturedGraph(graph::only_functions(*recording, "nothing")).node_count(), 2U);
    EXPECT_EQ(CapturedGraph(graph::only_functions(*recording, "layer")).node_count(), 4002U);
}

json graph_of_handed_over_work() {
    const auto window = record::open_window(record::RunMode::NORMAL);
    record::emit_function_begin(record::intern("parent"), 0);
    call("before");
    const record::ContextId context = record::hand_over();
    std::vector<std::thread> workers;
    for (std::uint32_t i = 0; i < 8; ++i) {
        workers.emplace_back([context, i] {
            const record::ScopedContext here(context, i);
            call("work " + std::to_string(i));
            call("more " + std::to_string(i));
        });
    }
    for (std::thread& worker : workers)
        worker.join();
    call("after");
    record::emit_function_end();
    return CapturedGraph(*record::close_window(window)).to_json();
}

TEST(Context, given_workers_then_their_work_belongs_to_the_function_in_their_order) {
    json graph = graph_of_handed_over_work();
    test::expect_well_formed(graph);
    Words expected = {"capture_start",       "function_start parent", "function_start before",
                      "function_end before", "function_start after",  "function_end after"};
    for (int i = 0; i < 8; ++i) {
        for (const char* what : {"work ", "more "}) {
            expected.push_back("function_start " + (what + std::to_string(i)));
            expected.push_back("function_end " + (what + std::to_string(i)));
        }
    }
    expected.insert(expected.end(), {"function_end parent", "capture_end"});
    EXPECT_EQ(outline(graph), expected);
    for (int run = 0; run < 20; ++run) {
        json again = graph_of_handed_over_work();
        for (json* each : {&graph, &again}) {
            for (json& node : *each)
                node.erase("duration_ns");
        }
        ASSERT_EQ(again, graph) << "run " << run;
    }
}

TEST(Context, given_an_end_of_what_began_before_the_capture_then_it_ends_no_function_but_its_own) {
    std::atomic<record::ContextId> handed_over{record::ContextId::kNone};
    std::atomic<bool> begun{false};
    const auto around = record::open_window(record::RunMode::NORMAL);
    std::thread worker([&] {
        record::emit_function_begin(record::intern("older"), 0);
        begun = true;
        begun.notify_all();
        handed_over.wait(record::ContextId::kNone);
        const record::ScopedContext here(handed_over, 0);
        record::emit_function_end();
        call("work");
    });
    begun.wait(false);
    const auto window = record::open_window(record::RunMode::NORMAL);
    record::emit_function_begin(record::intern("parent"), 0);
    handed_over = record::hand_over();
    handed_over.notify_all();
    worker.join();
    record::emit_function_end();
    const json graph = CapturedGraph(*record::close_window(window)).to_json();
    record::close_window(around);
    test::expect_well_formed(graph);
    EXPECT_EQ(outline(graph), (Words{"capture_start", "function_start parent", "function_start work",
                                     "function_end work", "function_end parent", "capture_end"}));
}

TEST(Context, given_contexts_that_nest_deep_then_no_work_is_lost) {
    constexpr int kDepth = 1000;
    const auto window = record::open_window(record::RunMode::NORMAL);
    record::emit_function_begin(record::intern("parent"), 0);
    record::ContextId context = record::hand_over();
    record::emit_function_end();
    for (int i = 0; i < kDepth; ++i) {
        std::thread([&] {
            const record::ScopedContext here(context, 0);
            record::emit_function_begin(record::intern("work"), 0);
            context = record::hand_over();
            record::emit_function_end();
        }).join();
    }
    const json graph = CapturedGraph(*record::close_window(window)).to_json();
    test::expect_well_formed(graph);
    EXPECT_EQ(graph.size(), 2U * kDepth + 4U);
}

TEST(Context, given_nobody_records_then_there_is_none) {
    EXPECT_EQ(record::hand_over(), record::ContextId::kNone);
}

TEST(Context, given_a_hand_over_outside_of_the_capture_then_the_work_stands_alone) {
    const auto outer = record::open_window(record::RunMode::NORMAL);
    const record::ContextId context = record::hand_over();
    const auto inner = record::open_window(record::RunMode::NORMAL);
    call("mine");
    std::thread([context] {
        const record::ScopedContext here(context, 0);
        call("work");
    }).join();
    EXPECT_EQ(CapturedGraph(*record::close_window(inner)).node_count(), 6U);
    EXPECT_EQ(CapturedGraph(*record::close_window(outer)).node_count(), 6U);
}

}  // namespace
}  // namespace tilemeter
