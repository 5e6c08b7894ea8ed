// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/nodes/core_set.hpp"

#include <algorithm>
#include <array>

namespace tilemeter::analysis {
namespace {

constexpr CoreSet everywhere() {
    CoreSet set;
    set.everywhere = true;
    return set;
}

}  // namespace

CoreSet parse_core_set(std::string_view text) {
    // All spellings have four numbers per rectangle: x, y of one corner, then of the other.
    std::vector<std::uint32_t> numbers;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] < '0' || text[at] > '9') continue;
        std::uint32_t number = 0;
        for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
            number =
                std::min<std::uint32_t>(number * 10 + static_cast<std::uint32_t>(text[at] - '0'), 1 << 20);
        if (number >= CoreSet::kGridLimit) return everywhere();
        numbers.push_back(number);
    }
    if (text == "{}" || text == "[]") return {};
    if (numbers.empty() || numbers.size() % 4 != 0) return everywhere();

    CoreSet set;
    const auto rectangle = [&](std::size_t at, const auto& add) {
        const auto [left, right] = std::minmax(numbers[at], numbers[at + 2]);
        const auto [top, bottom] = std::minmax(numbers[at + 1], numbers[at + 3]);
        for (std::uint32_t y = top; y <= bottom; ++y)
            for (std::uint32_t x = left; x <= right; ++x)
                add(y * CoreSet::kGridLimit + x);
    };
    if (numbers.size() == 4) {  // most are one rectangle
        rectangle(0, [&](std::uint32_t index) { set.cores.push_back(static_cast<std::uint16_t>(index)); });
        return set;
    }
    std::array<bool, std::size_t{CoreSet::kGridLimit} * CoreSet::kGridLimit> is_in{};
    std::size_t end = 0;
    for (std::size_t at = 0; at < numbers.size(); at += 4)
        rectangle(at, [&](std::uint32_t index) {
            is_in[index] = true;
            end = std::max<std::size_t>(end, index + 1);
        });
    for (std::size_t index = 0; index < end; ++index)
        if (is_in[index]) set.cores.push_back(static_cast<std::uint16_t>(index));
    return set;
}

bool CoreSet::contains(Core core) const {
    const auto index = static_cast<std::uint16_t>(core.y * kGridLimit + core.x);
    return everywhere || std::binary_search(cores.begin(), cores.end(), index);
}

}  // namespace tilemeter::analysis
