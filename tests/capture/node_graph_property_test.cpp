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
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "capture/graph/graph_processor.hpp"
#include "tests/capture/naive_graph.hpp"

namespace tilemeter {
namespace {

using graph::GraphProcessor;
using nlohmann::json;
using test::Step;
using test::Steps;

rc::Gen<Step> any_step() {
    const auto kind = rc::gen::map(rc::gen::inRange(0, static_cast<int>(Step::Kind::kCount)),
                                   [](int number) { return static_cast<Step::Kind>(number); });
    // There are two ways to end a function, so beginning one gets a second chance: depth comes of it.
    // Numbers are few, so that buffers, tensors and managers are met again.
    return rc::gen::construct<Step>(
        rc::gen::weightedOneOf<Step::Kind>({{6, kind}, {1, rc::gen::just(Step::Kind::kBegin)}}),
        rc::gen::inRange<std::uint64_t>(0, 4));
}

rc::Gen<Steps> any_steps() {
    return rc::gen::scale(3.0, rc::gen::container<Steps>(any_step()));
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
    RC_ASSERT(json::parse(captured.to_text()) == nodes);
    return without_durations(nodes);
}

RC_GTEST_PROP(NodeGraphProperty, any_sequence_gives_the_graph_of_the_naive_builder, ()) {
    const Steps steps = *any_steps();
    GraphProcessor::begin_graph_capture();
    emit_all(steps);
    RC_ASSERT(end_capture() == test::naive_graph({steps}));
}

RC_GTEST_PROP(NodeGraphProperty, nested_captures_each_give_the_graph_of_their_own_part, ()) {
    const Steps before = *any_steps();
    const Steps within = *any_steps();
    const Steps after = *any_steps();
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
    RC_ASSERT(inner == test::naive_graph({within}));
    RC_ASSERT(outer == test::naive_graph({all}));
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

RC_GTEST_PROP(NodeGraphProperty, threads_in_turn_give_the_graph_of_their_merged_steps, ()) {
    constexpr std::size_t kThreads = 3;
    const auto turns =
        *rc::gen::scale(0.3, rc::gen::container<std::vector<Steps>>(rc::gen::container<Steps>(any_step())));
    const auto thread_of_turn = *rc::gen::container<std::vector<std::size_t>>(
        turns.size(), rc::gen::inRange<std::size_t>(0, kThreads));
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
    RC_ASSERT(end_capture() == test::naive_graph(merged(turns, thread_of_turn, kThreads)));
}

}  // namespace
}  // namespace tilemeter
