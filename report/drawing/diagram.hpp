// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A graph as a picture: boxes with lines of text, boxes in boxes, arrows between those of one level.
//
//     Diagram graph;
//     graph.boxes.push_back({.lines = {{"ttnn.relu"}, {"[32, 64] bf16"}}});
//     graph.boxes.push_back({.lines = {{"ttnn.add"}}});
//     graph.arrows.push_back({0, 1, "tensor 3"});
//     std::string svg = svg_of(graph, {.title = "two calls"});
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tilemeter::drawing {

struct Diagram {
    enum class Kind : std::uint8_t {
        kStep,    ///< something that runs
        kData,    ///< something that is there: an input
        kGroup,   ///< steps that belong together
        kRepeat,  ///< steps that run several times
    };
    enum class Mark : std::uint8_t { kNone, kPeak, kFailed };

    struct Box {
        Kind kind = Kind::kStep;
        Mark mark = Mark::kNone;
        std::vector<std::string>
            lines;           ///< the first is its name; each is cut between words where it is too long
        std::string reason;  ///< the message of a failure: shown in a few lines
        std::string tooltip;
        /// Bytes in use while it ran, of Heading::full; 0: no bar.
        std::uint64_t use = 0;
        std::int64_t node = -1;           ///< in the picture's data, for whoever reads it; below 0: none
        std::shared_ptr<Diagram> inside;  ///< null: nothing
    };
    struct Arrow {
        std::uint32_t from = 0, to = 0;  ///< in boxes
        std::string tooltip;
    };

    std::vector<Box> boxes;
    std::vector<Arrow> arrows;

    /// Those in boxes counted as well.
    [[nodiscard]] std::size_t box_count() const;
    [[nodiscard]] bool has(Kind kind) const;
};

/// The text above a diagram.
struct Heading {
    std::string title;
    std::vector<std::string> lines;
    std::string failure;                                        ///< a line that stands out; empty: none
    std::uint64_t full = 0;                                     ///< the bytes that fill a box's bar
    std::string legend_of_bar, legend_of_peak, legend_of_data;  ///< each empty where there is none to explain
};

/// The text of an SVG file, light or dark as the reader's screen is. Texts may hold anything.
std::string svg_of(const Diagram& diagram, const Heading& heading);

}  // namespace tilemeter::drawing
