// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Pages as TT-NN 0.81.1 recorded them: of sharded and interleaved tensors on n150 and p150
// (tests/data/pages), of whole reports (where they are at hand), and against a naive placement.

#include "report/buffer_pages.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "capture/graph/graph_processor.hpp"
#include "report/analysis/answers/peak.hpp"
#include "report/analysis/nodes/load.hpp"
#include "report/report_reader.hpp"
#include "report/report_writer.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/matches.hpp"
#include "tests/paths.hpp"
#include "tests/property.hpp"

namespace tilemeter::report {
namespace {

namespace fs = std::filesystem;
using graph::GraphProcessor;
using nlohmann::json;

json load(const fs::path& path) {
    std::ifstream file(path);
    return json::parse(file);
}

CoreRangeSet grid_of(const json& ranges) {
    std::vector<CoreRange> rectangles;
    for (const json& r : ranges)
        rectangles.push_back({{r[0], r[1]}, {r[2], r[3]}});
    return CoreRangeSet(rectangles);
}

MemoryConfig config_of(const json& shard) {
    if (shard.is_null()) return L1_MEMORY_CONFIG;
    const std::map<std::string, TensorMemoryLayout::Value> layouts = {
        {"HEIGHT_SHARDED", TensorMemoryLayout::HEIGHT_SHARDED},
        {"WIDTH_SHARDED", TensorMemoryLayout::WIDTH_SHARDED},
        {"BLOCK_SHARDED", TensorMemoryLayout::BLOCK_SHARDED}};
    return {layouts.at(shard["layout"]), BufferType::L1,
            ShardSpec{grid_of(shard["grid"]),
                      {shard["shape"][0].get<std::uint32_t>(), shard["shape"][1].get<std::uint32_t>()},
                      shard["orientation"] == "ROW_MAJOR" ? ShardOrientation::ROW_MAJOR
                                                          : ShardOrientation::COL_MAJOR}};
}

Shape shape_of(const json& dimensions) {
    return Shape(dimensions.get<std::vector<std::uint32_t>>());
}

class ReportedPages : public testing::TestWithParam<const char*> {
protected:
    ReportedPages()
        : path_(fs::temp_directory_path() / ("buffer_pages_test." + std::to_string(getpid()) + ".json")) {
        DeviceOptions options;
        options.description = GetParam();
        device_ = open_device(0, options);
        GraphProcessor::enable_buffer_pages();
    }
    ~ReportedPages() override {
        GraphProcessor::disable_buffer_pages();
        close_device(*device_);
        fs::remove(path_);
    }

    json report_of(const std::function<void()>& work) {
        GraphProcessor::begin_graph_capture();
        work();
        GraphProcessor::end_graph_capture_to_file(path_);
        return load(path_);
    }

