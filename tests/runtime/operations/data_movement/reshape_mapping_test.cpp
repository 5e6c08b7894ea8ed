// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/reshape_mapping.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

#include <gtest/gtest.h>

#include "tests/property.hpp"

namespace tilemeter {
namespace {

// The place of an element: its tile, counted over the tensor, and its place among the tile's elements.
struct Place {
    std::uint64_t tile;
    std::uint64_t element;
};

Place place_of(const Shape& shape, std::uint64_t flat) {
    const std::uint64_t column = flat % shape[2], row = flat / shape[2] % shape[1];
    const std::uint64_t batch = flat / shape[2] / shape[1];
    const std::uint64_t tile_rows = (shape[1] + 31) / 32, tile_columns = (shape[2] + 31) / 32;
    const std::uint64_t face = row % 32 / 16 * 2 + column % 32 / 16;
    return {(batch * tile_rows + row / 32) * tile_columns + column / 32,
            face * 256 + row % 16 * 16 + column % 16};
}

// Element by element, tile by tile, as the header says.
std::uint64_t naive_words(const Shape& input, const Shape& output) {
    std::uint64_t most = 0;
    for (std::uint64_t batch = 0; batch < output[0]; ++batch) {
        for (std::uint64_t top = 0; top < output[1]; top += 32) {
            for (std::uint64_t left = 0; left < output[2]; left += 32) {
                std::map<std::uint64_t, std::uint64_t> segments;  // per input tile
                std::optional<Place> from, to;                    // of the element before
                for (std::uint64_t row = top; row < std::min<std::uint64_t>(top + 32, output[1]); ++row) {
                    for (std::uint64_t column = left; column < std::min<std::uint64_t>(left + 32, output[2]);
                         ++column) {
                        const std::uint64_t flat = (batch * output[1] + row) * output[2] + column;
                        const Place source = place_of(input, flat), target = place_of(output, flat);
                        const bool goes_on = from && source.tile == from->tile &&
                                             source.element == from->element + 1 &&
                                             target.element == to->element + 1;
                        if (!goes_on) ++segments[source.tile];
                        from = source;
                        to = target;
                    }
                }
                std::uint64_t longest = 0;
                for (const auto& [tile, count] : segments)
                    longest = std::max(longest, count);
                most = std::max(most, longest * segments.size());
            }
        }
    }
    return 4 * (most + most % 16);
}

TEST(ReshapeMapping, counts_the_segments_of_the_longest_row) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        // Factors spread over the dimensions of both shapes, so that their volumes are equal.
        Shape input{1, 1, 1}, output{1, 1, 1};
        const auto factors = test::list_of(test::in_range<std::size_t>(0, 101), [] {
            return test::one_of(2U, 2U, 2U, 3U, 4U, 5U, 7U, 8U, 11U, 16U, 32U);
        });
        for (const std::uint32_t factor : factors) {
            if (input.volume() * factor > 30000) continue;
            const auto from = test::in_range(0, 3), to = test::in_range(0, 3);
            input.set(from, input[from] * factor);
            output.set(to, output[to] * factor);
        }
        PROPERTY_ASSERT(reshape_mapping_words(input, output) == naive_words(input, output));
    }));
}

}  // namespace
}  // namespace tilemeter
