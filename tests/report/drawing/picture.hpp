// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A drawn diagram, read back from its SVG.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilemeter::test {

struct PictureText {
    std::string text;  ///< with its entities resolved
    std::string type;
    std::int64_t x = 0, y = 0;
};

struct PictureBox {
    std::string type;  ///< "step", "repeat peak", ...
    std::string node;  ///< empty: none
    std::int64_t x = 0, y = 0, width = 0, height = 0;
    std::vector<PictureText> texts;
    std::vector<PictureBox> inside;
    std::size_t arrows = 0;  ///< of those in it

    [[nodiscard]] std::size_t count() const;
    /// The box that has this line, or null.
    [[nodiscard]] const PictureBox* find(const std::string& line) const;
};

/// The page as a box with no type. Throws std::runtime_error where the text is not well-formed XML.
PictureBox read_picture(const std::string& svg);

/// Boxes that overlap, lie outside of the one that holds them, or whose texts do not fit; one line each.
std::vector<std::string> faults_of(const PictureBox& page);

}  // namespace tilemeter::test
