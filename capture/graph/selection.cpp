// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/graph/selection.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "capture/record/text.hpp"

namespace tilemeter::graph {

namespace {

using record::Event;
using record::EventKind;

struct Call {
    std::size_t slice;
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t begin_ticks;
};

void append_calls(const record::ThreadSlice& slice, std::size_t index, record::TextId name,
                  std::vector<Call>& calls) {
    std::uint64_t depth = 0;  // within the function that was found
    std::uint64_t number = slice.begin;
    slice.for_each([&](const Event& event) {
        const bool begins = event.kind == EventKind::kFunctionBegin;
        if (depth == 0 && begins && event.detail == static_cast<std::uint32_t>(name)) {
            calls.push_back({index, number, slice.end, event.time_ticks});
            depth = 1;
        } else if (depth > 0 && begins) {
            ++depth;
        } else if (depth > 0 && event.kind == EventKind::kFunctionEnd && --depth == 0) {
            calls.back().end = number + 1;
        }
        ++number;
    });
}

record::ThreadSlice part_of(const record::ThreadSlice& slice, std::uint64_t begin, std::uint64_t end) {
    record::ThreadSlice part{slice.thread, begin, end, {}};
    for (auto chunk = slice.chunks.begin(); chunk != slice.chunks.end(); ++chunk) {
        const auto next = std::next(chunk);
        const std::uint64_t chunk_end = next == slice.chunks.end() ? slice.end : (*next)->first_index;
        if ((*chunk)->first_index < end && chunk_end > begin) part.chunks.push_back(*chunk);
    }
    return part;
}

}  // namespace

record::Recording only_functions(const record::Recording& recording, std::string_view name,
                                 std::uint64_t skip, std::uint64_t count) {
    const record::TextId id = record::intern(name);
    std::vector<Call> calls;
    for (std::size_t i = 0; i < recording.threads.size(); ++i)
        append_calls(recording.threads[i], i, id, calls);
    std::sort(calls.begin(), calls.end(), [](const Call& a, const Call& b) {
        return std::tuple(a.begin_ticks, a.slice, a.begin) < std::tuple(b.begin_ticks, b.slice, b.begin);
    });
    record::Recording selected = recording;
    selected.threads.clear();
    for (std::uint64_t i = skip; i < calls.size() && i - skip < count; ++i)
        selected.threads.push_back(part_of(recording.threads[calls[i].slice], calls[i].begin, calls[i].end));
    return selected;
}

}  // namespace tilemeter::graph
