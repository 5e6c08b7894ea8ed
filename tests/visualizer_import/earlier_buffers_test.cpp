// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/tables/earlier_buffers.hpp"

#include <compare>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/paths.hpp"
#include "tests/visualizer_import/imported.hpp"

namespace tilemeter::visualizer_import {
namespace {

namespace fs = std::filesystem;
using Rows = std::vector<std::string>;

// A function that takes a tensor in a buffer nobody allocated, with `more` behind it.
std::string report_with_input(const std::string& more) {
    return report_of(
        R"json({"counter": 0, "node_type": "function_start", "params": {"name": "f"}},
           {"counter": 1, "node_type": "tensor", "connections": [0], "params": {"tensor_id": 1, "address": 4096,
            "buffer_type": 1, "device_id": 0, "shape": "Shape([1, 1, 96, 64])", "dtype": "DataType::BFLOAT16",
            "layout": "Layout::TILE", "memory_config": "MemoryConfig(...)"}},
           {"counter": 2, "node_type": "buffer", "connections": [1], "params": {"buffer_type": 1, "device_id": 0,
            "layout": "INTERLEAVED", "size": 12288}},
           {"counter": 3, "node_type": "function_end", "params": {"name": "f"}})json" +
        more);
}

class EarlierBuffersTest : public testing::Test {
protected:
    Rows buffers_of(const std::string& report, bool quirks = false) {
        ImportOptions options;
        options.reference_quirks = quirks;
        const auto imported =
            import_reports(scratch_.write("report.json", report), scratch_.path() / "out", options);
        EXPECT_TRUE(imported.ok()) << imported.error().message();
        return rows_of(
            scratch_.path() / "out/db.sqlite",
            "SELECT operation_id, device_id, address, max_size_per_bank, buffer_type, buffer_layout "
            "FROM buffers ORDER BY 1, 2, 5, 3, 4");
    }
    ScratchFolder scratch_;
};

TEST_F(EarlierBuffersTest, an_input_from_before_the_capture_is_alive) {
    EXPECT_EQ(buffers_of(report_with_input("")), Rows{"1|0|4096|2048|1|0"});
    EXPECT_EQ(buffers_of(report_with_input(""), true), Rows());
}

TEST_F(EarlierBuffersTest, it_ends_with_its_free) {
    const std::string more =
        R"(,{"counter": 4, "node_type": "function_start", "params": {"name": "g"}},
           {"counter": 5, "node_type": "buffer_deallocate", "connections": [2], "params": {"address": 4096,
            "buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "size": 12288}},
           {"counter": 6, "node_type": "function_end", "params": {"name": "g"}})";
    EXPECT_EQ(buffers_of(report_with_input(more)), Rows{"1|0|4096|2048|1|0"});
}

TEST_F(EarlierBuffersTest, it_ends_where_another_buffer_is_allocated_in_its_place) {
    const std::string more =
        R"(,{"counter": 4, "node_type": "function_start", "params": {"name": "g"}},
           {"counter": 5, "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 0, "size": 64}},
           {"counter": 6, "node_type": "buffer_allocate", "connections": [5], "params": {"address": 4096,
            "buffer_type": 1, "device_id": 0, "max_size_per_bank": 64, "layout": "INTERLEAVED", "size": 64}},
           {"counter": 7, "node_type": "function_end", "params": {"name": "g"}})";
    EXPECT_EQ(buffers_of(report_with_input(more)), (Rows{"1|0|4096|2048|1|0", "2|0|4096|64|1|0"}));
}

TEST_F(EarlierBuffersTest, what_only_its_free_tells_of_was_alive_until_then) {
    const std::string nodes =
        R"({"counter": 0, "node_type": "function_start", "params": {"name": "f"}},
           {"counter": 1, "node_type": "function_end", "params": {"name": "f"}},
           {"counter": 2, "node_type": "function_start", "params": {"name": "g"}},
           {"counter": 3, "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 0, "size": 64}},
           {"counter": 4, "node_type": "buffer_deallocate", "connections": [3], "params": {"address": 512,
            "buffer_type": 1, "device_id": 0, "max_size_per_bank": 64, "layout": "HEIGHT_SHARDED", "size": 64}},
           {"counter": 5, "node_type": "function_end", "params": {"name": "g"}})";
    EXPECT_EQ(buffers_of(report_of(nodes)), Rows{"1|0|512|64|1|2"});
}

TEST(BytesPerBank, of_pages_and_shards) {
    BankCounts banks;
    banks.dram_channels = 12;
    banks.l1_banks = 64;
    TensorRow row;
    row.shape = "Shape([1, 3, 50, 70])";
    row.dtype = "DataType.BFLOAT16";
    row.layout = "Layout.ROW_MAJOR";
    row.buffer_type = 0;
    EXPECT_EQ(bytes_per_bank(row, 21000, true, banks), 13 * 160);  // 150 rows of 140 bytes over 12 banks
    row.layout = "Layout.TILE";
    EXPECT_EQ(bytes_per_bank(row, 3 * 2 * 3 * 2048, true, banks), 2 * 2048);
    row.dtype = "DataType.BFLOAT8_B";
    row.buffer_type = 1;
    EXPECT_EQ(bytes_per_bank(row, 65 * 1088, true, banks), 2 * 1088);
    row.memory_config = "MemoryConfig(shard_spec=ShardSpec{grid=[...], shape=[64, 40], orientation=...}";
    EXPECT_EQ(bytes_per_bank(row, 1, false, banks), 4 * 1088);
    row.memory_config = "MemoryConfig(shard_spec=std::nullopt,nd_shard_spec={\"shard_shape\":[64, 40]}";
    EXPECT_EQ(bytes_per_bank(row, 1, false, banks), std::nullopt);
    row.dtype = "DataType.OF_TOMORROW";
    EXPECT_EQ(bytes_per_bank(row, 2048, true, banks), std::nullopt);
}

// TT-NN's own snapshots of what was alive, and what is put together without them: of real captures whose
// inputs were made before, in every layout. The same buffers; only that snapshots count pages without what
// aligns them, and events with it.
TEST_F(EarlierBuffersTest, put_together_they_are_what_the_device_listed) {
    struct Size {
        std::string listed, told;
        auto operator<=>(const Size&) const = default;
    };
    using Sizes = std::map<std::string, std::string>;  // by operation, device, address, type, layout
    const auto by_place = [](const Rows& rows) {
        Sizes sizes;
        for (const std::string& row : rows) {
            std::vector<std::string> values;
            std::istringstream stream(row);
            for (std::string value; std::getline(stream, value, '|');)
                values.push_back(value);
            sizes[values[0] + "|" + values[1] + "|" + values[2] + "|" + values[4] + "|" + values[5]] =
                values[3];
        }
        return sizes;
    };
    const std::map<std::string, std::set<Size>> aligned{{"n150", {{"1820", "2080"}, {"40", "48"}}},
                                                        {"p150", {{"2660", "3648"}, {"40", "48"}}}};
    for (const auto& [cluster, aligned_sizes] : aligned) {
        const fs::path file =
            fs::path(test::data_folder()) / "snapshots" / ("inputs_of_every_layout." + cluster + ".json");
        nlohmann::ordered_json report = nlohmann::ordered_json::parse(test::text_of(file));
        const Sizes listed = by_place(buffers_of(report.dump()));
        report.erase("per_operation_buffers");
        const Sizes told = by_place(buffers_of(report.dump()));
        EXPECT_GT(told.size(), 200U);
        std::set<Size> different;
        for (const auto& [place, size] : told) {
            const auto same = listed.find(place);
            ASSERT_NE(same, listed.end()) << place;
            if (same->second != size) different.insert({same->second, size});
        }
        EXPECT_TRUE(different == aligned_sizes) << different.size();
        std::set<std::string> unmet;
        for (const auto& [place, size] : listed)
            if (!told.contains(place)) unmet.insert(place.substr(place.find('|')));
        EXPECT_EQ(unmet, std::set<std::string>());
    }
}

}  // namespace
}  // namespace tilemeter::visualizer_import
