// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/gate/aligned.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>

namespace tilemeter::analysis {
namespace {

std::vector<std::uint32_t> outermost(const Scopes& scopes) {
    std::vector<std::uint32_t> operations;
    for (std::uint32_t scope = 0; scope < scopes.scopes.size(); ++scope)
        if (scopes.scopes[scope].parent == kNoIndex) operations.push_back(scope);
    return operations;
}

struct Pair {
    std::size_t before, after;
};

/// The longest part of `pairs`, which ascend on the first side, that ascends on the second as well.
std::vector<Pair> ascending(const std::vector<Pair>& pairs) {
    std::vector<std::size_t> ends;  // by length - 1: the pair that a part of that length ends with lowest
    std::vector<std::size_t> previous(pairs.size(), pairs.size());
    for (std::size_t at = 0; at < pairs.size(); ++at) {
        const auto place =
            std::lower_bound(ends.begin(), ends.end(), pairs[at].after,
                             [&](std::size_t pair, std::size_t value) { return pairs[pair].after < value; });
        if (place != ends.begin()) previous[at] = *(place - 1);
        if (place == ends.end())
            ends.push_back(at);
        else
            *place = at;
    }
    std::vector<Pair> part;
    for (std::size_t at = ends.empty() ? pairs.size() : ends.back(); at < pairs.size(); at = previous[at])
        part.push_back(pairs[at]);
    std::reverse(part.begin(), part.end());
    return part;
}

}  // namespace

std::vector<AlignedOperation> aligned_operations(const NodeList& before, const Scopes& scopes_before,
                                                 const NodeList& after, const Scopes& scopes_after) {
    const std::vector<std::uint32_t> first = outermost(scopes_before), second = outermost(scopes_after);
    std::map<std::string, std::vector<std::size_t>> places;
    for (std::size_t at = 0; at < second.size(); ++at)
        places[std::string(after.name(scopes_after.scopes[second[at]].start))].push_back(at);
    std::map<std::string, std::size_t> met;
    std::vector<Pair> pairs;
    for (std::size_t at = 0; at < first.size(); ++at) {
        const std::string name(before.name(scopes_before.scopes[first[at]].start));
        const auto known = places.find(name);
        const std::size_t count = met[name]++;
        if (known != places.end() && count < known->second.size())
            pairs.push_back({at, known->second[count]});
    }
    std::vector<AlignedOperation> rows;
    std::size_t i = 0, j = 0;
    const auto advance_to = [&](std::size_t end, std::size_t end_after) {
        for (; i < end; ++i)
            rows.push_back({first[i], kNoIndex});
        for (; j < end_after; ++j)
            rows.push_back({kNoIndex, second[j]});
    };
    for (const Pair& pair : ascending(pairs)) {
        advance_to(pair.before, pair.after);
        rows.push_back({first[i++], second[j++]});
    }
    advance_to(first.size(), second.size());
    return rows;
}

}  // namespace tilemeter::analysis
