// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/analysis/answers/peak.hpp"
#include "report/analysis/nodes/load.hpp"
#include "report/render/html_page.hpp"
#include "report/render/internal/page_columns.hpp"
#include "tests/paths.hpp"
#include "tests/report/analysis/captured_report.hpp"
#include "tests/report/analysis/list_maker.hpp"

namespace tilemeter::analysis {
namespace {

using test::load_captured;

nlohmann::json page_data(const std::string& page) {
    const std::string open = "id=\"data\">";
    const std::size_t begin = page.find(open) + open.size();
    return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

/// A column of the page's data as numbers (report/render/internal/page_columns.hpp).
std::vector<std::int64_t> column(const nlohmann::json& packed) {
    if (packed.contains("all")) return packed["all"];
    if (!packed.contains("steps"))
        return std::vector<std::int64_t>(packed["n"].get<std::size_t>(), packed["same"].get<std::int64_t>());
    std::vector<std::int64_t> values = packed["steps"];
    for (std::size_t i = 1; i < values.size(); ++i)
        values[i] += values[i - 1];
    return values;
}

TEST(HtmlPage, holds_the_capture_and_asks_for_nothing_from_outside) {
    const NodeList list = load_captured("add.n150.NORMAL");
    const std::string page = html_page(list, find_lifetimes(list), "add");
    EXPECT_EQ(page.find("http:"), std::string::npos);
    EXPECT_EQ(page.find("https:"), std::string::npos);
    const auto data = page_data(page);
    EXPECT_EQ(column(data["calls"]["begin"]).size(), 9U);
    EXPECT_EQ(column(data["buffers"]["begin"]).size(), 3U);
    EXPECT_EQ(column(data["programs"]["steps"]["bytes"]).back(), 12288);
    EXPECT_NE(page.find("<meta name=\"viewport\" content=\"width=device-width"), std::string::npos);
}

nlohmann::json data_of(const std::string& report, const ProgramLibrary* known_programs = nullptr) {
    auto list = load_node_list(test::data_folder() + "/" + report);
    EXPECT_TRUE(list.ok());
    return page_data(html_page(list.value(), find_lifetimes(list.value()), report, known_programs));
}

TEST(HtmlPage, begins_with_the_verdict_and_its_figures) {
    const auto head = data_of("reports/add.n150.NORMAL/report.json")["head"];
    EXPECT_EQ(head["verdict"], "fits");
    EXPECT_EQ(head["words"], "FITS");
    EXPECT_EQ(head["reasons"].size(), 1U);
    const auto& l1 = head["uses"][0];
    EXPECT_EQ(l1["short"], "18.0 KiB");
    EXPECT_EQ(l1["percent"], "1.3 % of 1.33 MiB that can be allocated (1.43 MiB physical)");
    EXPECT_EQ(l1["headroom"], "headroom 1.31 MiB");
    EXPECT_EQ(l1["operation"], "ttnn.add > BinaryNgDeviceOperation");
    EXPECT_EQ(head["facts"][1], "NORMAL");
    EXPECT_EQ(head["facts"][3], "captured by TT-NN 0.81.1");
}

TEST(HtmlPage, main_carries_the_answer_of_peak) {
    auto list = load_node_list(test::data_folder() + "/reports/error_oom.n150.NORMAL/report.json");
    ASSERT_TRUE(list.ok());
    const std::string page = html_page(*list, find_lifetimes(*list), "x");
    const std::size_t begin = page.find("<main ");
    const std::string main = page.substr(begin, page.find('>', begin) - begin);
    const PeakAnswer peak = find_peak(*list, find_lifetimes(*list));
    EXPECT_NE(main.find("data-verdict=\"does_not_fit\""), std::string::npos) << main;
    EXPECT_NE(main.find("data-memory=\"l1\""), std::string::npos) << main;
    EXPECT_NE(main.find("data-peak-bytes=\"" + std::to_string(peak.l1()->bytes) + '"'), std::string::npos)
        << main;
    EXPECT_NE(main.find("data-top-owner=\"" + peak.l1()->contributors[0].name + '"'), std::string::npos)
        << main;
    EXPECT_NE(main.find("data-source-line=\"" + peak.l1()->source_line + '"'), std::string::npos) << main;
}

TEST(HtmlPage, tells_what_operations_take) {
    const auto data = data_of("reports/add.n150.NORMAL/report.json");
    EXPECT_EQ(column(data["inputs"]["call"]), std::vector<std::int64_t>({4, 4})) << "ttnn.add";
    const auto tensors = column(data["buffers"]["tensor"]);
    std::vector<std::int64_t> taken;
    for (const std::int64_t buffer : column(data["inputs"]["buffer"]))
        taken.push_back(tensors[static_cast<std::size_t>(buffer)]);
    EXPECT_EQ(taken, std::vector<std::int64_t>({1, 4}));
}

TEST(HtmlPage, of_what_runs_now_may_ask_its_own_server_alone) {
    const std::string live = live_page("recording <b>");
    EXPECT_NE(live.find("connect-src 'self';"), std::string::npos);
    EXPECT_EQ(live.find("<b>"), std::string::npos);
    const NodeList list = load_captured("add.n150.NORMAL");
    EXPECT_EQ(html_page(list, find_lifetimes(list), "add").find("connect-src"), std::string::npos);
}

TEST(HtmlPage, lets_nothing_run_but_its_own_script) {
    const NodeList list = load_captured("add.n150.NORMAL");
    const std::string page = html_page(list, find_lifetimes(list), "add");
    EXPECT_NE(page.find("default-src 'none'; script-src 'sha256-"), std::string::npos);
    EXPECT_EQ(page.find("/* script"), std::string::npos) << "marks of the parts are filled in";
    EXPECT_EQ(page.find(" style=\""), std::string::npos) << "the policy would forbid it";
}

TEST(HtmlPage, tells_a_failure_and_opens_on_it) {
    const auto data = data_of("reports/error_oom.n150.NORMAL/report.json");
    EXPECT_EQ(data["head"]["words"], "DOES NOT FIT");
    ASSERT_EQ(data["failures"].size(), 1U);
    const auto& failure = data["failures"][0];
    EXPECT_EQ(failure["node"], data["opening"]["node"]);
    EXPECT_EQ(data["opening"]["memory"], "l1");
    EXPECT_TRUE(
        failure["message"].get<std::string>().starts_with("Out of Memory: Not enough space to allocate"));
    EXPECT_EQ(failure["refused"][0]["bytes"], 262144);
    EXPECT_EQ(failure["refused"][0]["address"], nullptr) << "it never got one";
    EXPECT_EQ(failure["moves"].size(), 1U);
    EXPECT_EQ(failure["lines"][0],
              "wanted 262,144 B (256.0 KiB) in each of 64 banks of L1; free 82,592 B (80.7 KiB), "
              "largest hole 82,592 B (80.7 KiB)");
}

TEST(HtmlPage, knows_where_lies_what_a_failed_capture_does_not_list) {
    const nlohmann::json below_all{{"address", 1048640}, {"bytes", 4198400}};
    EXPECT_EQ(data_of("failures/dram_loop.n150.report.json")["failures"][0]["unlisted"],
              nlohmann::json::array({below_all}));
    const nlohmann::json below_an_older{{"address", 1048640}, {"bytes", 4196352}};
    EXPECT_EQ(data_of("failures/dram_caught.n150.report.json")["failures"][0]["unlisted"],
              nlohmann::json::array({below_an_older}));
    EXPECT_EQ(data_of("failures/l1_fragmented.n150.report.json")["failures"][0]["unlisted"],
              nlohmann::json::array())
        << "all is listed";
}

TEST(HtmlPage, draws_a_refused_program_from_the_other_captures_record_of_it) {
    auto refused = load_node_list(test::data_folder() + "/capture/error_clash.n150.NORMAL.report.json");
    auto planned = load_node_list(test::data_folder() + "/capture/error_clash.n150.NO_DISPATCH.report.json");
    ASSERT_TRUE(refused.ok() && planned.ok());
    // The message, which the sidecar would have.
    const Scopes scopes = find_scopes(*refused);
    const auto failed = std::find_if(scopes.scopes.begin(), scopes.scopes.end(), [&](const Scope& scope) {
        return scope.end != kNoIndex && refused->end(scope.end)->aborted;
    });
    ASSERT_NE(failed, scopes.scopes.end());
    refused->source.python_calls = {
        {scopes.scopes[failed->top].start,
         {},
         {},
         "RuntimeError",
         "Statically allocated dataflow buffers in program 6 clash with L1 buffers on core range [0-0 - "
         "7-7]. L1 buffer allocated at 319488 and static dataflow buffer region ends at 761184"}};
    const MemoryLifetimes lifetimes = find_lifetimes(*refused);
    const ProgramLibrary library = find_lifetimes(*planned).library(*planned);

    const auto parts = [](const nlohmann::json& data) {
        std::uint64_t bytes = 0, begin = ~std::uint64_t{0}, end = 0;
        for (const auto& part : data["failures"][0]["refused"]) {
            const auto from = part["address"].get<std::uint64_t>(), size = part["bytes"].get<std::uint64_t>();
            bytes += size;
            begin = std::min(begin, from);
            end = std::max(end, from + size);
        }
        return std::vector<std::uint64_t>{data["failures"][0]["refused"].size(), bytes, begin, end};
    };
    EXPECT_EQ(parts(page_data(html_page(*refused, lifetimes, "x"))),
              (std::vector<std::uint64_t>{1, 655360, 105824, 761184}));
    EXPECT_EQ(parts(page_data(html_page(*refused, lifetimes, "x", &library))),
              (std::vector<std::uint64_t>{3, 655360, 105824, 761184}));
}

TEST(HtmlPage, opens_on_dram_where_dram_was_refused) {
    ListMaker maker;
    maker.begin("ttnn.relu");
    maker.buffer({.per_bank = 4096, .address = 1'000'000});
    maker.end();
    const std::int64_t start = maker.begin("ttnn.zeros");
    maker.buffer({.per_bank = 1'000'000, .address = 2'000'000, .memory = MemoryType::kDram});
    maker.end();
    maker.finish();
    NodeList list = maker.take();
    list.source.python_calls = {{static_cast<std::uint32_t>(start),
                                 {"  File \"model.py\", line 51, in f\n    x()\n"},
                                 {},
                                 "RuntimeError",
                                 "Out of Memory: Not enough space to allocate 1073741824 B DRAM buffer "
                                 "across 12 banks, where each bank needs "
                                 "to store 89481216 B, but bank size is 1072693184 B (allocated: 984469504 "
                                 "B, free: 88223680 B, largest free "
                                 "block: 88223680 B)"}};
    const auto data = page_data(html_page(list, find_lifetimes(list), "x"));
    EXPECT_EQ(data["opening"]["memory"], "dram");
    EXPECT_EQ(data["opening"]["node"], data["failures"][0]["node"]);
    EXPECT_EQ(data["failures"][0]["refused"][0]["bytes"], 89481216);
    EXPECT_EQ(data["failures"][0]["line"], "model.py:51");
    const auto& calls = data["calls"];
    EXPECT_EQ(column(calls["l1"])[1], 4096);
    EXPECT_EQ(column(calls["l1_change"])[1], 0);
    EXPECT_EQ(column(calls["dram"])[1], 1'000'000);
    EXPECT_EQ(column(calls["dram_change"])[1], 1'000'000);
}

/// The highest point of what the page draws: the first node where it is reached, and its bytes.
std::pair<std::int64_t, std::int64_t> drawn_peak(const nlohmann::json& data, bool l1) {
    struct Step {
        std::int64_t node, change;
    };
    std::vector<Step> steps;
    const auto& buffers = data["buffers"];
    const auto begin = column(buffers["begin"]), end = column(buffers["end"]),
               bytes = column(buffers["bytes"]), device = column(buffers["device"]),
               memory = column(buffers["memory"]);
    for (std::size_t i = 0; i < begin.size(); ++i) {
        const auto kind = static_cast<MemoryType>(memory[i]);
        const bool in_l1 = kind == MemoryType::kL1 || kind == MemoryType::kL1Small;
        if (device[i] != 0 || (l1 ? !in_l1 : !is_dram(kind))) continue;
        steps.push_back({begin[i], bytes[i]});
        if (end[i] >= 0) steps.push_back({end[i], -bytes[i]});
    }
    const auto& programs = data["programs"];
    const auto program_end = column(programs["end"]), program_device = column(programs["device"]),
               step_program = column(programs["steps"]["program"]),
               step_node = column(programs["steps"]["node"]), step_bytes = column(programs["steps"]["bytes"]);
    for (std::size_t i = 0; l1 && i < step_node.size(); ++i) {
        const auto program = static_cast<std::size_t>(step_program[i]);
        if (program_device[program] != 0) continue;
        const bool is_first = i == 0 || step_program[i - 1] != step_program[i];
        const bool is_last = i + 1 == step_node.size() || step_program[i + 1] != step_program[i];
        steps.push_back({step_node[i], step_bytes[i] - (is_first ? 0 : step_bytes[i - 1])});
        if (is_last) steps.push_back({program_end[program], -step_bytes[i]});
    }
    std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
        return a.node != b.node ? a.node < b.node : a.change < b.change;
    });
    std::pair<std::int64_t, std::int64_t> highest{-1, 0};
    std::int64_t now = 0;
    for (const Step& step : steps)
        if ((now += step.change) > highest.second) highest = {step.node, now};
    return highest;
}

TEST(HtmlPage, draws_the_peak_where_and_as_high_as_it_is) {
    std::size_t compared = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::data_folder() + "/capture")) {
        auto list = load_node_list(entry.path());
        ASSERT_TRUE(list.ok());
        const MemoryLifetimes lifetimes = find_lifetimes(*list);
        if (lifetimes.devices.empty()) continue;
        const auto data = page_data(html_page(*list, lifetimes, "x"));
        const DevicePeak peak = find_peak(*list, lifetimes).devices[0];
        for (const bool l1 : {true, false}) {
            const MemoryPeak& highest = l1 ? peak.l1 : peak.dram;
            const std::int64_t node = highest.node == kNoIndex ? -1 : static_cast<std::int64_t>(highest.node);
            const auto& told = data["devices"][0][l1 ? "l1" : "dram"];
            EXPECT_EQ(told["peak_node"], node) << entry.path();
            EXPECT_EQ(told["peak_bytes"], highest.bytes) << entry.path();
            EXPECT_EQ(drawn_peak(data, l1), std::make_pair(node, static_cast<std::int64_t>(highest.bytes)))
                << entry.path() << (l1 ? " L1" : " DRAM");
            ++compared;
        }
    }
    EXPECT_EQ(compared, 26U);
}

