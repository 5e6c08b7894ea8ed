// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/types/shape.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/property.hpp"

namespace tilemeter {
namespace {

using Dimensions = std::vector<std::uint32_t>;

Dimensions of(const Shape& shape) {
    return {shape.dimensions().begin(), shape.dimensions().end()};
}

Dimensions drawn() {
    return test::list_of(test::in_range<std::size_t>(0, 15), [] { return test::one_of(0U, 1U, 2U, 3U, 4U); });
}

// Shapes of up to 8 dimensions and of more are stored apart: each may be copied and moved over each.
TEST(Shape, is_the_list_of_its_dimensions) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        Dimensions first = drawn();
        const Dimensions second = drawn();
        Shape shape{std::span<const std::uint32_t>(first)};
        const Shape other{std::span<const std::uint32_t>(second)};
        PROPERTY_ASSERT(of(shape) == first);
        PROPERTY_ASSERT((shape == other) == (first == second));
        for (const std::uint32_t more : second) {
            shape.push_back(more);
            first.push_back(more);
        }
        PROPERTY_ASSERT(of(shape) == first);
        for (std::size_t i = 0; i < first.size(); ++i) {
            shape.set(static_cast<std::int64_t>(i) - static_cast<std::int64_t>(first.size()), 7);
            first[i] = 7;
        }
        const Shape copy = shape;
        Shape moved = std::move(shape);
        PROPERTY_ASSERT(of(copy) == first);
        PROPERTY_ASSERT(of(moved) == first);
        moved = other;
        PROPERTY_ASSERT(of(moved) == second);
        moved = copy;
        PROPERTY_ASSERT(moved == copy);
        Shape last = other;
        last = std::move(moved);
        PROPERTY_ASSERT(of(last) == first);
        PROPERTY_ASSERT(of(last.to_rank(first.size() + 2)) == [&] {
            Dimensions padded(2, 1);
            padded.insert(padded.end(), first.begin(), first.end());
            return padded;
        }());
    }));
}

}  // namespace
}  // namespace tilemeter
