// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/svg_graph.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "report/analysis/memory/tensor_flow.hpp"
#include "report/analysis/nodes/load.hpp"
#include "tests/paths.hpp"
#include "tests/report/analysis/list_maker.hpp"
#include "tests/report/drawing/picture.hpp"

namespace tilemeter::analysis {
namespace {

using test::PictureBox;

NodeList recorded_list(const std::string& file) {
    auto list = load_node_list(test::data_folder() + "/" + file);
    EXPECT_TRUE(list.ok()) << file;
    return std::move(list).value();
}

PictureBox picture_of(const NodeList& list, std::int32_t max_level = 0, std::size_t most_boxes = 200) {
    return test::read_picture(svg_graph(list, find_lifetimes(list), max_level, "x", most_boxes));
}

std::size_t count_of(const PictureBox& box, const std::string& type) {
    std::size_t count = 0;
    for (const PictureBox& it : box.inside)
        count += (it.type.find(type) != std::string::npos ? 1U : 0U) + count_of(it, type);
    return count;
}

TEST(SvgGraph, every_recorded_report_is_well_formed_and_nothing_overlaps) {
    std::size_t pictures = 0;
    for (const char* const folder : {"/capture", "/failures"}) {
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(test::data_folder() + folder)) {
            if (entry.path().extension() != ".json") continue;
            auto list = load_node_list(entry.path());
            if (!list.ok()) continue;
            for (const std::int32_t level : {0, 1, 9}) {
                const auto faults = test::faults_of(picture_of(*list, level));
                EXPECT_TRUE(faults.empty()) << entry.path() << " " << level << ": " << faults.front();
                ++pictures;
            }
        }
    }
    EXPECT_GT(pictures, 50U);
}

TEST(SvgGraph, has_a_box_per_function_and_escapes_names) {
    const NodeList list = recorded_list("capture/edge_unicode_name.n150.NORMAL.report.json");
    const std::string svg = svg_graph(list, find_lifetimes(list), 10, "a < b");
    const PictureBox page = test::read_picture(svg);
    std::size_t deallocations = 0;
    for (const NodeList::Function& function : list.functions)
        deallocations += list.text(function.name).ends_with("deallocate") ? 1U : 0U;
    EXPECT_EQ(count_of(page, "step") + count_of(page, "group") + deallocations, list.functions.size());
    EXPECT_NE(page.find("a < b"), nullptr);
}

/// Arrows between the outermost functions, as the flow of tensors has them.
std::set<std::pair<std::uint32_t, std::uint32_t>> outermost_flows(const NodeList& list,
                                                                  const MemoryLifetimes& lifetimes) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> flows;
    for (const TensorUse& use : find_tensor_uses(list, lifetimes)) {
        const FlowEnds ends = flow_ends(lifetimes.scopes, use);
        const std::uint32_t to = lifetimes.scopes.scopes[ends.to].top;
        if (list.name(lifetimes.scopes.scopes[to].start).ends_with("deallocate")) continue;
        if (use.producer == kNoIndex)
            flows.emplace(kNoIndex - use.first_mention, to);
        else if (lifetimes.scopes.scopes[ends.from].parent == kNoIndex)
            flows.emplace(ends.from, to);
    }
    return flows;
}

TEST(SvgGraph, has_an_arrow_for_each_flow_between_functions) {
    for (const char* const name :
         {"attention_sdpa.n150.NORMAL", "mesh_mlp.n300.NORMAL", "error_clash.n150.NORMAL"}) {
        const NodeList list = recorded_list(std::string("capture/") + name + ".report.json");
        const MemoryLifetimes lifetimes = find_lifetimes(list);
        const PictureBox page = picture_of(list, 1);
        ASSERT_EQ(count_of(page, "repeat"), 0U) << name;
        EXPECT_EQ(page.arrows, outermost_flows(list, lifetimes).size()) << name;
    }
}

