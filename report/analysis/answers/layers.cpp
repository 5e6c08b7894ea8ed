// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/answers/layers.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace tilemeter::analysis {
namespace {

constexpr std::size_t kLengthsTried = 24;
constexpr std::size_t kEarlierOnes = 8;  // occurrences before one, to which its distance is looked at

/// Distances at which operations come again, the most frequent first.
std::vector<std::size_t> likely_lengths(std::span<const std::uint32_t> operations) {
    std::unordered_map<std::uint32_t, std::vector<std::size_t>> places;
    std::unordered_map<std::size_t, std::size_t> counts;
    for (std::size_t at = 0; at < operations.size(); ++at) {
        std::vector<std::size_t>& earlier = places[operations[at]];
        for (std::size_t back = 0; back < std::min(kEarlierOnes, earlier.size()); ++back)
            ++counts[at - earlier[earlier.size() - 1 - back]];
        earlier.push_back(at);
    }
    std::vector<std::pair<std::size_t, std::size_t>> sorted(counts.begin(), counts.end());
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    std::vector<std::size_t> lengths;
    for (const auto& [length, count] : sorted) {
        if (lengths.size() == kLengthsTried) break;
        lengths.push_back(length);
    }
    return lengths;
}

}  // namespace

std::vector<RepeatedLayer> repeated_layers(std::span<const std::uint32_t> operations) {
    std::vector<RepeatedLayer> found;
    for (const std::size_t length : likely_lengths(operations)) {
        std::size_t run = 0;  // operations up to `at` that are as those one length later
        for (std::size_t at = 0; at + length <= operations.size(); ++at) {
            const bool alike = at + length < operations.size() && operations[at] == operations[at + length];
            if (alike) {
                ++run;
                continue;
            }
            if (run >= length) found.push_back({at - run, length, run / length + 1});
            run = 0;
        }
    }
    std::sort(found.begin(), found.end(), [](const RepeatedLayer& a, const RepeatedLayer& b) {
        const std::size_t covered = a.length * a.count, other = b.length * b.count;
        if (covered != other) return covered > other;
        return a.length != b.length ? a.length < b.length : a.first < b.first;
    });
    std::vector<RepeatedLayer> chosen;
    std::vector<char> taken(operations.size(), 0);
    for (const RepeatedLayer& layer : found) {
        const auto begin = taken.begin() + static_cast<std::ptrdiff_t>(layer.first);
        const auto end = begin + static_cast<std::ptrdiff_t>(layer.length * layer.count);
        if (std::find(begin, end, 1) != end) continue;
        std::fill(begin, end, 1);
        if (layer.length > 1) chosen.push_back(layer);  // else the same operation again and again
    }
    std::sort(chosen.begin(), chosen.end(),
              [](const RepeatedLayer& a, const RepeatedLayer& b) { return a.first < b.first; });
    return chosen;
}

}  // namespace tilemeter::analysis
