// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/graph/event_order.hpp"

#include <algorithm>
#include <tuple>

namespace tilemeter::graph {

namespace {

using record::Event;
using record::EventKind;

void append_stretches(const record::ThreadSlice& slice, std::uint32_t thread,
                      std::vector<Stretch>& stretches) {
    std::uint64_t depth = 0;
    std::uint64_t number = slice.begin;
    slice.for_each([&](const Event& event) {
        if (depth == 0) stretches.push_back({thread, number, number, event.time_ticks, false});
        if (event.kind == EventKind::kFunctionBegin) ++depth;
        if (event.kind == EventKind::kFunctionEnd && depth > 0) --depth;
        stretches.back().end = ++number;
    });
    if (depth > 0) stretches.back().left_open = true;
}

}  // namespace

std::vector<Stretch> order_of(const record::Trace& trace) {
    std::vector<Stretch> stretches;
    if (trace.threads.size() == 1) {
        // One thread is in order as it stands.
        const record::ThreadSlice& only = trace.threads.front();
        stretches.push_back({0, only.begin, only.end, trace.begin_ticks, false});
        return stretches;
    }
    for (std::uint32_t thread = 0; thread < trace.threads.size(); ++thread)
        append_stretches(trace.threads[thread], thread, stretches);
    const auto key = [](const Stretch& s) {
        return std::tuple(s.left_open, s.begin_ticks, s.thread, s.begin);
    };
    std::sort(stretches.begin(), stretches.end(),
              [key](const Stretch& a, const Stretch& b) { return key(a) < key(b); });
    return stretches;
}

}  // namespace tilemeter::graph