TEST(HtmlPage, packs_columns_so_that_they_can_be_read_again) {
    using internal::Column;
    for (const Column& values : {Column{}, Column{7}, Column{7, 7, 7}, Column{1000000, 1000001, 1000003},
                                 Column{-1, 5, -1, 5}, Column{0, std::int64_t{1} << 52, 0}})
        EXPECT_EQ(column(internal::packed(values)), values);
    EXPECT_TRUE(internal::packed({1000000, 1000001}).contains("steps"));
    EXPECT_TRUE(internal::packed({5, -5, 5}).contains("all"));
}

TEST(HtmlPage, has_the_stack_of_each_call_where_it_is_recorded) {
    ListMaker maker;
    const std::int64_t start = maker.begin("ttnn.relu");
    maker.end();
    maker.finish();
    NodeList list = maker.take();
    const std::vector<std::string> frames = {"  File \"model.py\", line 51, in f\n    x()\n",
                                             "  File \"main.py\", line 3, in <module>\n    f()\n"};
    list.source.python_calls = {{static_cast<std::uint32_t>(start), frames, {}, "", ""}};
    const auto data = page_data(html_page(list, find_lifetimes(list), "x"));
    ASSERT_EQ(data["stacks"].size(), 1U);
    EXPECT_EQ(column(data["calls"]["stack"])[0], 0);
    for (std::size_t i = 0; i < frames.size(); ++i)
        EXPECT_EQ(data["texts"][data["stacks"][0][i].get<std::size_t>()], frames[i]);
}

