// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/reshape_mapping.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

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

// Factors spread over the dimensions of both shapes, so that their volumes are equal.
std::pair<Shape, Shape> random_shapes() {
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
    return {input, output};
}

TEST(ReshapeMapping, counts_the_segments_of_the_longest_row) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        const auto [input, output] = random_shapes();
        PROPERTY_ASSERT(reshape_mapping_words(input, output) == naive_words(input, output));
    }));
}

// Element by element: the segments of each tile, and the bytes of a window that the longest needs.
struct NaiveTile {
    std::uint64_t segments = 0, window = 0;
};

NaiveTile naive_tile(const Shape& input, const Shape& output, std::uint64_t page, std::uint64_t bytes,
                     std::uint64_t alignment) {
    const std::uint64_t across = (output[2] + 31) / 32, down = (output[1] + 31) / 32;
    const std::uint64_t batch = page / (across * down);
    NaiveTile tile;
    std::optional<Place> from, to;
    std::uint64_t begin = 0, length = 0;
    for (std::uint64_t element = 0; element < 1024; ++element) {
        const std::uint64_t row = page / across % down * 32 + element / 32;
        const std::uint64_t column = page % across * 32 + element % 32;
        if (row >= output[1] || column >= output[2]) continue;
        const std::uint64_t flat = (batch * output[1] + row) * output[2] + column;
        const Place source = place_of(input, flat), target = place_of(output, flat);
        const bool goes_on = from && source.tile == from->tile && source.element == from->element + 1 &&
                             target.element == to->element + 1;
        if (!goes_on) {
            ++tile.segments;
            begin = source.element;
            length = 0;
        }
        ++length;
        tile.window = std::max(tile.window, begin * bytes % alignment + length * bytes);
        from = source;
        to = target;
    }
    return tile;
}

TEST(ReshapeMapping, counts_the_segments_of_the_fullest_core) {
    bool fits_once = false, never_fits = true;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const auto [input, output] = random_shapes();
        const std::uint64_t bytes = test::one_of(2U, 4U), alignment = test::one_of(32U, 64U);
        const std::uint64_t pages =
            std::uint64_t{output[0]} * ((output[1] + 31) / 32) * ((output[2] + 31) / 32);
        const WorkSplit split = split_work(pages, {13, 10}, CoreWalk::kDownColumns);
        std::uint64_t most = 0;
        bool fits = split.most <= 8;
        for (std::uint64_t core = 0, page = 0; core < split.num_cores; ++core) {
            std::uint64_t of_core = 0;
            const std::uint64_t share = core < pages % split.num_cores ? split.most : split.least;
            for (const std::uint64_t end = page + share; page < end; ++page) {
                const NaiveTile tile = naive_tile(input, output, page, bytes, alignment);
                of_core += tile.segments;
                fits = fits && tile.window <= alignment;
            }
            most = std::max(most, of_core);
        }
        fits = fits && most <= 128;
        (fits ? fits_once : never_fits) = fits;
        const auto found = reshape_window_segments(input, output, split, bytes, alignment);
        PROPERTY_ASSERT(found == (fits ? std::optional(most) : std::nullopt));
    }));
    EXPECT_TRUE(fits_once);
    EXPECT_FALSE(never_fits);
}

}  // namespace
}  // namespace tilemeter
