// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Eight threads record while captures begin and end around them. Run it under the thread sanitizer.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "capture/graph/graph_processor.hpp"
#include "capture/record/emit.hpp"
#include "capture/record/text.hpp"
#include "tests/capture/well_formed.hpp"
#include "tests/cases.hpp"

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

TEST(Threads, given_eight_that_record_then_each_ones_operations_are_whole_and_in_order) {
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

TEST(Threads, given_captures_that_begin_and_end_meanwhile_then_each_is_well_formed) {
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

TEST(Threads, given_threads_that_come_and_go_then_none_of_their_events_is_lost) {
    GraphProcessor::begin_graph_capture();
    constexpr std::size_t kGenerations = 20;
    for (std::size_t i = 0; i < kGenerations; ++i)
        run_threads([](std::size_t) { emit_operation(record::intern("outer"), record::intern("inner")); });
    const json graph = GraphProcessor::end_graph_capture();
    test::expect_well_formed(graph);
    EXPECT_EQ(test::nodes_of_type(graph, "function_start").size(), 2 * kThreads * kGenerations);
}

/// Functions in functions, `depth` of them, with a buffer in the innermost one. Gives the number of events.
std::uint64_t emit_nested(record::TextId name, unsigned depth) {
    for (unsigned i = 0; i < depth; ++i)
        record::emit_function_begin(name, 0);
    const record::BufferRecord buffer{
        record::next_buffer_id(), {}, record::MemoryType::kL1, {}, 0, 1024, 64, 64, 64};
    record::emit_buffer_allocate(buffer, record::Origin::kObserved);
    record::emit_buffer_free(buffer, record::Origin::kObserved);
    for (unsigned i = 0; i < depth; ++i)
        record::emit_function_end();
    return 2 * depth + 2;
}

std::uint64_t events_in(const record::Recording& recording) {
    std::uint64_t events = 0;
    for (const record::ThreadSlice& slice : recording.threads)
        slice.for_each([&events](const record::Event& event) { events += event.time_ticks != 0 ? 1 : 0; });
    return events;
}

/// Records `events` in all threads together, in a capture with `options`; others begin, look and end
/// meanwhile.
void record_many(std::uint64_t events, const record::WindowOptions& options) {
    const record::WindowId window = record::open_window(options);
    std::atomic<std::uint64_t> emitted{0};
    std::atomic<std::uint64_t> buffers{0};
    std::atomic<bool> stop{false};
    std::thread captures([&] {
        while (!stop) {
            const record::WindowId inner = record::open_window(record::RunMode::NORMAL);
            EXPECT_TRUE(record::peek_window(window));
            std::this_thread::yield();
            const auto recording = record::close_window(inner);
            ASSERT_TRUE(recording);
            EXPECT_EQ(recording->overwritten, 0U);
        }
    });
    run_threads([&](std::size_t self) {
        const record::TextId name = record::intern("of thread " + std::to_string(self));
        std::uint64_t mine = 0;
        for (unsigned i = 0; mine < events / kThreads; ++i) {
            mine += emit_nested(name, 1 + i % 8);
            ++buffers;
        }
        emitted += mine;
    });
    stop = true;
    captures.join();
    const auto recording = record::close_window(window);
    ASSERT_TRUE(recording);
    EXPECT_GE(emitted, events);
    EXPECT_EQ(events_in(*recording) + recording->overwritten, emitted);
    if (options.max_bytes == 0) {
        EXPECT_EQ(recording->overwritten, 0U);
        // Each event is a node; so is each buffer, and the capture's begin and end.
        EXPECT_EQ(CapturedGraph(*recording).node_count(), emitted + buffers + 2);
    }
}

TEST(Threads, given_many_events_then_each_is_kept_or_counted) {
    const std::uint64_t events = test::cases(100'000);
    const auto path =
        std::filesystem::temp_directory_path() / ("threads_test." + std::to_string(getpid()) + ".tmrec");
    record::WindowOptions ring;
    ring.max_bytes = std::uint64_t{1} << 20;
    record::WindowOptions file;
    file.recording = path;
    for (const record::WindowOptions& options : {record::WindowOptions{}, ring, file})
        record_many(events, options);
    std::filesystem::remove(path);
}

TEST(Threads, given_the_same_schedule_twenty_times_then_the_report_is_the_same) {
    // Threads take turns, so that which does what, and when, is the same each time.
    const auto run = [] {
        std::atomic<std::size_t> turn{0};
        GraphProcessor::begin_graph_capture();
        run_threads([&turn](std::size_t self) {
            const record::TextId name = record::intern("thread " + std::to_string(self));
            constexpr std::size_t kRounds = 10;
            for (std::size_t round = 0; round < kRounds; ++round) {
                // Another order in each round; a function stays open over the others' turns.
                const std::size_t mine = round * kThreads + (self * 3 + round) % kThreads;
                for (std::size_t now = turn; now != mine; now = turn)
                    turn.wait(now);
                if (round % 2 == 0) {
                    record::emit_function_begin(name, round);
                } else {
                    record::emit_argument(name);
                    record::emit_function_end();
                }
                ++turn;
                turn.notify_all();
            }
        });
        json graph = GraphProcessor::end_graph_capture();
        for (json& node : graph)
            node.erase("duration_ns");
        return graph.dump();
    };
    const std::string first = run();
    EXPECT_NE(first.find("thread 7"), std::string::npos);
    for (int i = 0; i < 19; ++i)
        ASSERT_EQ(run(), first);
}

TEST(Threads, given_one_trace_then_it_always_gives_the_same_graph) {
    const record::WindowId window = record::open_window(record::RunMode::NORMAL);
    run_threads([](std::size_t self) {
        for (int i = 0; i < 200; ++i)
            emit_operation(record::intern("thread " + std::to_string(self)), record::intern("inner"));
    });
    const record::Recording recording = *record::close_window(window);
    const std::string first = CapturedGraph(recording).to_text();
    for (int i = 0; i < 19; ++i)
        ASSERT_EQ(CapturedGraph(recording).to_text(), first);
}

TEST(Threads, given_functions_left_open_by_several_threads_then_each_stands_at_the_end_at_its_own_levels) {
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

TEST(Threads, given_a_function_left_open_by_one_thread_then_the_others_stay_whole) {
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