TEST(HtmlPage, puts_two_captures_beside_each_other) {
    auto before = load_node_list(test::data_folder() + "/reports/add.n150.NORMAL/report.json");
    auto after = load_node_list(test::data_folder() + "/reports/error_oom.n150.NORMAL/report.json");
    ASSERT_TRUE(before.ok() && after.ok());
    const MemoryLifetimes lifetimes = find_lifetimes(*before), lifetimes_after = find_lifetimes(*after);
    const std::string name = "add", name_after = "oom";
    const std::string page =
        html_page(PageCapture{*before, lifetimes, name}, PageCapture{*after, lifetimes_after, name_after});
    const auto data = page_data(page);
    EXPECT_EQ(data["name"], "add");
    EXPECT_EQ(data["other"]["name"], "oom");
    const auto first = column(data["aligned"]["before"]), second = column(data["aligned"]["after"]);
    const auto is_there = [](std::int64_t call) { return call >= 0; };
    EXPECT_EQ(first.size(), second.size());
    EXPECT_EQ(std::count_if(first.begin(), first.end(), is_there), operation_count(*before));
    EXPECT_EQ(std::count_if(second.begin(), second.end(), is_there), operation_count(*after));
    EXPECT_NE(page.find("<main data-verdict=\"does_not_fit\""), std::string::npos) << "the second's";
}

TEST(HtmlPage, is_not_broken_by_names_that_look_like_markup) {
    ListMaker maker;
    maker.begin("</script><script>alert(1)</script>");
    maker.end();
    const NodeList list = maker.take();
    const auto data = page_data(html_page(list, find_lifetimes(list), "</script>"));
    EXPECT_EQ(data["name"], "</script>");
    EXPECT_EQ(data["texts"][0], "</script><script>alert(1)</script>");
}

}  // namespace
}  // namespace tilemeter::analysis
