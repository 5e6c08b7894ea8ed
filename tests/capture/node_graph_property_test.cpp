// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Random sequences of events against the naive builder. Nothing about them is sensible: ends without begins,
// outputs before calls, frees before allocations.

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capture/graph/graph_processor.hpp"
#include "tests/capture/naive_graph.hpp"
#include "tests/property.hpp"

namespace tilemeter {
namespace {

using graph::GraphProcessor;
using nlohmann::json;
using test::Step;
using test::Steps;

Step any_step(Step::Kind end = Step::Kind::kCount) {
    // There are two ways to end a function, so beginning one gets a second chance: depth comes of it.
    const bool begins = test::one_of(true, false, false, false, false, false, false);
    const auto kind = static_cast<Step::Kind>(test::in_range(0, static_cast<int>(end)));
    // Numbers are few, so that buffers, tensors and managers are met again.
    return {begins ? Step::Kind::kBegin : kind, test::in_range<std::uint64_t>(0, 4)};
}

/// At most `most`, of the kinds before `end`.
Steps any_steps(std::size_t most = 300, Step::Kind end = Step::Kind::kCount) {
    return test::list_of(test::in_range<std::size_t>(0, most + 1), [&] { return any_step(end); });
}

json without_durations(json graph) {
    for (json& node : graph)
        node.erase("duration_ns");
    return graph;
}

void emit_all(const Steps& steps) {
    for (const Step& step : steps)
        test::emit(step);
}

/// Ends the capture; both forms of output must agree.
json end_capture() {
    const graph::CapturedGraph captured = GraphProcessor::end_capture();
    const json nodes = captured.to_json();
    PROPERTY_ASSERT(json::parse(captured.to_text()) == nodes);
    return without_durations(nodes);
}

TEST(NodeGraphProperty, any_sequence_gives_the_graph_of_the_naive_builder) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        const Steps steps = any_steps();
        GraphProcessor::begin_graph_capture();
        emit_all(steps);
        PROPERTY_ASSERT(end_capture() == test::naive_graph({steps}));
    }));
}

TEST(NodeGraphProperty, nested_captures_each_give_the_graph_of_their_own_part) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        const Steps before = any_steps();
        const Steps within = any_steps();
        const Steps after = any_steps();
        GraphProcessor::begin_graph_capture();
        emit_all(before);
        GraphProcessor::begin_graph_capture();
        emit_all(within);
        const json inner = end_capture();
        emit_all(after);
        const json outer = end_capture();
        Steps all = before;
        all.insert(all.end(), within.begin(), within.end());
        all.insert(all.end(), after.begin(), after.end());
        PROPERTY_ASSERT(inner == test::naive_graph({within}));
        PROPERTY_ASSERT(outer == test::naive_graph({all}));
    }));
}

/// The steps of several threads that took turns, as the list has them: outermost functions whole, those left
/// open last.
std::vector<Steps> merged(const std::vector<Steps>& turns, const std::vector<std::size_t>& thread_of_turn,
                          std::size_t threads) {
    struct Stretch {
        Steps steps;
        std::size_t depth = 0;
    };
    std::vector<Stretch> stretches;                         // in the order they began
    std::vector<std::optional<std::size_t>> open(threads);  // each thread's open stretch
    for (std::size_t turn = 0; turn < turns.size(); ++turn) {
        std::optional<std::size_t>& mine = open[thread_of_turn[turn]];
        for (const Step& step : turns[turn]) {
            const bool begins = step.kind == Step::Kind::kBegin;
            const bool ends = step.kind == Step::Kind::kEnd || step.kind == Step::Kind::kAbort;
            if (!mine) {
                stretches.emplace_back();
                mine = stretches.size() - 1;
            }
            Stretch& stretch = stretches[*mine];
            stretch.steps.push_back(step);
            if (begins) ++stretch.depth;
            if (ends && stretch.depth > 0) --stretch.depth;
            if (stretch.depth == 0) mine.reset();
        }
    }
    std::stable_partition(stretches.begin(), stretches.end(), [](const Stretch& s) { return s.depth == 0; });
    std::vector<Steps> all;
    for (Stretch& stretch : stretches)
        all.push_back(std::move(stretch.steps));
    return all;
}

TEST(NodeGraphProperty, threads_in_turn_give_the_graph_of_their_merged_steps) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        constexpr std::size_t kThreads = 3;
        const auto turns = test::list_of(test::in_range<std::size_t>(0, 31),
                                         [] { return any_steps(30, Step::Kind::kView); });
        const std::vector<std::size_t> thread_of_turn =
            test::list_of(turns.size(), [] { return test::in_range<std::size_t>(0, kThreads); });
        GraphProcessor::begin_graph_capture();
        std::atomic<std::size_t> turn{0};
        std::vector<std::thread> threads;
        for (std::size_t self = 0; self < kThreads; ++self) {
            threads.emplace_back([&, self] {
                for (std::size_t now = turn.load(); now < turns.size(); now = turn.load()) {
                    if (thread_of_turn[now] != self) {
                        turn.wait(now);
                        continue;
                    }
                    emit_all(turns[now]);
                    turn.store(now + 1);
                    turn.notify_all();
                }
            });
        }
        for (std::thread& thread : threads)
            thread.join();
        PROPERTY_ASSERT(end_capture() == test::naive_graph(merged(turns, thread_of_turn, kThreads)));
    }));
}

}  // namespace
}  // namespace tilemeter