    const fs::path path_;
    std::shared_ptr<Device> device_;
};

TEST_P(ReportedPages, given_tensors_then_their_pages_are_those_that_tt_nn_recorded) {
    const json recorded = load(fs::path(test::data_folder()) / "pages" / (std::string(GetParam()) + ".json"));
    ASSERT_GE(recorded["cases"].size(), 16U);
    for (const json& each : recorded["cases"]) {
        SCOPED_TRACE(each["name"].get<std::string>());
        const json report = report_of([&] {
            GraphProcessor::track_function_start("scope");
            Tensor tensor = empty(shape_of(each["shape"]), DataType::BFLOAT16,
                                  each["layout"] == "TILE" ? Layout::TILE : Layout::ROW_MAJOR, device_,
                                  config_of(each["shard"]));
            GraphProcessor::track_function_end();
            tensor.deallocate();
        });
        EXPECT_EQ(report["buffer_pages"], json::array());
        ASSERT_EQ(report["buffer_pages_by_address"].size(), 1U);
        const json& snapshots = report["buffer_pages_by_address"].begin().value();
        ASSERT_EQ(snapshots.size(), 1U);
        const json& allocate = report["graph"][snapshots[0]["alloc_counter"].get<std::size_t>()];
        EXPECT_EQ(allocate["node_type"], "buffer_allocate");
        EXPECT_EQ(allocate["params"]["page_size"], each["page_size"]);
        EXPECT_EQ(allocate["params"]["max_size_per_bank"], each["max_size_per_bank"]);
        json pages = json::array();
        for (const json& page : snapshots[0]["pages"]) {
            EXPECT_EQ(page["address"], allocate["params"]["address"]);
            EXPECT_EQ(page["buffer_type"], 1);
            pages.push_back({page["page_index"], page["bank_id"], page["core_x"], page["core_y"],
                             page["page_address"].get<std::uint64_t>() - page["address"].get<std::uint64_t>(),
                             page["page_size"]});
        }
        EXPECT_EQ(pages, each["pages"]);
        const json& live = report["per_operation_buffers"]["1"];
        ASSERT_EQ(live.size(), 1U);
        EXPECT_EQ(live[0]["max_size_per_bank"], each["snapshot_max_size_per_bank"]);
    }
}

TEST_P(ReportedPages,
       given_buffers_from_before_then_snapshots_hold_them_and_what_is_live_at_the_end_is_listed) {
    const Tensor before = empty(Shape({1, 1, 64, 64}), DataType::BFLOAT16, Layout::TILE, device_);
    std::optional<Tensor> kept;
    const json report = report_of([&] {
        kept = empty(Shape({1, 1, 32, 64}), DataType::BFLOAT16, Layout::TILE, device_, L1_MEMORY_CONFIG);
        Tensor freed = empty(Shape({1, 1, 32, 32}), DataType::BFLOAT16, Layout::TILE, device_);
        freed.deallocate();
    });
    EXPECT_EQ(report["buffer_pages"].size(), 2U);
    std::vector<std::size_t> sizes;
    for (const json& node : report["graph"]) {
        const std::string counter = std::to_string(node["counter"].get<int>());
        if (node["node_type"] == "function_start" && node["stacking_level"] == 1)
            sizes.push_back(report["per_operation_buffers"].at(counter).size());
    }
    EXPECT_EQ(sizes, (std::vector<std::size_t>{2, 3, 2}));
    EXPECT_EQ(report["per_operation_buffers"].size(), 3U);
}

TEST_P(ReportedPages,
       given_a_buffer_that_the_capture_does_not_use_then_the_report_has_it_and_the_peak_counts_it) {
    GraphProcessor::disable_buffer_pages();
    const Shape shape({1, 1, 64, 64});
    const auto make = [&] {
        return empty(shape, DataType::BFLOAT16, Layout::TILE, device_, L1_MEMORY_CONFIG);
    };
    const auto capture_one = [&] { return report_of([&] { (void)make(); }); };
    const json alone = capture_one();
    const std::uint64_t peak_alone =
        analysis::find_peak(analysis::load_node_list(path_).value()).devices.at(0).l1.bytes;
    const Tensor unused = make();
    const json with_unused = capture_one();
    const analysis::PeakAnswer peak = analysis::find_peak(analysis::load_node_list(path_).value());
    EXPECT_FALSE(alone.contains("memory_at_begin"));
    ASSERT_EQ(with_unused.at("memory_at_begin").size(), 1U);
    EXPECT_EQ(with_unused["memory_at_begin"][0]["address"], unused.buffer().address());
    EXPECT_EQ(with_unused["graph"].size(), alone["graph"].size());
    const std::uint64_t tile = 32ULL * 32 * 2;
    EXPECT_EQ(peak_alone, tile);
    EXPECT_EQ(peak.devices.at(0).l1.bytes, 2 * tile);
    EXPECT_EQ(peak.devices.at(0).window_only_l1_bytes, tile);
    const analysis::NodeList in_process = [&] {
        graph::ScopedGraphCapture window(graph::RunMode::NORMAL);
        (void)make();
        return analysis::node_list_of(window.end_capture());
    }();
    EXPECT_EQ(analysis::find_peak(in_process).devices.at(0).l1.bytes, 2 * tile);
}

TEST_P(ReportedPages, given_a_failure_then_the_report_has_the_memory_map_of_that_moment) {
    GraphProcessor::disable_buffer_pages();
    const Tensor before =
        empty(Shape({1, 1, 64, 64}), DataType::BFLOAT16, Layout::TILE, device_, L1_MEMORY_CONFIG);
    const json report = report_of([&] {
        const Tensor inside =
            empty(Shape({1, 1, 64, 64}), DataType::BFLOAT16, Layout::TILE, device_, L1_MEMORY_CONFIG);
        EXPECT_THROW(empty(Shape({1, 1, 1U << 15, 1U << 15}), DataType::BFLOAT16, Layout::TILE, device_,
                           L1_MEMORY_CONFIG),
                     OutOfMemoryError);
    });
    ASSERT_EQ(report["memory_at_failure"].size(), 1U);
    const std::size_t counter = std::stoul(report["memory_at_failure"].begin().key());
    EXPECT_EQ(report["graph"][counter]["node_type"], "error");
    const json& live = report["memory_at_failure"].begin().value();
    ASSERT_EQ(live.size(), 2U);
    EXPECT_EQ(live[0]["address"], before.buffer().address());
    EXPECT_FALSE(report.contains("per_operation_buffers"));
}

// Whatever the writer writes, the reader knows: the keys are all that it has (report_writer.hpp).
TEST_P(ReportedPages, given_every_section_then_none_is_unknown_to_the_reader) {
    struct Unknown final : ReportHandler {
        Status on_unknown_section(std::string_view key) override {
            keys.emplace_back(key);
            return {};
        }
        std::vector<std::string> keys;
    };
    const Tensor before = empty(Shape({1, 1, 64, 64}), DataType::BFLOAT16, Layout::TILE, device_);
    std::optional<Tensor> kept;
    const json report = report_of([&] {
        kept = empty(Shape({1, 1, 32, 64}), DataType::BFLOAT16, Layout::TILE, device_, L1_MEMORY_CONFIG);
        EXPECT_THROW(empty(Shape({1, 1, 1U << 15, 1U << 15}), DataType::BFLOAT16, Layout::TILE, device_,
                           L1_MEMORY_CONFIG),
                     OutOfMemoryError);
    });
    std::vector<std::string> keys;
    for (const auto& [key, value] : report.items())
        keys.push_back(key);
    EXPECT_EQ(keys, (std::vector<std::string>{"buffer_pages", "buffer_pages_by_address", "cluster_descriptor",
                                              "devices", "graph", "memory_at_begin", "memory_at_failure",
                                              "metadata", "per_operation_buffers", "version"}));
    Unknown unknown;
    const Status read = read_report(path_, unknown);
    ASSERT_TRUE(read.ok()) << read.error().message();
    EXPECT_EQ(unknown.keys, std::vector<std::string>());
}

INSTANTIATE_TEST_SUITE_P(Boards, ReportedPages, testing::Values("n150", "p150"),
                         [](const auto& board) { return std::string(board.param); });

// ---- Whole reports: each recorded buffer's pages again, from what the report says of the buffer ----

std::optional<TensorSpec> spec_of(const json& tensor) {
    const std::map<std::string, DataType> dtypes = {
        {"DataType::BFLOAT16", DataType::BFLOAT16}, {"DataType::FLOAT32", DataType::FLOAT32},
        {"DataType::UINT32", DataType::UINT32},     {"DataType::UINT16", DataType::UINT16},
        {"DataType::INT32", DataType::INT32},       {"DataType::BFLOAT8_B", DataType::BFLOAT8_B}};
    const std::string config = tensor.value("memory_config", "");
    const auto shards = test::matches(
        config,
        "memory_layout=TensorMemoryLayout::([A-Z_]+),.*shard_spec=ShardSpec\\{grid=\\[([^]]*)\\], "
        "shape=\\[([0-9]+), ([0-9]+)\\], orientation=ShardOrientation::([A-Z_]+)\\}");
    if (shards.empty()) return std::nullopt;
    const std::vector<std::string>& found = shards.front();
    json ranges = json::array();
    for (const auto& each :
         test::matches(found[2], R"re("x":([0-9]+),"y":([0-9]+)\},"end":\{"x":([0-9]+),"y":([0-9]+)\})re"))
        ranges.push_back({std::stoi(each[1]), std::stoi(each[2]), std::stoi(each[3]), std::stoi(each[4])});
    const std::string shape = tensor["shape"];
    return TensorSpec{
        shape_of(json::parse(shape.substr(shape.find('['), shape.find(']') - shape.find('[') + 1))),
        dtypes.at(tensor["dtype"]), tensor["layout"] == "Layout::TILE" ? Layout::TILE : Layout::ROW_MAJOR,
        config_of({{"layout", found[1]},
                   {"grid", ranges},
                   {"shape", {std::stoi(found[3]), std::stoi(found[4])}},
                   {"orientation", found[5]}})};
}

/// The placement of a buffer that no tensor owns (the tables of convolutions): as many cores as it says,
/// along rows from the first.
record::PlacementId placement_of_table(const json& params, CoreCoord device_grid) {
    record::ShardPlacement placement;
    const std::uint64_t pages =
        params["size"].get<std::uint64_t>() / params["page_size"].get<std::uint64_t>();
    const std::uint64_t cores = params["num_cores"];
    placement.page_rows = pages;
    placement.page_columns = 1;
    placement.shard_page_rows = (pages + cores - 1) / cores;
    placement.shard_page_columns = 1;
    placement.shards_per_row = 1;
    for (std::uint64_t i = 0; i < cores; ++i)
        placement.cores.push_back(
            {static_cast<std::uint16_t>(i % device_grid.x), static_cast<std::uint16_t>(i / device_grid.x)});
    return record::intern(placement);
}

record::Event event_of(const json& params, record::PlacementId placement) {
    const std::map<std::string, std::uint64_t> layouts = {
        {"INTERLEAVED", 0}, {"HEIGHT_SHARDED", 2}, {"WIDTH_SHARDED", 3}, {"BLOCK_SHARDED", 4}};
    record::Event event{};
    event.kind = record::EventKind::kBufferAllocate;
    event.memory = static_cast<record::MemoryType>(params["buffer_type"].get<int>());
    event.correlation = static_cast<std::uint32_t>(placement);
    event.payload.buffer = {params["address"], params["size"], params["max_size_per_bank"],
                            params["page_size"].get<std::uint64_t>() << 8 | layouts.at(params["layout"])};
    return event;
}

json pages_of(const record::Event& event, const json& params, const L1Banks& banks) {
    json pages = json::array();
    for_each_page(event, banks, [&](const PagePlace& page) {
        pages.push_back({{"address", params["address"]},
                         {"bank_id", page.bank_id},
                         {"buffer_type", params["buffer_type"]},
                         {"core_x", page.core.x},
                         {"core_y", page.core.y},
                         {"device_id", params["device_id"]},
                         {"page_address", page.page_address},
                         {"page_index", page.page_index},
                         {"page_size", params["page_size"]}});
    });
    return pages;
}

/// The number of buffers compared.
std::size_t compare_report(const fs::path& path) {
    const json report = load(path);
    const json& graph = report["graph"];
    const json& device = report["devices"].at(0);
    const CoreCoord grid{device["num_x_compute_cores"], device["num_y_compute_cores"]};
    const L1Banks banks(grid.x, grid.y);
    std::size_t compared = 0;
    for (const auto& [address, snapshots] : report["buffer_pages_by_address"].items()) {
        for (const json& snapshot : snapshots) {
            const json& allocate = graph[snapshot["alloc_counter"].get<std::size_t>()];
            const json& params = allocate["params"];
            record::PlacementId placement = record::PlacementId::kNone;
            if (params["layout"] != "INTERLEAVED") {
                std::optional<TensorSpec> spec;
                const json& buffer = graph[allocate["connections"][0].get<std::size_t>()];
                for (const json& each : buffer["connections"])
                    if (!spec) spec = spec_of(graph[each.get<std::size_t>()]["params"]);
                placement = spec ? record_placement(*spec) : placement_of_table(params, grid);
            }
            const record::Event event = event_of(params, placement);
            EXPECT_TRUE(has_pages(event));
            EXPECT_EQ(pages_of(event, params, banks), snapshot["pages"])
                << path << ", node " << allocate["counter"];
            ++compared;
        }
    }
    return compared;
}

TEST(PagesOfReports, given_what_a_report_says_of_a_buffer_then_its_pages_are_those_in_the_report) {
    EXPECT_EQ(compare_report(fs::path(test::data_folder()) / "reports/add_pages.n150.NORMAL/report.json"),
              3U);
}

TEST(PagesOfReports, given_larger_reports_then_the_pages_of_their_buffers_are_those_in_the_reports) {
    const fs::path shared = fs::path(test::shared_folder()) / "reports";
    if (!fs::exists(shared)) GTEST_SKIP() << "the shared reports are not at hand";
    const std::map<std::string, std::size_t> buffers = {{"add_pages.n150.NORMAL", 3},
                                                        {"decoder2_pages.n150.NORMAL", 11},
                                                        {"mesh_mlp_pages.n300.NORMAL", 5},
                                                        {"resnet_block_pages.n150.NORMAL", 35}};
    for (const auto& [name, count] : buffers)
        EXPECT_GE(compare_report(shared / name / "report.json"), count) << name;
}

// ---- A naive placement: shards are filled one page at a time, banks one after the other ----

TEST(NaivePages, given_any_shards_then_each_page_lies_where_counting_puts_it) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        record::ShardPlacement placement;
        placement.page_rows = test::in_range<std::uint64_t>(1, 40);
        placement.page_columns = test::in_range<std::uint64_t>(1, 40);
        placement.shard_page_rows = test::in_range<std::uint64_t>(1, 12);
        placement.shard_page_columns = test::in_range<std::uint64_t>(1, 12);
        const auto up = [](std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; };
        const std::uint64_t rows = up(placement.page_rows, placement.shard_page_rows);
        const std::uint64_t columns = up(placement.page_columns, placement.shard_page_columns);
        placement.shards_per_row = columns + test::in_range<std::uint64_t>(0, 3);
        const L1Banks banks(44, 44);
        for (std::uint64_t i = 0; i < rows * placement.shards_per_row; ++i)
            placement.cores.push_back(
                {static_cast<std::uint16_t>(i % 44), static_cast<std::uint16_t>(i / 44)});
        const std::uint64_t aligned = 16 * test::in_range<std::uint64_t>(1, 200);
        record::Event event{};
        event.memory = record::MemoryType::kL1;
        event.correlation = static_cast<std::uint32_t>(record::intern(placement));
        event.payload.buffer = {4096, placement.page_rows * placement.page_columns * (aligned - 3),
                                placement.shard_page_rows * placement.shard_page_columns * aligned,
                                (aligned - 3) << 8 | 2};
        PROPERTY_ASSERT(has_pages(event));
        // page -> (core, address), one page at a time.
        std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> naive;
        for (std::uint64_t row = 0; row < placement.page_rows; ++row) {
            for (std::uint64_t column = 0; column < placement.page_columns; ++column) {
                const std::uint64_t core = row / placement.shard_page_rows * placement.shards_per_row +
                                           column / placement.shard_page_columns;
                const std::uint64_t place = row % placement.shard_page_rows * placement.shard_page_columns +
                                            column % placement.shard_page_columns;
                naive[row * placement.page_columns + column] = {core, 4096 + place * aligned};
            }
        }
        std::size_t count = 0;
        for_each_page(event, banks, [&](const PagePlace& page) {
            const auto& [core, address] = naive.at(page.page_index);
            PROPERTY_ASSERT(page.core == placement.cores[core]);
            PROPERTY_ASSERT(page.page_address == address);
            PROPERTY_ASSERT(banks.core_of(page.bank_id) == page.core);
            ++count;
        });
        PROPERTY_ASSERT(count == naive.size());
    }));
}

