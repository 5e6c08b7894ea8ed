// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/device_description.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/paths.hpp"

namespace tilemeter {
namespace {

using nlohmann::json;

std::string read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

json example() {
    return json::parse(read(std::filesystem::path(test::data_folder()) / "devices/example.json"));
}

std::string refusal(const std::function<void()>& load) {
    try {
        load();
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "nothing thrown";
}

std::string refusal_of(const std::string& text) {
    return refusal([&] { parse_device_description(text, "my.json"); });
}

std::string refusal_of(const json& description) {
    return refusal_of(description.dump());
}

TEST(DeviceDescription, all_boards_and_systems_are_built_in) {
    EXPECT_EQ(built_in_device_names(),
              (std::vector<std::string>{"e150", "e75", "galaxy", "n150", "n300", "p100", "p150", "t3000"}));
    for (const std::string& name : built_in_device_names())
        EXPECT_EQ(load_device_description(name).name, name);
}

TEST(DeviceDescription, the_boards_have_their_recorded_figures) {
    const DeviceDescription n150 = load_device_description("n150");
    EXPECT_EQ(n150.arch, "WORMHOLE_B0");
    EXPECT_EQ(n150.compute_grid, (CoreCoord{8, 8}));
    EXPECT_EQ(n150.logical_grid, (CoreCoord{8, 9}));
    EXPECT_EQ(n150.l1_size, 1499136U);
    EXPECT_EQ(n150.l1_unreserved_base, 105824U);
    EXPECT_EQ(n150.dram_banks * n150.dram_bank_size, std::uint64_t{12} << 30);
    const DeviceDescription n300 = load_device_description("n300");
    EXPECT_EQ(n300.chips, 2U);
    EXPECT_EQ(n300.num_compute_cores(), 56U);
    const DeviceDescription p150 = load_device_description("p150");
    EXPECT_EQ(p150.num_compute_cores(), 130U);
    EXPECT_EQ(p150.dram_banks * p150.dram_bank_size, 34225520640U) << "31.88 GiB, as measured on a board";
    const DeviceDescription p100 = load_device_description("p100");
    EXPECT_EQ(p100.num_compute_cores(), 110U);
    EXPECT_EQ(p100.dram_banks, 7U);
    EXPECT_EQ(load_device_description("e150").num_compute_cores(), 108U);
    EXPECT_EQ(load_device_description("e75").num_compute_cores(), 88U);
}

TEST(DeviceDescription, a_user_loads_his_own_from_a_file) {
    const auto path = std::filesystem::path(test::data_folder()) / "devices/example.json";
    const DeviceDescription device = load_device_description(path.string());
    EXPECT_EQ(device.name, "roomy");
    EXPECT_EQ(device.dram_banks * device.dram_bank_size, std::uint64_t{1} << 40) << "1 TiB of DRAM";
    EXPECT_EQ(device, parse_device_description(read(path), "copy"));
}

TEST(DeviceDescription, the_example_of_the_documents_is_the_file_of_the_tests) {
    const std::string document =
        read(std::filesystem::path(test::data_folder()) / "../../runtime/device/DEVICES.md");
    const std::string fence = "```json\n";
    const auto begin = document.find(fence);
    ASSERT_NE(begin, std::string::npos);
    const auto end = document.find("```", begin + fence.size());
    EXPECT_EQ(json::parse(document.substr(begin + fence.size(), end - begin - fence.size())), example());
}

TEST(DeviceDescription, every_key_is_needed) {
    const json complete = example();
    for (const auto& [key, value] : complete.items()) {
        json incomplete = complete;
        incomplete.erase(key);
        EXPECT_EQ(refusal_of(incomplete), "my.json: \"" + key + "\": expected a value, found no such key");
    }
}

TEST(DeviceDescription, every_key_refuses_another_type) {
    const json complete = example();
    for (const auto& [key, value] : complete.items()) {
        json wrong = complete;
        wrong[key] = nullptr;
        const std::string text = refusal_of(wrong);
        EXPECT_EQ(text.find("my.json: \"" + key + "\": expected "), 0U) << text;
        EXPECT_NE(text.find(", found null"), std::string::npos) << text;
    }
}

TEST(DeviceDescription, says_which_key_is_unknown) {
    json description = example();
    description["l1_sise"] = 1;
    EXPECT_EQ(refusal_of(description),
              "my.json: \"l1_sise\": expected a key of a device description, found an unknown key");
    description = example();
    description["compute_grid"]["z"] = 1;
    EXPECT_EQ(refusal_of(description),
              "my.json: \"compute_grid\": \"z\": expected a key of a device "
              "description, found an unknown key");
}

TEST(DeviceDescription, says_which_number_is_out_of_range) {
    const auto with = [](const char* key, const json& value) {
        json description = example();
        description[key] = value;
        return refusal_of(description);
    };
    EXPECT_EQ(with("l1_size", -1),
              "my.json: \"l1_size\": expected an integer from 1 to 1125899906842624, found -1");
    EXPECT_EQ(with("l1_size", 1.5),
              "my.json: \"l1_size\": expected an integer from 1 to 1125899906842624, found 1.5");
    EXPECT_EQ(with("l1_size", "large"),
              "my.json: \"l1_size\": expected an integer from 1 to "
              "1125899906842624, found string \"large\"");
    EXPECT_EQ(with("l1_unreserved_base", 1499136),
              "my.json: \"l1_unreserved_base\": expected an integer from 1 to 1499135, found 1499136");
    EXPECT_EQ(with("l1_unreserved_base", 105825),
              "my.json: \"l1_unreserved_base\": expected a multiple of "
              "the allocation granularity 32, found 105825");
    EXPECT_EQ(with("dram_banks", 0), "my.json: \"dram_banks\": expected an integer from 1 to 1024, found 0");
    EXPECT_EQ(with("chips", 2), "my.json: \"harvesting\": expected 2 entries, one per chip, found 1");
    EXPECT_EQ(with("logical_grid", {{"x", 4}, {"y", 8}}),
              "my.json: \"logical_grid\": expected at least the compute grid, found 4 x 8");
    EXPECT_EQ(with("ethernet_links",
                   json::array({{{"chip", 0}, {"channel", 0}, {"other_chip", 1}, {"other_channel", 0}}})),
              "my.json: \"ethernet_links\"[0]: expected chips below 1, found 0 and 1");
    const json far = {{"noc_0", {{"x", 0}, {"y", 0}}}, {"noc_1", {{"x", 0}, {"y", 8}}}};
    EXPECT_EQ(with("dram_bank_cores", json::array({far})),
              "my.json: \"dram_bank_cores\": expected 16 entries, one per bank, found 1");
    EXPECT_EQ(with("dram_bank_cores", json::array_t(16, far)),
              "my.json: \"dram_bank_cores\"[0]: expected a core of the compute grid, found 0, 8");
    EXPECT_EQ(with("name", ""), "my.json: \"name\": expected a text that is not empty, found string \"\"");
}

TEST(DeviceDescription, malformed_text_is_one_clear_line) {
    for (const std::string& text :
         {std::string(), std::string("{"), std::string("[]"), std::string("{}"),
          std::string("nonsense\nnonsense"), example().dump() + "x", example().dump().substr(0, 200),
          std::string("\xff\xfe\0", 3), std::string(100000, '['),
          std::string("{\"a\":{\"b\":[{\"a\":1,\"a\":2}]}}"), "{\"name\":\"" + std::string(100000, 'x'),
          "{\"name\":" + std::string(300000, '[') + std::string(300000, ']') + "}"}) {
        const std::string message = refusal_of(text);
        EXPECT_EQ(message.find("my.json: "), 0U) << message;
        EXPECT_NE(message.find("expected "), std::string::npos) << message;
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
        EXPECT_LT(message.size(), 300U) << message;
    }
}

TEST(DeviceDescription, a_key_given_twice_is_refused) {
    std::string text = example().dump();
    text.insert(text.find('{') + 1, "\"chips\": 1, ");
    EXPECT_EQ(refusal_of(text), "my.json: \"chips\": expected each key once, found it twice");
}

TEST(DeviceDescription, a_name_that_is_neither_built_in_nor_a_file_is_refused) {
    const std::string expected =
        "expected e150, e75, galaxy, n150, n300, p100, p150, t3000, or a file that can be read, found neither";
    EXPECT_EQ(refusal([] { load_device_description("n151"); }), "device description \"n151\": " + expected);
    EXPECT_EQ(refusal([] { load_device_description(""); }), "device description \"\": " + expected);
    EXPECT_EQ(refusal([] { load_device_description(test::data_folder()); }),
              "device description \"" + test::data_folder() + "\": " + expected);
}

// The keys of a real report's descriptor, in order, without the figures.
TEST(ClusterDescriptor, has_the_keys_of_a_real_report) {
    for (const char* board : {"n150", "n300", "p150", "t3000"}) {
        const std::string recorded = read(std::filesystem::path(test::data_folder()) / "devices" /
                                          (std::string(board) + ".cluster.yaml"));
        ASSERT_FALSE(recorded.empty()) << board;
        EXPECT_EQ(cluster_descriptor_of(load_device_description(board)), recorded) << board;
    }
}

TEST(ClusterDescriptor, names_the_architecture_of_every_board) {
    EXPECT_NE(cluster_descriptor_of(load_device_description("e75")).find("  0: grayskull\n"),
              std::string::npos);
    EXPECT_NE(cluster_descriptor_of(load_device_description("p100")).find("  0: blackhole\n"),
              std::string::npos);
    EXPECT_NE(cluster_descriptor_of(load_device_description("p100")).find("board_type: p100\n"),
              std::string::npos);
}

}  // namespace
}  // namespace tilemeter
