// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/analysis/load.hpp"
#include "report/render/html_page.hpp"
#include "report/render/svg_graph.hpp"
#include "tests/paths.hpp"
#include "tests/report/analysis/list_maker.hpp"

namespace tilemeter::graph {
namespace {

NodeList load(const std::string& name) {
    auto list = load_node_list(test::data_folder() + "/capture/" + name + ".report.json");
    EXPECT_TRUE(list.ok());
    return list ? std::move(list.value()) : NodeList();
}

nlohmann::json page_data(const std::string& page) {
    const std::string open = "id=\"data\">";
    const std::size_t begin = page.find(open) + open.size();
    return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(HtmlPage, holds_the_capture_and_asks_for_nothing_from_outside) {
    const NodeList list = load("add.n150.NORMAL");
    const std::string page = html_page(list, find_lives(list), "add");
    EXPECT_EQ(page.find("http:"), std::string::npos);
    EXPECT_EQ(page.find("https:"), std::string::npos);
    const auto data = page_data(page);
    EXPECT_EQ(data["calls"].size(), 9U);
    EXPECT_EQ(data["buffers"].size(), 3U);
    EXPECT_EQ(data["programs"][0][3], 12288);
}

TEST(HtmlPage, is_not_broken_by_names_that_look_like_markup) {
    ListMaker maker;
    maker.begin("</script><script>alert(1)</script>");
    maker.end();
    const NodeList list = maker.take();
    const auto data = page_data(html_page(list, find_lives(list), "</script>"));
    EXPECT_EQ(data["title"], "</script>");
    EXPECT_EQ(data["texts"][0], "</script><script>alert(1)</script>");
}

TEST(SvgGraph, has_a_line_per_function_and_escapes_names) {
    const NodeList list = load("edge_unicode_name.n150.NORMAL");
    const std::string svg = svg_graph(list, find_lives(list), 10, "a < b");
    std::size_t rows = 0;
    for (std::size_t at = svg.find("<g class=\"r\">"); at != std::string::npos;
         at = svg.find("<g class=\"r\">", at + 1))
        ++rows;
    EXPECT_EQ(rows, list.functions.size());
    EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
}

TEST(SvgGraph, folds_what_is_more_than_a_browser_shows) {
    ListMaker maker;
    for (int i = 0; i < 100; ++i) {
        maker.begin(i % 4 == 3 ? "ttnn.add" : "ttnn.linear");
        maker.end();
    }
    const NodeList list = maker.take();
    const std::string svg = svg_graph(list, find_lives(list), 0, "many", 25);
    std::size_t rows = 0;
    for (std::size_t at = svg.find("<g class=\"r\">"); at != std::string::npos;
         at = svg.find("<g class=\"r\">", at + 1))
        ++rows;
    EXPECT_EQ(rows, 25U);
    EXPECT_NE(svg.find("many  (100 functions, 4 a line)"), std::string::npos);
    EXPECT_NE(svg.find("4: ttnn.linear x3 ttnn.add<"), std::string::npos);
    EXPECT_NE(svg.find("4.0 us"), std::string::npos) << "the sum of their times";
}

}  // namespace
}  // namespace tilemeter::graph
