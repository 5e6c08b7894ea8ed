// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/drawing/layered.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tilemeter::drawing {
namespace {

struct Graph {
    std::vector<Size> boxes;
    std::vector<Arrow> arrows;
};

Graph random_graph(std::uint32_t seed, std::uint32_t most_boxes) {
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
    Graph graph;
    const std::uint32_t count = 1 + below(most_boxes);
    for (std::uint32_t i = 0; i < count; ++i)
        graph.boxes.push_back({40 + below(200), 20 + below(300)});
    const std::uint32_t arrows = below(3 * count);
    for (std::uint32_t i = 0; i < arrows; ++i)
        graph.arrows.push_back({below(count), below(count)});
    return graph;
}

std::vector<std::string> faults_of(const Graph& graph, const Layout& layout) {
    std::vector<std::string> faults;
    const auto box = [&](std::size_t i) {
        const Point at = layout.places[i];
        return std::array<std::int64_t, 4>{at.x, at.y, at.x + graph.boxes[i].width,
                                           at.y + graph.boxes[i].height};
    };
    for (std::size_t i = 0; i < graph.boxes.size(); ++i) {
        const auto a = box(i);
        if (a[0] < 0 || a[1] < 0 || a[2] > layout.size.width || a[3] > layout.size.height)
            faults.push_back("box " + std::to_string(i) + " outside");
        for (std::size_t j = i + 1; j < graph.boxes.size(); ++j) {
            const auto b = box(j);
            if (a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3])
                faults.push_back("boxes " + std::to_string(i) + " and " + std::to_string(j));
        }
    }
    for (std::size_t i = 0; i < graph.arrows.size(); ++i) {
        const Arrow& arrow = graph.arrows[i];
        const std::vector<Point>& way = layout.ways[i];
        if (arrow.from == arrow.to) {
            if (!way.empty()) faults.emplace_back("an arrow to itself");
            continue;
        }
        const bool down = arrow.from < arrow.to;
        const auto from = box(arrow.from), to = box(arrow.to);
        const std::int64_t begin = down ? from[3] : from[1], end = down ? to[1] : to[3];
        if (way.front().y != begin || way.back().y != end || way.front().x < from[0] ||
            way.front().x > from[2] || way.back().x < to[0] || way.back().x > to[2])
            faults.push_back("arrow " + std::to_string(i) + " misses its boxes");
        // A step stays in the rectangle around its ends.
        for (std::size_t step = 1; step < way.size(); ++step) {
            const auto [left, right] = std::minmax(way[step - 1].x, way[step].x);
            const auto [top, bottom] = std::minmax(way[step - 1].y, way[step].y);
            for (std::size_t j = 0; j < graph.boxes.size(); ++j) {
                const auto b = box(j);
                if (left < b[2] && b[0] < right && top < b[3] && b[1] < bottom)
                    faults.push_back("arrow " + std::to_string(i) + " runs through box " + std::to_string(j));
                else if (left == right && b[0] < left && left < b[2] && top < b[3] && b[1] < bottom)
                    faults.push_back("arrow " + std::to_string(i) + " runs straight through box " +
                                     std::to_string(j));
            }
        }
    }
    return faults;
}

TEST(Layered, boxes_never_overlap_and_arrows_go_around_them) {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        const Graph graph = random_graph(seed, 60);
        const Layout layout = layered(graph.boxes, graph.arrows, 1000);
        const std::vector<std::string> faults = faults_of(graph, layout);
        EXPECT_TRUE(faults.empty()) << "graph " << seed << ": " << faults.front();
    }
}

TEST(Layered, the_same_graph_is_drawn_the_same) {
    const Graph graph = random_graph(7, 200);
    const Layout a = layered(graph.boxes, graph.arrows, 1000), b = layered(graph.boxes, graph.arrows, 1000);
    EXPECT_EQ(a.places, b.places);
    EXPECT_EQ(a.ways, b.ways);
}

