// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/graph/event_order.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_set>

namespace tilemeter::graph {

namespace {

using record::Event;
using record::EventKind;

using Contexts = std::unordered_set<std::uint64_t>;

Contexts contexts_handed_over(const record::Recording& recording) {
    Contexts contexts;
    for (const record::ThreadSlice& slice : recording.threads) {
        slice.for_each([&](const Event& event) {
            if (event.kind == EventKind::kContextHandOver) contexts.insert(event.id);
        });
    }
    return contexts;
}

void append_stretches(const record::ThreadSlice& slice, std::uint32_t thread, const Contexts& contexts,
                      EventOrder& order) {
    std::uint64_t depth = 0;
    std::uint64_t number = slice.begin;
    std::vector<Stretch>* list = &order.stretches;
    bool in_context = false;
    slice.for_each([&](const Event& event) {
        if (!in_context && depth == 0) {
            in_context = event.kind == EventKind::kContextEnter && contexts.contains(event.id);
            list = in_context ? &order.of_contexts[event.id] : &order.stretches;
            list->push_back({thread, number, number, event.time_ticks, false, event.detail});
        }
        if (event.kind == EventKind::kFunctionBegin) ++depth;
        if (event.kind == EventKind::kFunctionEnd && depth > 0) --depth;
        if (in_context && depth == 0 && event.kind == EventKind::kContextLeave) in_context = false;
        list->back().end = ++number;
    });
    if (depth > 0) list->back().left_open = true;
}

}  // namespace

EventOrder order_of(const record::Recording& recording) {
    EventOrder order;
    if (recording.threads.size() == 1) {
        // One thread is in order as it stands.
        const record::ThreadSlice& only = recording.threads.front();
        order.stretches.push_back({0, only.begin, only.end, recording.begin_ticks, false});
        return order;
    }
    const Contexts contexts = contexts_handed_over(recording);
    for (std::uint32_t thread = 0; thread < recording.threads.size(); ++thread)
        append_stretches(recording.threads[thread], thread, contexts, order);
    std::sort(order.stretches.begin(), order.stretches.end(), [](const Stretch& a, const Stretch& b) {
        const auto key = [](const Stretch& s) {
            return std::tuple(s.left_open, s.begin_ticks, s.thread, s.begin);
        };
        return key(a) < key(b);
    });
    for (auto& [context, stretches] : order.of_contexts) {
        std::sort(stretches.begin(), stretches.end(), [](const Stretch& a, const Stretch& b) {
            return std::tuple(a.worker, a.begin_ticks, a.thread, a.begin) <
                   std::tuple(b.worker, b.begin_ticks, b.thread, b.begin);
        });
    }
    return order;
}

}  // namespace tilemeter::graph
