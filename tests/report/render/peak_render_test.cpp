// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/peak_render.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/analysis/nodes/load.hpp"
#include "tests/paths.hpp"
#include "tests/report/analysis/list_maker.hpp"

namespace tilemeter::analysis {
namespace {

using Json = nlohmann::ordered_json;

NodeList load(const std::string& name) {
    auto list = load_node_list(test::data_folder() + "/capture/" + name + ".report.json");
    EXPECT_TRUE(list.ok());
    return list ? std::move(list.value()) : NodeList();
}

TEST(PeakText, of_what_fits_says_so_and_gives_the_share_of_what_can_be_allocated) {
    const std::string text = peak_text(find_peak(load("add.n150.NORMAL")), {.top = 2});
    EXPECT_EQ(
        text,
        "fits: WORMHOLE_B0 8x8\n"
        "  because it went to its end on this device, and nothing was refused\n"
        "device 1\n"
        "L1 peak per core    18,432 B (18.0 KiB), 1.3 % of 1,393,312 B that can be allocated (1,499,136 B "
        "physical), headroom 1,374,880 B\n"
        "  at node 29 in ttnn.add > BinaryNgDeviceOperation, core 0-0\n"
        "  programs 12,288  temporary 0  persistent 6,144  stale 0\n"
        "           12,288  program    3 x circular buffer  4,096 each, 12.0 KiB in all  by ttnn.add > "
        "BinaryNgDeviceOperation\n"
        "            2,048  persistent tensor 1  Shape([4, 3, 32, 32]) BFLOAT16 TILE  by ttnn.zeros > "
        "Tensor::to_device\n"
        "  ... 2 more\n"
        "DRAM peak per bank  0 B, 0 % of 1,072,693,184 B that can be allocated (1,073,741,824 B "
        "physical), headroom 1,072,693,184 B\n");
}

TEST(PeakText, of_what_was_refused_begins_with_the_refusal_and_is_a_lower_bound) {
    const auto list = load_node_list(test::data_folder() + "/reports/error_oom.n150.NORMAL/report.json");
    ASSERT_TRUE(list.ok());
    const std::string text = peak_text(find_peak(list.value()));
    EXPECT_TRUE(text.starts_with("does not fit: WORMHOLE_B0 8x8\n  because the device refused")) << text;
    EXPECT_NE(
        text.find("L1 peak per core    at least 1,310,720 B (1.25 MiB), 94 % of 1,393,312 B that can be "
                  "allocated (1,499,136 B physical), headroom at most 82,592 B\n"),
        std::string::npos)
        << text;
    EXPECT_NE(text.find("stale 0\n"), std::string::npos);
}

TEST(PeakText, names_what_is_beyond_the_device) {
    const std::string text = peak_text(find_peak(load("edge_huge.n150.NO_DISPATCH")));
    EXPECT_TRUE(text.starts_with("does not fit: WORMHOLE_B0 8x8\n")) << text;
    EXPECT_NE(text.find("over by 166,395,232 B"), std::string::npos) << text;
}

TEST(PeakText, says_that_nothing_was_touched_only_where_that_is_known) {
    constexpr const char* kNothing = "No device memory was touched.";
    ListMaker whole;
    whole.begin("op");
    whole.end();
    whole.finish();
    EXPECT_NE(peak_text(find_peak(whole.take())).find(kNothing), std::string::npos);
    ListMaker cut;
    cut.begin("op");
    cut.end();
    for (const NodeList& list : {NodeList(), cut.take(), load("edge_empty.n150.NORMAL")}) {
        const std::string text = peak_text(find_peak(list));
        EXPECT_EQ(text.find(kNothing), std::string::npos) << text;
        EXPECT_TRUE(text.starts_with("unknown: ")) << text;
        EXPECT_NE(text.find("  because "), std::string::npos) << text;
    }
}

/// Two tensors of one line, one of another, and an older one.
NodeList with_lines() {
    ListMaker maker;
    const auto old = maker.buffer({.per_bank = 5}, true);
    for (const std::uint64_t size : {100, 200, 150}) {
        maker.begin(size == 150 ? "ttnn.add" : "ttnn.relu");
        maker.buffer({.per_bank = size});
        maker.end();
    }
    maker.free(old, {.per_bank = 5});
    maker.finish();
    NodeList list = maker.take();
    for (std::size_t i = 0; i < list.functions.size(); ++i)
        list.functions[i].source_line = list.texts.intern(i == 2 ? "model.py:7" : "model.py:51");
    return list;
}

TEST(PeakText, groups_owners_by_line_operation_and_shape) {
    const PeakAnswer answer = find_peak(with_lines());
    const auto lines_of = [&](GroupBy by) {
        const std::string text = memory_text("L1", *answer.l1(), {.by = by});
        return text.substr(text.find('\n', text.find("  stale ")) + 1);
    };
    EXPECT_EQ(lines_of(GroupBy::kLine),
              "              300  model.py:51  (2 buffers)\n"
              "              150  model.py:7  (1 buffer)\n"
              "                5  (older than the capture)  (1 buffer)\n");
    EXPECT_EQ(lines_of(GroupBy::kOperation),
              "              300  ttnn.relu  (2 buffers)\n"
              "              150  ttnn.add  (1 buffer)\n"
              "                5  (older than the capture)  (1 buffer)\n");
    EXPECT_EQ(lines_of(GroupBy::kShape), "              455  (shape not recorded)  (4 buffers)\n");
    const Json peak = peak_json(answer, {.by = GroupBy::kLine});
    EXPECT_EQ(peak["devices"][0]["l1"]["groups"][0], Json({{"source_line", "model.py:51"},
                                                           {"bytes_per_core", 300},
                                                           {"count", 2},
                                                           {"before_window", false}}));
    EXPECT_EQ(peak["devices"][0]["l1"]["groups"][2]["source_line"], nullptr);
    EXPECT_EQ(peak["devices"][0]["l1"]["source_line"], "model.py:7");
}

TEST(PeakText, by_line_says_how_lines_are_recorded_where_none_was) {
    const std::string text = peak_text(find_peak(load("add.n150.NORMAL")), {.by = GroupBy::kLine});
    EXPECT_NE(text.find("(line not recorded)"), std::string::npos) << text;
    EXPECT_NE(text.find("enable_python_stack_traces"), std::string::npos) << text;
}

TEST(PeakJson, has_units_in_its_names_and_both_ids_of_a_tensor) {
    const auto list = load_node_list(test::data_folder() + "/reports/error_oom.n150.NORMAL/report.json");
    ASSERT_TRUE(list.ok());
    const PeakAnswer answer = find_peak(list.value());
    const Json peak = peak_json(answer);
    EXPECT_EQ(peak["device"], "WORMHOLE_B0 8x8");
    EXPECT_EQ(peak["l1"]["peak_bytes_per_core"], 1310720);
    EXPECT_EQ(peak["l1"]["limit_bytes_per_core"], 1393312);
    EXPECT_EQ(peak["l1"]["physical_bytes_per_core"], 1499136);
    EXPECT_EQ(peak["l1"]["bound"], "at_least");
    const Json& l1 = peak["devices"][0]["l1"];
    EXPECT_EQ(l1["peak_bytes_per_core"], 1310720);
    EXPECT_EQ(l1["stale_bytes_per_core"], 0);
    EXPECT_EQ(l1["persistent_bytes_per_core"], 1310720);
    EXPECT_EQ(l1["contributors"].size(), 5U);
    const Json& last = l1["contributors"].back();
    EXPECT_EQ(last["tensor_id"], 19);
    EXPECT_EQ(last["viewer_tensor_id"], 20);
    EXPECT_EQ(last["name"], "tensor 19 (20 in the viewer)");
    EXPECT_EQ(last["bytes_per_core"], 262144);
    EXPECT_EQ(peak["devices"][0]["dram"]["limit_bytes_per_bank"], 1072693184);
    const Json only_dram = peak_json(answer, {.top = 0, .with_l1 = false});
    EXPECT_FALSE(only_dram.contains("l1"));
    EXPECT_FALSE(only_dram["devices"][0].contains("l1"));
    EXPECT_TRUE(only_dram["devices"][0]["dram"]["contributors"].empty());
}

TEST(PeakLine, is_one_line) {
    const PeakAnswer answer = find_peak(with_lines());
    EXPECT_EQ(peak_line(*answer.l1()), "455 B in ttnn.add at model.py:7 (node 12)");
    EXPECT_EQ(contributor_line(answer.l1()->contributors.front()),
              "200 B  persistent  buffer of node 7  by ttnn.relu at model.py:51");
}

}  // namespace
}  // namespace tilemeter::analysis
