// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/graph_picture.hpp"

#include <string>

#include <gtest/gtest.h>

#include "capture/ir/error.hpp"
#include "capture/ir/text.hpp"
#include "tests/report/drawing/picture.hpp"

namespace tilemeter::analysis {
namespace {

using test::PictureBox;

PictureBox picture_of(const std::string& body, std::size_t most_boxes = 200) {
    const PictureBox page =
        test::read_picture(graph_picture(ir::parse("tilemeter graph 1\n\n" + body), "x", most_boxes));
    const auto faults = test::faults_of(page);
    EXPECT_TRUE(faults.empty()) << faults.front();
    return page;
}

TEST(GraphPicture, equations_are_boxes_and_values_arrows) {
    const PictureBox page = picture_of(R"(subgraph @step(%c: f64[], %x: f64[]) in call {
  %0 = add(%c, %x) : f64[]  at "model.py":7 in "step"
  return %0, %0
}

graph @main(%x: f64[3], %w: f32[2,64]@("n150:0", "TILE", "DRAM")) in call {
  %table = constant [1.0, 2.0, 3.0] : f64[3]
  %0 = mul(%x, %table) : f64[3]  at "/home/model.py":12 in "</script>"
  %1, %2 = scan(0.0:f64, %0) {length=3, n_carry=1, n_consts=0, body=@step} : f64[], f64[3]
  %3 = exp(%w) {captured=[12, 15]} : f32[2,64]@("n150:0", "TILE", "DRAM")
  return %1, %3
}
)");
    // Two parameters, a constant, three equations, the results; arrows: 3 to mul and exp, one to scan, two to the results.
    EXPECT_EQ(page.inside.size(), 7U);
    EXPECT_EQ(page.arrows, 6U);
    for (const char* const line :
         {"parameter %x", "f64[3] · 24 B", "constant %table", "mul(%x, %table)", "model.py:12",
          "n150:0 · TILE · DRAM", "return %1, %3", "{captured=[12, 15]}"})
        EXPECT_NE(page.find(line), nullptr) << line;
    EXPECT_EQ(page.find("exp(%w)")->type, "step peak");
    EXPECT_NE(page.find("exp(%w)")->find("most alive: 520 B"), nullptr);
    const PictureBox* const body = page.find("body: @step");
    ASSERT_NE(body, nullptr);
    EXPECT_EQ(body->inside.size(), 4U);
    EXPECT_EQ(body->arrows, 3U);
}

TEST(GraphPicture, the_implicit_graph_of_the_tracing_document) {
    // inp = full((2, 3), 0.5); out = inp.tanh()
    const PictureBox page = picture_of(R"(graph @main() in call {
  %t0 = full() {shape=[2, 3], value=0.5} : f32[2,3]
  %t1 = tanh(%t0) : f32[2,3]
  return %t1
}
)");
    EXPECT_EQ(page.inside.size(), 3U);
    EXPECT_EQ(page.arrows, 2U);
    EXPECT_LT(page.find("full()")->y, page.find("tanh(%t0)")->y);
    EXPECT_LT(page.find("tanh(%t0)")->y, page.find("return %t1")->y);
}

TEST(GraphPicture, sizes_may_be_names_and_parameters_unused) {
    const PictureBox page = picture_of(R"(graph @main(%x: f32[b,3], %unused: f32[4]) in call {
  %0 = exp(%x) : f32[b,3]
  return %0
}
)");
    EXPECT_NE(page.find("%0: f32[b,3]"), nullptr);
    ASSERT_NE(page.find("parameter %unused"), nullptr);
    EXPECT_NE(page.find("parameter %unused")->find("not used"), nullptr);
}

TEST(GraphPicture, repeated_equations_are_drawn_once) {
    // Sizes that are names have no peak, so the first repetition is drawn.
    std::string body = "graph @main(%x: f32[b], %w: f32[b]) in call {\n";
    std::string last = "x";
    for (int i = 0; i < 36; i += 3) {
        const auto name = [&](int k) { return "v" + std::to_string(i + k); };
        body += "  %" + name(0) + " = mul(%" + last + ", %w) : f32[b]\n";
        body += "  %" + name(1) + " = exp(%" + name(0) + ") : f32[b]\n";
        body += "  %" + name(2) + " = add(%" + name(1) + ", %" + last + ") : f32[b]\n";
        last = name(2);
    }
    const PictureBox page = picture_of(body + "  return %" + last + "\n}\n");
    const PictureBox* const layer = page.find("12 × a layer of 3 operations");
    ASSERT_NE(layer, nullptr);
    ASSERT_NE(layer->find("parameter %x"), nullptr);
    EXPECT_NE(layer->find("parameter %x")->find("then from the one before"), nullptr);
    ASSERT_NE(layer->find("parameter %w"), nullptr);
    EXPECT_EQ(layer->find("parameter %w")->find("then from the one before"), nullptr)
        << "of the same type, and the same in each";
    EXPECT_EQ(layer->arrows, 5U);
}

TEST(GraphPicture, too_many_equations_share_boxes) {
    std::string body = "graph @main(%x: f32[4]) in call {\n  %v0 = exp(%x) : f32[4]\n";
    for (int i = 1; i < 1000; ++i)
        body += "  %v" + std::to_string(i) + " = " +
                (i * i % 7 < 3 ? "exp"
                 : i % 11 < 5  ? "sin"
                               : "cos") +
                "(%v" + std::to_string(i / 2) + ") : f32[4]\n";
    const PictureBox page = picture_of(body + "  return %v999\n}\n", 30);
    EXPECT_LE(page.count(), 32U);
}

TEST(GraphPicture, a_graph_without_order_is_refused) {
    EXPECT_THROW(
        picture_of(
            "graph @f(%x: f32[]) in call {\n  %b = exp(%a) : f32[]\n  %a = sin(%b) : f32[]\n  return %b\n}\n"),
        ir::Error);
}

}  // namespace
}  // namespace tilemeter::analysis
