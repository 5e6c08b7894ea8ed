// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/order.hpp"

#include <algorithm>
#include <numeric>

namespace tilemeter::compute {

Ordered ordered_rows(const std::vector<float>& values, std::uint64_t width, std::uint64_t count,
                     bool descending) {
    Ordered result;
    std::vector<std::uint64_t> order(width);
    for (std::uint64_t row = 0; row < values.size(); row += width) {
        std::iota(order.begin(), order.end(), std::uint64_t{0});
        const auto before = [&](std::uint64_t a, std::uint64_t b) {
            const float left = values[row + a], right = values[row + b];
            if (left == right) return a < b;
            return descending ? left > right : left < right;
        };
        if (count == width) {
            std::stable_sort(order.begin(), order.end(), before);
        } else {
            std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                              before);
        }
        for (std::uint64_t i = 0; i < count; ++i) {
            result.values.push_back(values[row + order[i]]);
            result.places.push_back(static_cast<std::int64_t>(order[i]));
        }
    }
    return result;
}

}  // namespace tilemeter::compute
