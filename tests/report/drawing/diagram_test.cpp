// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/drawing/diagram.hpp"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "tests/report/drawing/picture.hpp"

namespace tilemeter::drawing {
namespace {

Diagram::Box box_of(std::vector<std::string> lines) {
    Diagram::Box box;
    box.lines = std::move(lines);
    return box;
}

Heading heading_of(std::string title) {
    Heading heading;
    heading.title = std::move(title);
    return heading;
}

TEST(Diagram, is_read_back_as_it_was_made) {
    Diagram diagram;
    diagram.boxes.push_back(box_of({"first", "[32, 64] bf16"}));
    diagram.boxes.push_back(box_of({"second"}));
    diagram.boxes[1].mark = Diagram::Mark::kFailed;
    diagram.boxes[1].reason = "no room";
    diagram.boxes[1].node = 17;
    diagram.boxes[1].inside = std::make_shared<Diagram>();
    diagram.boxes[1].inside->boxes.push_back(box_of({"inner"}));
    diagram.arrows.push_back({0, 1, "tensor 3"});
    const test::PictureBox page = test::read_picture(svg_of(diagram, heading_of("title")));
    EXPECT_EQ(page.count(), 3U);
    EXPECT_EQ(page.arrows, 1U);
    ASSERT_NE(page.find("no room"), nullptr);
    EXPECT_EQ(page.find("no room")->type, "step failed");
    EXPECT_EQ(page.find("no room")->node, "17");
    EXPECT_EQ(page.find("no room")->inside.size(), 1U);
    EXPECT_TRUE(test::faults_of(page).empty());
}

TEST(Diagram, any_text_is_escaped_and_cut_between_words) {
    Diagram diagram;
    diagram.boxes.push_back(box_of({"</text><script>alert(\"1\")</script>", "a & b\x01\xff"}));
    diagram.boxes.push_back(
        box_of({"ttnn.a_name_that_is_longer_than_any_box_would_want_to_be_on_a_page.operation"}));
    diagram.boxes.push_back(
        box_of({"測試測試測試測試測試測試測試測試測試測試測試測試測試測試測試測試測試測試"}));
    diagram.boxes[0].tooltip = "<b>\n&";
    const std::string svg = svg_of(diagram, heading_of("<title> & more"));
    const test::PictureBox page = test::read_picture(svg);
    EXPECT_EQ(svg.find("<script"), std::string::npos);
    EXPECT_NE(page.find("</text><script>alert(\"1\")</script>"), nullptr);
    EXPECT_NE(page.find("ttnn.a_name_that_is_longer_than_any_box_would_want_to…"), nullptr);
    EXPECT_NE(page.find("<title> & more"), nullptr);
    const auto faults = test::faults_of(page);
    EXPECT_TRUE(faults.empty()) << faults.front();
}

TEST(Diagram, a_long_reason_ends_after_some_lines) {
    Diagram diagram;
    diagram.boxes.push_back(box_of({"op"}));
    for (int i = 0; i < 200; ++i)
        diagram.boxes[0].reason += "word" + std::to_string(i) + " ";
    const test::PictureBox page = test::read_picture(svg_of(diagram, heading_of("x")));
    ASSERT_EQ(page.inside.size(), 1U);
    EXPECT_EQ(page.inside[0].texts.size(), 7U);
    EXPECT_TRUE(page.inside[0].texts.back().text.ends_with("…"));
    EXPECT_TRUE(test::faults_of(page).empty());
}

TEST(Diagram, follows_the_readers_choice_of_light_and_dark) {
    const std::string svg = svg_of({}, heading_of("x"));
    EXPECT_NE(svg.find("prefers-color-scheme:dark"), std::string::npos);
    EXPECT_EQ(svg.find("http:"), svg.find("http://www.w3.org/2000/svg")) << "nothing is loaded";
    EXPECT_EQ(svg.rfind("http:"), svg.find("http://www.w3.org/2000/svg"));
    EXPECT_EQ(test::read_picture(svg).count(), 0U);
}

}  // namespace
}  // namespace tilemeter::drawing
