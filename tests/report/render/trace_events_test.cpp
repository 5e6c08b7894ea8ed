// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/trace_events.hpp"

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "report/analysis/nodes/load.hpp"
#include "tests/paths.hpp"
#include "tests/report/analysis/list_maker.hpp"
#include "tests/report/render/trace_format.hpp"

namespace tilemeter::analysis {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::judged;

std::vector<json> of_phase(const json& trace, const char* phase) {
    std::vector<json> events;
    for (const json& event : trace["traceEvents"])
        if (event["ph"] == phase) events.push_back(event);
    return events;
}

/// "ts: sum" of a counter's samples.
std::vector<std::string> samples(const json& trace, const std::string& name) {
    std::vector<std::string> texts;
    for (const json& event : of_phase(trace, "C")) {
        if (event["name"] != name) continue;
        std::uint64_t sum = 0;
        for (const json& value : event["args"])
            sum += value.get<std::uint64_t>();
        texts.push_back(event["ts"].dump() + ": " + std::to_string(sum));
    }
    return texts;
}

/// "name ts+dur"
std::vector<std::string> slices(const json& trace) {
    std::vector<std::string> texts;
    for (const json& event : of_phase(trace, "X"))
        texts.push_back(event["name"].get<std::string>() + " " + event["ts"].dump() + "+" +
                        event["dur"].dump());
    return texts;
}

std::vector<fs::path> reports() {
    std::vector<fs::path> paths;
    for (const std::string& folder : {test::data_folder() + "/reports", test::data_folder() + "/capture",
                                      test::shared_folder() + "/reports"}) {
        std::error_code absent;
        for (auto it = fs::recursive_directory_iterator(folder, absent);
             it != fs::recursive_directory_iterator(); ++it)
            if (it->path().filename() == "report.json" || it->path().string().ends_with(".report.json"))
                paths.push_back(it->path());
    }
    return paths;
}

TEST(TraceEvents, of_every_report_follow_the_format_and_show_the_peak) {
    const std::vector<fs::path> paths = reports();
    ASSERT_GE(paths.size(), 20U);
    for (const fs::path& path : paths) {
        SCOPED_TRACE(path.string());
        auto list = load_node_list(path);
        ASSERT_TRUE(list.ok()) << list.error().message();
        judged(list.value());
    }
}

TEST(TraceEvents, show_program_memory_of_another_capture) {
    const auto load = [](const std::string& name) {
        return load_node_list(test::data_folder() + "/capture/" + name + ".report.json").value();
    };
    const NodeList planned = load("error_clash.n150.NO_DISPATCH");
    const ProgramLibrary programs = find_lifetimes(planned).library(planned);
    const NodeList list = load("error_clash.n150.NORMAL");
    const auto records = [](const json& trace) {
        std::vector<std::string> found;
        for (const json& slice : of_phase(trace, "X"))
            if (slice["args"].contains("program_memory")) found.push_back(slice["args"]["program_memory"]);
        return found;
    };
    const auto without = records(judged(list));
    EXPECT_EQ(std::count(without.begin(), without.end(), "unknown: not recorded"), 6);
    const auto with = records(judged(list, &programs));
    EXPECT_EQ(std::count(with.begin(), with.end(), "taken from another run of the program"), 6);
}

TEST(TraceEvents, hold_program_memory_for_the_whole_operation) {
    ListMaker maker;
    maker.begin("op");
    maker.buffer({.per_bank = 100, .address = 4096});
    maker.deallocate_all();
    maker.piece({.size = 40});
    maker.piece({.size = 2});
    maker.end();
    const json trace = judged(maker.take());
    EXPECT_EQ(slices(trace), (std::vector<std::string>{"op 0.0+1.0"}));
    EXPECT_EQ(samples(trace, "L1 per core (device 0)"),
              (std::vector<std::string>{"0.0: 0", "0.001: 142", "1.0: 100", "1.001: 100"}));
    EXPECT_EQ(samples(trace, "DRAM per bank (device 0)"), (std::vector<std::string>{"0.0: 0", "1.001: 0"}))
        << "only where it changes, and at the end";
}

TEST(TraceEvents, show_what_has_no_time_for_a_nanosecond) {
    ListMaker maker;
    const auto outside = maker.buffer({.per_bank = 64, .address = 4096});
    maker.free(outside, {.per_bank = 64, .address = 4096});
    maker.begin("outer");
    maker.begin("inner");
    maker.end();
    const auto inside = maker.buffer({.per_bank = 32, .address = 8192});
    maker.free(inside, {.per_bank = 32, .address = 8192});
    maker.end();
    NodeList list = maker.take();
    const std::vector<std::string> with_times{"outer 0.001+1.0", "inner 0.001+1.0"};
    list.ends[1].duration_ns = 0;
    json trace = judged(list);
    EXPECT_EQ(slices(trace), with_times);
    EXPECT_EQ(
        samples(trace, "L1 per core (device 0)"),
        (std::vector<std::string>{"0.0: 0", "0.001: 64", "0.002: 0", "1.001: 32", "1.002: 0", "1.003: 0"}));
    // Nothing has a duration: a microsecond per node.
    list.ends[0].duration_ns = 0;
    trace = judged(list);
    EXPECT_EQ(slices(trace), (std::vector<std::string>{"outer 4.0+6.0", "inner 5.0+1.0"}));
}

TEST(TraceEvents, show_what_is_older_than_the_list_and_stays_after_it) {
    ListMaker maker;
    const auto older = maker.buffer({.per_bank = 512, .memory = MemoryType::kDram}, true);
    maker.begin("op");
    maker.buffer({.per_bank = 100, .address = 4096});
    maker.free(older, {.per_bank = 512, .memory = MemoryType::kDram});
    const json trace = judged(maker.take());
    EXPECT_EQ(samples(trace, "DRAM per bank (device 0)").front(), "0.0: 512");
    EXPECT_EQ(of_phase(trace, "X").front()["args"]["no_end_recorded"], true);
}

TEST(TraceEvents, of_lists_without_anything_are_valid) {
    judged(NodeList());
    judged(ListMaker().take());
    for (const char* text : {"[]", "{}"}) {
        const auto list = node_list_of_text(text);
        ASSERT_TRUE(list.ok());
        judged(list.value());
    }
}

TEST(TraceEvents, of_lists_that_name_no_device_have_counters_without_one) {
    ListMaker maker;
    maker.begin("op");
    maker.buffer({.per_bank = 100, .address = 4096});
    maker.end();
    NodeList list = maker.take();
    for (NodeList::Buffer& buffer : list.buffers)
        buffer.device = {};
    EXPECT_EQ(samples(judged(list), "total L1 per core").size(), 3U);
}

TEST(TraceEvents, carry_names_that_are_no_utf8_or_look_like_json) {
    ListMaker maker;
    maker.begin("\xff\"},{\n\x01</script>");
    maker.argument("\xc3(\\");
    maker.end();
    const json slice = of_phase(judged(maker.take()), "X").front();
    EXPECT_EQ(slice["name"], "\uFFFD\"},{\n\x01</script>");
    EXPECT_EQ(slice["args"]["arguments"][0], "\uFFFD(\\");
}

// Operations at random, also ends without begins of memory, on two devices, with and without times.
TEST(TraceEvents, of_random_lists_follow_the_format_and_show_the_peak) {
    std::mt19937 random(1);
    const auto pick = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
    for (int round = 0; round < 2000; ++round) {
        ListMaker maker;
        struct Live {
            std::int64_t node;
            ListMaker::BufferInfo info;
        };
        std::vector<Live> live;
        int open = 0;
        for (int step = 0; step < 30; ++step) {
            ListMaker::BufferInfo info{.per_bank = static_cast<std::uint64_t>(1 + pick(64)) * 16,
                                       .address = 4096 * (step + 1),
                                       .memory = pick(3) == 0 ? MemoryType::kDram : MemoryType::kL1,
                                       .device = pick(2)};
            switch (pick(7)) {
                case 0:
                    maker.begin("f" + std::to_string(step));
                    ++open;
                    break;
                case 1:
                    if (open > 0) {
                        maker.end();
                        --open;
                    }
                    break;
                case 2:
                case 3: {
                    const std::int64_t node = maker.buffer(info, pick(8) == 0);
                    live.push_back({node, info});
                    break;
                }
                case 4:
                    if (!live.empty()) {
                        const auto at = live.begin() + pick(static_cast<int>(live.size()));
                        maker.free(at->node, at->info);
                        live.erase(at);
                    }
                    break;
                case 5:
                    maker.deallocate_all(info.device);
                    break;
                default:
                    maker.piece({.size = info.per_bank, .device = info.device});
            }
        }
        NodeList list = maker.take();
        for (NodeList::End& end : list.ends)
            end.duration_ns = pick(3) == 0 ? 0 : pick(3000);
        SCOPED_TRACE(round);
        judged(list);
        if (HasFailure()) return;
    }
}

TEST(TraceEvents, tell_failures_with_messages_and_who_feeds_whom) {
    auto list = load_node_list(test::data_folder() + "/reports/error_retry.n150.NORMAL/report.json");
    ASSERT_TRUE(list.ok());
    const Scopes scopes = find_scopes(list.value());
    list->source.python_calls = {
        {scopes.scopes[0].start, {R"(  File "model.py", line 5, in forward)"}, {}, "", ""},
        {scopes.scopes[3].start, {}, {}, "RuntimeError", "widths differ"}};
    const json trace = judged(list.value());

    std::vector<std::string> failures;
    for (const json& event : of_phase(trace, "i"))
        failures.push_back(event["name"].get<std::string>() + " " + event["args"].dump());
    EXPECT_EQ(
        failures,
        (std::vector<std::string>{
            R"(aborted {"message":"widths differ","node":25,"operation":"ttnn.matmul > MatmulDeviceOperation"})",
            R"(aborted {"node":53,"operation":"ttnn.matmul > MatmulDeviceOperation"})"}));

    const auto relu = of_phase(trace, "X")[0];
    EXPECT_EQ(relu["args"]["source"], "model.py:5");
    EXPECT_EQ(relu["args"]["inputs"], json({"tensor 5 Shape([1, 1, 64, 96]) BFLOAT16 TILE"}));
    EXPECT_EQ(relu["args"]["outputs"], json({"tensor 8 Shape([1, 1, 64, 96]) BFLOAT16 TILE"}));
    EXPECT_EQ(relu["args"]["device"], 1);
    const auto failed = of_phase(trace, "X")[3];
    EXPECT_EQ(failed["name"], "ttnn.matmul");
    EXPECT_EQ(failed["args"]["error"], "widths differ");
    EXPECT_FALSE(failed["args"].contains("outputs")) << "what it made before it failed is no result";
    EXPECT_EQ(of_phase(trace, "X")[4]["args"]["aborted"], true);

    // relu feeds three multiplications, of which the one that worked feeds the last relu.
    std::vector<std::string> flows;
    for (const json& event : of_phase(trace, "f"))
        flows.push_back(event["id"].dump() + " " + event["name"].get<std::string>());
    EXPECT_EQ(flows, (std::vector<std::string>{
                         "1 Shape([1, 1, 64, 96]) BFLOAT16 TILE", "2 Shape([1, 1, 64, 96]) BFLOAT16 TILE",
                         "3 Shape([1, 1, 64, 96]) BFLOAT16 TILE", "4 Shape([1, 1, 64, 64]) BFLOAT16 TILE"}));
}

TEST(TraceEvents, say_that_a_peak_is_a_lower_bound) {
    const auto list = load_node_list(test::data_folder() + "/reports/error_retry.n150.NORMAL/report.json");
    ASSERT_TRUE(list.ok());
    EXPECT_EQ(judged(list.value())["otherData"]["notes"][0],
              "3 of 3 programs ran without a record of what they took in L1: the L1 peak is a lower bound (a "
              "NO_DISPATCH capture has it all)");
}

}  // namespace
}  // namespace tilemeter::analysis
