// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/paths.hpp"
#include "tools/allocator_check/replay.hpp"

namespace tilemeter::allocator_check {
namespace {

using nlohmann::json;

std::vector<json> rows_of(const std::filesystem::path& path) {
    std::ifstream in(path);
    std::vector<json> rows;
    for (std::string line; std::getline(in, line);)
        rows.push_back(json::parse(line));
    return rows;
}

std::vector<json> sample() {
    return rows_of(std::filesystem::path(test::data_folder()) / "allocator/n150_l1small.jsonl");
}

TEST(AllocatorCheck, all_recorded_allocations_come_out_equal) {
    const std::filesystem::path facts = std::filesystem::path(test::shared_folder()) / "facts";
    if (!std::filesystem::exists(facts)) GTEST_SKIP() << "no shared facts beside the repository";
    for (const char* file :
         {"allocator_n150.jsonl", "allocator_n150_l1small.jsonl", "allocator_p150.jsonl"}) {
        const std::vector<json> rows = rows_of(facts / file);
        EXPECT_GT(rows.size(), 1800U) << file;
        Replay replay;
        for (const json& row : rows)
            EXPECT_EQ(replay.row(row), "") << file << ": " << row;
    }
}

// Each change is one that a wrong allocator would show as.
TEST(AllocatorCheck, an_answer_that_differs_is_found) {
    const std::map<std::string, json> changes = {
        {"device", {{"/views/L1_SMALL/total_bytes_per_bank", 32736}, {"/info/cb_limit", 1}, {"/grid/0", 7}}},
        {"page", {{"/buffer/address", 32}, {"/buffer/max_size_per_bank", 32}, {"/block_table/0/1", 32}}},
        {"seq", {{"/address", 32}}},
        {"table", {{"/table/0/0", 32}, {"/table/0/2", "maybe"}}},
        {"fit", {{"/address", 32}, {"/picked", 9}, {"/hole_addresses/0", 32}}},
        {"oom", {{"/ok", "perhaps"}}}};
    for (const auto& [kind, differences] : changes) {
        for (const auto& [place, value] : differences.items()) {
            Replay replay;
            bool found = false;
            for (json row : sample()) {
                const bool changed = row.at("kind") == kind && !found;
                if (changed) row[json::json_pointer(place)] = value;
                const std::string difference = replay.row(row);
                EXPECT_EQ(difference.empty(), !changed) << kind << " " << place << ": " << difference;
                found = found || changed;
            }
            EXPECT_TRUE(found) << "no row of kind " << kind;
        }
    }
}

TEST(AllocatorCheck, rows_that_make_no_sense_are_refused) {
    const std::vector<json> rows = sample();
    Replay replay;
    EXPECT_THROW(replay.row(rows.at(1)), std::runtime_error) << "no device yet";
    EXPECT_EQ(replay.row(rows.at(0)), "");
    EXPECT_THROW(replay.row({{"kind", "unheard"}}), std::runtime_error);
    EXPECT_THROW(replay.row({{"kind", "seq"}, {"seq", 0}, {"id", 7}, {"ev", "free"}}), std::runtime_error);
    EXPECT_THROW(replay.row(json::object()), json::exception);
}

}  // namespace
}  // namespace tilemeter::allocator_check
