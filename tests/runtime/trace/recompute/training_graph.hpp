// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Random training graphs, for searches of schedules.

#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "runtime/trace/device/recompute/task_graph.hpp"

namespace tilemeter::test {

/// A chain of layers forwards, their cotangents backwards and the gradients of their weights, with some links left out and
/// some that skip layers.
inline trace::TaskGraph training_graph(std::mt19937& random, std::uint32_t layers) {
    const auto any = [&](std::uint64_t from, std::uint64_t to) { return from + random() % (to - from + 1); };
    trace::TaskGraph graph;
    const auto add = [&](std::vector<std::uint32_t> needs, std::uint64_t size) {
        graph.tasks.push_back({std::move(needs), size, any(1, 9)});
        return static_cast<std::uint32_t>(graph.tasks.size() - 1);
    };
    std::vector<std::uint32_t> forward;
    for (std::uint32_t i = 0; i < layers; ++i) {
        std::vector<std::uint32_t> needs;
        if (i > 0) needs.push_back(forward.back());
        if (i > 1 && any(0, 3) == 0) needs.push_back(forward[i - 2]);
        forward.push_back(add(needs, any(1, 9)));
    }
    std::uint32_t cotangent = add({forward.back()}, any(1, 9));
    for (std::uint32_t i = layers; i-- > 0;) {
        const std::uint32_t saved = i > 0 ? forward[i - 1] : forward[0];
        graph.outputs.push_back(add({cotangent, saved}, any(1, 4)));
        if (i > 0) cotangent = add({cotangent, saved}, any(1, 9));
    }
    return graph;
}

/// The first 14 tasks of five layers.
inline trace::TaskGraph fourteen_tasks(std::mt19937& random) {
    trace::TaskGraph graph = training_graph(random, 5);
    graph.tasks.resize(14);
    std::erase_if(graph.outputs, [](std::uint32_t each) { return each >= 14; });
    return graph;
}

}  // namespace tilemeter::test