TEST(SvgGraph, a_repeated_layer_is_drawn_once_with_its_count) {
    ListMaker maker;
    const char* const layer[] = {"ttnn.rms_norm", "ttnn.linear", "ttnn.gelu", "ttnn.linear", "ttnn.add"};
    maker.begin("ttnn.embedding");
    maker.end();
    for (int i = 0; i < 24; ++i) {
        for (const char* const name : layer) {
            maker.begin(name);
            maker.end();
        }
        maker.begin("ttnn.deallocate");
        maker.end();
    }
    maker.begin("ttnn.softmax");
    maker.end();
    const PictureBox page = picture_of(maker.take());
    const PictureBox* const repeat = page.find("24 × a layer of 5 operations");
    ASSERT_NE(repeat, nullptr);
    EXPECT_EQ(repeat->type, "repeat");
    EXPECT_EQ(repeat->inside.size(), 5U);
    EXPECT_EQ(page.inside.size(), 3U);
    EXPECT_NE(
        page.find(
            "146 functions in 8 boxes; 115 stand behind others that are alike or too many; 24 deallocations are "
            "not drawn"),
        nullptr);
    EXPECT_NE(page.find("120.0 us in all"), nullptr) << "the sum of their times";
}

TEST(SvgGraph, marks_the_peak_and_its_bytes) {
    const PictureBox page = picture_of(recorded_list("capture/add.n150.NORMAL.report.json"));
    const PictureBox* const peak = page.find("BinaryNgDeviceOperation");
    ASSERT_NE(peak, nullptr);
    EXPECT_EQ(peak->type, "step peak");
    EXPECT_NE(peak->find("peak of L1: 18.0 KiB per core"), nullptr);
    EXPECT_EQ(count_of(page, "peak"), 1U);
}

TEST(SvgGraph, marks_what_failed_and_says_why) {
    ListMaker maker;
    maker.begin("ttnn.relu");
    maker.end();
    maker.begin("ttnn.matmul");
    maker.begin("MatmulDeviceOperation");
    maker.fail("The width of the first tensor must be equal to the height of the second tensor");
    maker.abort();
    maker.abort();
    const NodeList list = maker.take();
    const PictureBox page = picture_of(list);
    const PictureBox* const failed = page.find("MatmulDeviceOperation");
    ASSERT_NE(failed, nullptr);
    EXPECT_EQ(failed->type, "step failed");
    EXPECT_NE(failed->find("failed: The width of the first tensor must be equal to"), nullptr);
    EXPECT_EQ(page.find("ttnn.matmul")->type, "group holds-failed");
    EXPECT_EQ(count_of(picture_of(list, 1), "failed"), 1U) << "the innermost that is drawn";
}

TEST(SvgGraph, what_is_too_much_shares_boxes_and_is_counted) {
    ListMaker maker;
    for (int i = 0; i < 100; ++i) {
        maker.begin("ttnn.op" + std::to_string(i));  // none like another
        maker.end();
    }
    const NodeList list = maker.take();
    const PictureBox page = picture_of(list, 0, 25);
    EXPECT_EQ(page.inside.size(), 25U);
    EXPECT_NE(page.find("4 operations"), nullptr);
    EXPECT_NE(page.find("ttnn.op0, ttnn.op1, ttnn.op2, ttnn.op3"), nullptr);
    EXPECT_NE(page.find("4.0 us in all"), nullptr);
    EXPECT_NE(
        page.find(
            "100 functions in 25 boxes; 75 stand behind others that are alike or too many, up to 4 in one box"),
        nullptr);
    EXPECT_EQ(picture_of(list, 0, 0).inside.size(), 100U);
}

TEST(SvgGraph, a_report_of_a_million_nodes_is_a_small_picture) {
    ListMaker maker;
    for (int i = 0; i < 300'000; ++i) {
        const int place = i % 1009;
        maker.begin("ttnn.op" + std::to_string(place * place % 1009));
        maker.end();
    }
    const NodeList list = maker.take();
    const std::string svg = svg_graph(list, find_lifetimes(list), 0, "x");
    EXPECT_LT(svg.size(), 1U << 20U);
    EXPECT_EQ(svg, svg_graph(list, find_lifetimes(list), 0, "x"));
}

}  // namespace
}  // namespace tilemeter::analysis
