// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/graph_page.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capture/ir/error.hpp"
#include "capture/ir/text.hpp"

namespace tilemeter::analysis {
namespace {

using nlohmann::json;

/// The data that the page's script reads.
json data_of(const std::string& page) {
    const std::string begin = R"(<script type="application/json" id="data">)";
    const std::size_t from = page.find(begin) + begin.size();
    return json::parse(page.substr(from, page.find("</script>", from) - from));
}

const char* const kLoop = R"(tilemeter graph 1

subgraph @step(%c: f64[], %x: f64[]) in call {
  %0 = add(%c, %x) : f64[]  at "model.py":7 in "step"
  return %0, %0
}

graph @main(%x: f64[3], %w: f32[2,64]@("n150:0", "TILE", "DRAM")) in call {
  %table = constant [1.0, 2.0, 3.0] : f64[3]
  %0 = mul(%x, %table) : f64[3]  at "model.py":12 in "</script>"
  %1, %2 = scan(0.0:f64, %0) {length=3, n_carry=1, n_consts=0, body=@step} : f64[], f64[3]
  %3 = exp(%w) {captured=[12, 15]} : f32[2,64]@("n150:0", "TILE", "DRAM")
  return %1, %3
}
)";

TEST(GraphPage, shows_each_equation_with_bytes_place_and_source) {
    const json data = data_of(graph_page(ir::parse(kLoop), "loop.graph"));
    EXPECT_EQ(data["name"], "loop.graph");
    ASSERT_EQ(data["graphs"].size(), 2U);
    EXPECT_EQ(data["graphs"][0]["head"], "subgraph @step(%c: f64[], %x: f64[]) in call");
    const json& main = data["graphs"][1];
    EXPECT_EQ(main["constants"], json({"%table = constant [1.0, 2.0, 3.0] : f64[3]"}));
    EXPECT_EQ(main["parameter_bytes"], 3 * 8 + 2 * 64 * 4);
    EXPECT_EQ(main["results"], "return %1, %3");
    ASSERT_EQ(main["rows"].size(), 3U);
    EXPECT_EQ(main["rows"][0], json({"%0 = mul(%x, %table) : f64[3]", 24, 24, json::array(), "model.py:12",
                                     "</script>", json::array()}));
    EXPECT_EQ(main["rows"][2][6], json({12, 15}));
    EXPECT_EQ(main["rows"][2][3], json({"n150:0 TILE DRAM"}));
    // The scan's operand and results are alive with it; afterwards the carry alone, for it is a result.
    EXPECT_EQ(main["rows"][1][2], 24 + 8 + 24);
    EXPECT_EQ(main["rows"][2][2], 8 + 512);
}

TEST(GraphPage, sorts_equations_and_refuses_a_cycle) {
    const auto lines = [](const char* body) {
        std::vector<std::string> texts;
        const std::string text =
            "tilemeter graph 1\n\ngraph @f(%x: f32[]) in call {\n" + std::string(body) + "}\n";
        const json data = data_of(graph_page(ir::parse(text), "f"));
        for (const json& row : data["graphs"][0]["rows"])
            texts.push_back(row[0]);
        return texts;
    };
    EXPECT_EQ(lines("  %b = exp(%a) : f32[]\n  %a = sin(%x) : f32[]\n  return %b\n"),
              (std::vector<std::string>{"%a = sin(%x) : f32[]", "%b = exp(%a) : f32[]"}));
    EXPECT_THROW(lines("  %b = exp(%a) : f32[]\n  %a = sin(%b) : f32[]\n  return %b\n"), ir::Error);
}

}  // namespace
}  // namespace tilemeter::analysis
