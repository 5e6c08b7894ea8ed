// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Boxes in rows, so that arrows lead down: the layered drawing of graphs after Sugiyama, Tagawa and Toda.
//
//   rank 0   ┌─a─┐  ┌─b─┐      ranks:      by the longest path; rows no wider than a page; what nothing leads to stands
//            └─┬─┘  └─┬─┘                  just above its first user
//   rank 1   ┌─c─┐    │ bend   bends:      an arrow over several rows passes through each at a place of its own; arrows of
//            └─┬─┘    │                    one box share them as far as they go together
//   rank 2   ┌─┴─d────┴─┐      crossings:  rows are sorted by the mean of their neighbours, row by row, down and up
//            └──────────┘      places:     near the neighbours, without overlap, exactly solved for each row
//
// The same graph has the same drawing on every machine: ties go to what came first.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tilemeter::drawing {

/// In pixels.
struct Size {
    std::int64_t width = 0;
    std::int64_t height = 0;
};

struct Point {
    std::int64_t x = 0;
    std::int64_t y = 0;

    friend bool operator==(const Point&, const Point&) = default;
};

/// From one box to another, by their numbers. One that leads to an earlier box is drawn upwards.
struct Arrow {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
};

struct Layout {
    std::vector<Point> places;  ///< the upper left corner of each box
    /// The way of each arrow. A step between points of one x is straight, any other a curve that begins and ends
    /// upright; no step runs through a box but `direct` ones. In large drawings an arrow begins where it leaves the
    /// longest of those from the same box.
    std::vector<std::vector<Point>> ways;
    Size size;
    std::size_t crossings = 0;  ///< of the steps between neighbouring rows
    bool direct = false;        ///< the long arrows were too many for places of their own
};

/// Rows hold boxes of at most `row_width` pixels in all, unless one alone is wider. Arrows from a box to itself have
/// no way. REQUIRES: arrows name boxes; sizes are positive
Layout layered(std::span<const Size> boxes, std::span<const Arrow> arrows, std::int64_t row_width);

}  // namespace tilemeter::drawing
