// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Eight threads record while captures begin and end around them. Run it under the thread sanitizer.

#include <atomic>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capture/graph/graph_processor.hpp"
#include "capture/record/emit.hpp"
#include "capture/record/text.hpp"
#include "tests/capture/well_formed.hpp"

namespace tilemeter::graph {
namespace {

using nlohmann::json;

constexpr std::size_t kThreads = 8;

/// One operation of a thread: a function within a function, with a buffer that is made and freed.
void emit_operation(record::TextId outer, record::TextId inner) {
    const record::BufferRecord buffer{
        record::next_buffer_id(), {}, record::MemoryType::kL1, {}, 0, 1024, 64, 64, 64};
    record::emit_function_begin(outer, 0);
    record::emit_function_begin(inner, 1);
    record::emit_argument(inner);
    record::emit_buffer_allocate(buffer, record::Origin::kObserved);
    record::emit_function_end();
    record::emit_function_end();
    record::emit_buffer_free(buffer, record::Origin::kObserved);
}

/// Runs work(self) in all threads at once.
template <typename Work>
void run_threads(Work work) {
    std::latch start(kThreads);
    std::vector<std::thread> threads;
    for (std::size_t self = 0; self < kThreads; ++self) {
        threads.emplace_back([&start, &work, self] {
            start.arrive_and_wait();
            work(self);
        });
    }
    for (std::thread& thread : threads)
        thread.join();
}

TEST(Threads, GivenEightThatRecordThenEachOnesOperationsAreWholeAndInOrder) {
    constexpr std::size_t kOperations = 1500;  // several chunks of events per thread
    GraphProcessor::begin_graph_capture();
    run_threads([](std::size_t self) {
        for (std::size_t i = 0; i < kOperations; ++i) {
            emit_operation(
                record::intern("thread " + std::to_string(self) + " operation " + std::to_string(i)),
                record::intern("inner"));
        }
    });
    const CapturedGraph captured = GraphProcessor::end_capture();
    const json graph = captured.to_json();
    test::expect_well_formed(graph);
    EXPECT_EQ(test::nodes_of_type(graph, "buffer").size(), kThreads * kOperations);
    EXPECT_EQ(test::nodes_of_type(graph, "buffer_deallocate").size(), kThreads * kOperations);

    std::vector<std::size_t> next(kThreads, 0);
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const json& node = graph[i];
        if (node["node_type"] != "function_start" || node["stacking_level"] != 1) continue;
        const std::string name = node["params"]["name"];
        const auto self = static_cast<std::size_t>(name.at(7) - '0');
        ASSERT_EQ(name, "thread " + std::to_string(self) + " operation " + std::to_string(next.at(self)++));
        ASSERT_EQ(graph[i + 1]["params"]["name"], "inner") << "no other thread's event within";
        ASSERT_EQ(graph[i + 5]["params"]["name"], name);
    }
    EXPECT_EQ(next, std::vector<std::size_t>(kThreads, kOperations));
}

TEST(Threads, GivenCapturesThatBeginAndEndMeanwhileThenEachIsWellFormed) {
    std::atomic<bool> stop{false};
    std::atomic<std::uint64_t> recorded{0};
    // More than a capture waits for, so that it ends in the middle of recording; bounded, since what it must
    // read would grow without end where this thread gets a small part of the processor.
    std::atomic<std::uint64_t> wanted{0};
    std::thread captures([&] {
        constexpr int kCaptures = 30;
        for (int i = 0; i < kCaptures; ++i) {
            GraphProcessor::begin_graph_capture();
            ScopedGraphCapture inner(RunMode::NO_DISPATCH);
            const std::uint64_t before = recorded.load();
            wanted = before + 200;
            while (recorded.load() < before + 20)
                std::this_thread::yield();
            test::expect_well_formed(inner.end_graph_capture());
            const json outer = GraphProcessor::end_graph_capture();
            test::expect_well_formed(outer);
            EXPECT_GT(outer.size(), 2U);
        }
        stop = true;
    });
    run_threads([&](std::size_t) {
        const record::TextId outer = record::intern("outer");
        const record::TextId inner = record::intern("inner");
        while (!stop) {
            if (recorded < wanted) {
                emit_operation(outer, inner);
                recorded.fetch_add(1);
            }
            std::this_thread::yield();
        }
    });
    captures.join();
    EXPECT_FALSE(is_graph_capture_active());
}

TEST(Threads, GivenThreadsThatComeAndGoThenNoneOfTheirEventsIsLost) {
    GraphProcessor::begin_graph_capture();
    constexpr std::size_t kGenerations = 20;
    for (std::size_t i = 0; i < kGenerations; ++i)
        run_threads([](std::size_t) { emit_operation(record::intern("outer"), record::intern("inner")); });
    const json graph = GraphProcessor::end_graph_capture();
    test::expect_well_formed(graph);
    EXPECT_EQ(test::nodes_of_type(graph, "function_start").size(), 2 * kThreads * kGenerations);
}

TEST(Threads, GivenOneTraceThenItAlwaysGivesTheSameGraph) {
    const record::WindowId window = record::open_window(record::RunMode::NORMAL);
    run_threads([](std::size_t self) {
        for (int i = 0; i < 200; ++i)
            emit_operation(record::intern("thread " + std::to_string(self)), record::intern("inner"));
    });
    const record::Trace trace = *record::close_window(window);
    const std::string first = CapturedGraph(trace).to_text();
    for (int i = 0; i < 19; ++i)
        ASSERT_EQ(CapturedGraph(trace).to_text(), first);
}

TEST(Threads, GivenFunctionsLeftOpenBySeveralThreadsThenEachStandsAtTheEndAtItsOwnLevels) {
    GraphProcessor::begin_graph_capture();
    for (const char* name : {"first", "second"}) {
        std::thread([name] {
            emit_operation(record::intern("outer"), record::intern("inner"));
            GraphProcessor::track_function_start(name);
            GraphProcessor::track_function_start("within");
        }).join();
    }
    const json graph = GraphProcessor::end_graph_capture();
    test::expect_well_formed(graph);
    const auto words = test::outline(graph);
    const std::vector<std::string> tail(words.end() - 5, words.end());
    EXPECT_EQ(tail,
              (std::vector<std::string>{"function_start first", "function_start within",
                                        "function_start second", "function_start within", "capture_end"}));
    EXPECT_EQ(graph[graph.size() - 3]["stacking_level"], 1);
    EXPECT_EQ(graph[graph.size() - 2]["stacking_level"], 2);
}

TEST(Threads, GivenAFunctionLeftOpenByOneThreadThenTheOthersStayWhole) {
    GraphProcessor::begin_graph_capture();
    std::thread([] { GraphProcessor::track_function_start("never ended"); }).join();
    std::thread([] { emit_operation(record::intern("outer"), record::intern("inner")); }).join();
    const json graph = GraphProcessor::end_graph_capture();
    const auto words = test::outline(graph);
    EXPECT_EQ(words.front(), "capture_start");
    EXPECT_EQ(words[words.size() - 2], "function_start never ended") << "what is left open comes last";
}

}  // namespace
}  // namespace tilemeter::graph