TEST(Layered, arrows_lead_down_and_starts_stand_above_their_users) {
    //  0 -> 1 -> 2 -> 3, and 4, 5 -> 3
    const std::vector<Size> boxes(6, Size{100, 40});
    const std::vector<Arrow> arrows{{0, 1}, {1, 2}, {2, 3}, {4, 3}, {5, 3}};
    // Numbers stand for the order of time: 4 and 5 come after 3, their arrows lead up.
    const Layout up = layered(boxes, arrows, 1000);
    EXPECT_GT(up.places[4].y, up.places[3].y);
    const std::vector<Arrow> from_before{{0, 1}, {1, 3}, {3, 5}, {2, 5}, {4, 5}};
    const Layout layout = layered(boxes, from_before, 1000);
    EXPECT_LT(layout.places[0].y, layout.places[1].y);
    EXPECT_LT(layout.places[1].y, layout.places[3].y);
    EXPECT_EQ(layout.places[2].y, layout.places[3].y);
    EXPECT_EQ(layout.places[4].y, layout.places[3].y);
    EXPECT_EQ(layout.crossings, 0U);
}

TEST(Layered, a_chain_is_straight_whatever_feeds_it) {
    std::vector<Size> boxes;
    std::vector<Arrow> arrows;
    for (std::uint32_t i = 0; i < 40; i += 2) {
        boxes.insert(boxes.end(), {{120, 40}, {160, 60}});  // a weight, an operation
        arrows.push_back({i, i + 1});
        if (i > 0) arrows.push_back({i - 1, i + 1});
    }
    const Layout layout = layered(boxes, arrows, 1000);
    std::int64_t left = layout.places[1].x, right = left;
    for (std::size_t i = 1; i < boxes.size(); i += 2) {
        left = std::min(left, layout.places[i].x);
        right = std::max(right, layout.places[i].x);
    }
    EXPECT_LT(right - left, 160) << "less than the width of an operation over 20 rows";
    EXPECT_EQ(layout.crossings, 0U);
}

TEST(Layered, trees_and_ladders_have_no_crossing) {
    std::vector<Arrow> tree;
    for (std::uint32_t i = 1; i < 63; ++i)
        tree.push_back({(i - 1) / 2, i});
    EXPECT_EQ(layered(std::vector<Size>(63, Size{30, 20}), tree, 100'000).crossings, 0U);
    std::vector<Arrow> ladder;
    for (std::uint32_t i = 0; i + 2 < 60; ++i)
        ladder.push_back({i, i + 2});
    for (std::uint32_t i = 0; i < 59; i += 2)
        ladder.push_back({i, i + 1});
    EXPECT_EQ(layered(std::vector<Size>(60, Size{30, 20}), ladder, 1000).crossings, 0U);
}

TEST(Layered, rows_are_no_wider_than_asked_for) {
    std::vector<Arrow> star;
    for (std::uint32_t i = 1; i <= 100; ++i)
        star.push_back({0, i});
    const Layout layout = layered(std::vector<Size>(101, Size{100, 30}), star, 800);
    EXPECT_LT(layout.size.width, 1600);
    const Layout apart = layered(std::vector<Size>(100, Size{100, 30}), {}, 800);
    EXPECT_LE(apart.size.width, 800);
}

TEST(Layered, a_hundred_thousand_boxes_are_placed) {
    constexpr std::uint32_t kBoxes = 100'000;
    std::vector<Arrow> arrows;
    for (std::uint32_t i = 1; i < kBoxes; ++i) {
        arrows.push_back({i - 1, i});
        if (i >= 3) arrows.push_back({i - 3, i});
        arrows.push_back({0, i});
    }
    arrows.push_back({1, kBoxes - 1});
    const Layout layout = layered(std::vector<Size>(kBoxes, Size{100, 30}), arrows, 1000);
    EXPECT_EQ(layout.places.size(), kBoxes);
    EXPECT_FALSE(layout.direct);
}

TEST(Layered, arrows_that_would_need_too_many_bends_are_direct) {
    constexpr std::uint32_t kBoxes = 3000;
    std::vector<Arrow> arrows;
    for (std::uint32_t i = 1; i < kBoxes; ++i) {
        arrows.push_back({i - 1, i});
        arrows.push_back({i - 1, kBoxes - 1});
    }
    const Layout layout = layered(std::vector<Size>(kBoxes, Size{100, 30}), arrows, 1000);
    EXPECT_TRUE(layout.direct);
    for (std::size_t i = 0; i < arrows.size(); ++i)
        EXPECT_GE(layout.ways[i].size(), 2U);
}

TEST(Layered, nothing_has_no_size) {
    const Layout layout = layered({}, {}, 1000);
    EXPECT_EQ(layout.size.width, 0);
    EXPECT_EQ(layout.size.height, 0);
}

}  // namespace
}  // namespace tilemeter::drawing