TEST(NaivePages, given_any_interleaved_buffer_then_pages_go_round_the_banks) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        const L1Banks banks(test::in_range<std::uint64_t>(1, 14), test::in_range<std::uint64_t>(1, 11));
        const std::uint64_t pages = test::in_range<std::uint64_t>(0, 1000);
        const std::uint64_t aligned = 16 * test::in_range<std::uint64_t>(1, 200);
        record::Event event{};
        event.memory = record::MemoryType::kL1Small;
        event.payload.buffer = {1000, pages * aligned, (pages + banks.count() - 1) / banks.count() * aligned,
                                aligned << 8};
        std::vector<std::uint64_t> filled(banks.count(), 0);
        std::uint64_t bank = 0;
        std::uint64_t expected = 0;
        for_each_page(event, banks, [&](const PagePlace& page) {
            PROPERTY_ASSERT(page.page_index == expected++);
            PROPERTY_ASSERT(page.core == banks.core_of(bank));
            PROPERTY_ASSERT(page.page_address == 1000 + filled[bank]++ * aligned);
            bank = (bank + 1) % banks.count();
            PROPERTY_ASSERT(page.bank_id == bank);  // one more than the bank, as TT-NN writes it
        });
        PROPERTY_ASSERT(expected == pages);
    }));
}

