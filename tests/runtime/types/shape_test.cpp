// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/types/shape.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tilemeter {
namespace {

using Dimensions = std::vector<std::uint32_t>;

Dimensions of(const Shape& shape) {
    return {shape.dimensions().begin(), shape.dimensions().end()};
}

Dimensions drawn() {
    return *rc::gen::resize(14, rc::gen::container<Dimensions>(rc::gen::inRange<std::uint32_t>(0, 5)));
}

// Shapes of up to 8 dimensions and of more are stored apart: each may be copied and moved over each.
RC_GTEST_PROP(Shape, is_the_list_of_its_dimensions, ()) {
    Dimensions first = drawn();
    const Dimensions second = drawn();
    Shape shape{std::span<const std::uint32_t>(first)};
    const Shape other{std::span<const std::uint32_t>(second)};
    RC_ASSERT(of(shape) == first);
    RC_ASSERT((shape == other) == (first == second));
    for (const std::uint32_t more : second) {
        shape.push_back(more);
        first.push_back(more);
    }
    RC_ASSERT(of(shape) == first);
    for (std::size_t i = 0; i < first.size(); ++i) {
        shape.set(static_cast<std::int64_t>(i) - static_cast<std::int64_t>(first.size()), 7);
        first[i] = 7;
    }
    const Shape copy = shape;
    Shape moved = std::move(shape);
    RC_ASSERT(of(copy) == first);
    RC_ASSERT(of(moved) == first);
    moved = other;
    RC_ASSERT(of(moved) == second);
    moved = copy;
    RC_ASSERT(moved == copy);
    Shape last = other;
    last = std::move(moved);
    RC_ASSERT(of(last) == first);
    RC_ASSERT(of(last.to_rank(first.size() + 2)) == [&] {
        Dimensions padded(2, 1);
        padded.insert(padded.end(), first.begin(), first.end());
        return padded;
    }());
}

}  // namespace
}  // namespace tilemeter
