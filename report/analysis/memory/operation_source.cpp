// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/memory/operation_source.hpp"

#include <vector>

namespace tilemeter::analysis {
namespace {

/// The scope whose call Python recorded: `scope`, or one around it.
struct RecordedCall {
    std::uint32_t scope = kNoIndex;
    const PythonCall* call = nullptr;
};
RecordedCall recorded_call(const NodeList& list, const Scopes& scopes, std::uint32_t scope) {
    if (list.source.python_calls.empty()) return {};
    std::uint32_t level = 0;
    for (; scope != kNoIndex && level < kMostLevels; scope = scopes.scopes[scope].parent, ++level)
        if (const PythonCall* call = list.source.python_call(scopes.scopes[scope].start))
            return {scope, call};
    return {};
}

/// The buffers that an operation made and left, in the order of their allocation, which is that of its
/// results; `one` is among them.
std::vector<std::uint32_t> results_of(const MemoryLifetimes& lifetimes, const Scope& operation,
                                      std::uint32_t one) {
    constexpr std::uint32_t kMost = 64;  // looked at on either side: lists of results are short
    if (operation.end == kNoIndex) return {};
    const auto is_met_within = [&](std::uint32_t buffer) {
        return lifetimes.buffers[buffer].node > operation.start &&
               lifetimes.buffers[buffer].node < operation.end;
    };
    std::uint32_t first = one;
    while (first > 0 && one - first < kMost && is_met_within(first - 1))
        --first;
    std::vector<std::uint32_t> results;
    for (std::uint32_t buffer = first;
         buffer < lifetimes.buffers.size() && buffer - first < 2 * kMost && is_met_within(buffer); ++buffer) {
        const BufferLifetime& lifetime = lifetimes.buffers[buffer];
        if (!lifetime.before_window && (lifetime.end == kNoIndex || lifetime.end > operation.end))
            results.push_back(buffer);
    }
    return results;
}

}  // namespace

std::string source_of(const NodeList& list, const Scopes& scopes, std::uint32_t scope) {
    if (scope == kNoIndex) return {};
    if (const RecordedCall recorded = recorded_call(list, scopes, scope); recorded.call != nullptr)
        if (std::string line = source_line(*recorded.call); !line.empty()) return line;
    // Functions in an operation are called from the same line, or have no frame of Python's. Scopes that the
    // user opened have a line of their own.
    std::uint32_t level = 0;
    for (; scope != kNoIndex && level < kMostLevels; scope = scopes.scopes[scope].parent, ++level) {
        const NodeList::Function* function = list.function(scopes.scopes[scope].start);
        if (function != nullptr && function->source_line != TextRef::kNone)
            return std::string(list.text(function->source_line));
    }
    return {};
}

Number viewer_tensor_id(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint32_t buffer) {
    const BufferLifetime& lifetime = lifetimes.buffers[buffer];
    if (lifetime.tensor == kNoIndex) return {};
    const RecordedCall maker = recorded_call(list, lifetimes.scopes, lifetime.maker);
    if (maker.call != nullptr) {
        const auto results = results_of(lifetimes, lifetimes.scopes.scopes[maker.scope], buffer);
        const std::vector<std::int64_t>& ids = maker.call->output_tensor_ids;
        // If the numbers differ, some result lies in a tensor that was there before.
        for (std::size_t i = 0; i < results.size() && results.size() == ids.size(); ++i)
            if (results[i] == buffer) return ids[i];
    }
    return list.tensor(lifetime.tensor)->tensor_id;
}

}  // namespace tilemeter::analysis