TEST(NaivePages, given_what_cannot_be_then_there_are_no_pages) {
    record::Event event{};
    event.memory = record::MemoryType::kDram;
    EXPECT_FALSE(has_pages(event));
    event.memory = record::MemoryType::kL1;
    event.payload.buffer = {0, 100, 100, 10 << 8 | 2};
    EXPECT_FALSE(has_pages(event)) << "sharded without a placement";
    record::ShardPlacement broken{{{0, 0}}, 10, 10, 1, 1, 10};
    event.correlation = static_cast<std::uint32_t>(record::intern(broken));
    EXPECT_FALSE(has_pages(event)) << "more shards than cores";
    record::ShardPlacement huge{{{0, 0}}, 1ULL << 40, 1ULL << 40, 1ULL << 40, 1ULL << 40, 1};
    event.correlation = static_cast<std::uint32_t>(record::intern(huge));
    EXPECT_FALSE(has_pages(event)) << "more pages than bytes";

    event.payload.buffer = {0, 1ULL << 60, 100, 1 << 8};
    for_each_page(event, L1Banks(8, 8), [](const PagePlace&) { FAIL() << "more pages than bytes"; });
    EXPECT_EQ(L1Banks(1ULL << 40, 1ULL << 40).count(), 0U) << "no grid";
}

}  // namespace
}  // namespace tilemeter::report
