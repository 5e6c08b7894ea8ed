// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/database_summary.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/paths.hpp"
#include "tests/visualizer_import/imported.hpp"

namespace tilemeter::visualizer_import {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

bool any_has(const Lines& lines, std::string_view part) {
    return std::ranges::any_of(lines, [&](const std::string& line) { return line.find(part) != line.npos; });
}

ContentSummary summary_of(const fs::path& path) {
    const auto summary = is_database(path) ? summarize_database(path) : summarize_report(path);
    EXPECT_TRUE(summary.ok()) << summary.error().message();
    return summary.ok() ? summary.value() : ContentSummary{};
}

// The counts that plain SQL gives, of the report and of its database alike.
TEST(Summary, counts_what_is_there) {
    const ScratchFolder scratch;
    for (const std::string name :
         {"add_pages.n150.NORMAL", "error_oom.n150.NORMAL", "mesh_mlp.n300.NO_DISPATCH"})
        for (const bool materialize : {false, true}) {
            ImportOptions options;
            options.materialize = materialize;
            const fs::path report = reports_folder() / name / "report.json";
            ASSERT_TRUE(import_reports(report, scratch.path() / "out", options).ok());
            const fs::path database = scratch.path() / "out/db.sqlite";
            const ContentSummary of_database = summary_of(database);
            for (const char* table :
                 {"operations", "tensors", "devices", "edges", "errors", "program_memory"})
                EXPECT_EQ(Lines{std::to_string(of_database.counts.at(table))},
                          rows_of(database, std::string("SELECT count(*) FROM ") + table))
                    << name << " " << table;
            EXPECT_EQ(of_database.ranks, std::vector<std::int64_t>{0});
            EXPECT_GT(of_database.peak_l1_bytes_per_core, 0) << name;
            const ContentSummary of_report = summary_of(report);
            EXPECT_EQ(of_report.counts.at("operations"), of_database.counts.at("operations"));
            EXPECT_EQ(of_report.peak_l1_bytes_per_core, of_database.peak_l1_bytes_per_core);
            EXPECT_EQ(of_report.peak_operation, of_database.peak_operation);
            EXPECT_EQ(of_report.suspicious, of_database.suspicious);
            EXPECT_EQ(of_report.errors, of_database.errors);
        }
}

TEST(Summary, tells_errors_in_one_line_each) {
    const ContentSummary summary = summary_of(reports_folder() / "error_oom.n150.NORMAL" / "report.json");
    ASSERT_FALSE(summary.errors.empty());
    for (const std::string& line : summary.errors)
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    EXPECT_TRUE(any_has(summary.errors, "Out of Memory")) << testing::PrintToString(summary.errors);
}

TEST(Summary, tells_what_is_suspicious) {
    const ScratchFolder scratch;
    const auto suspicious = [&](const std::string& nodes, const std::string& more = "") {
        return summary_of(scratch.write("report.json", report_of(nodes, more))).suspicious;
    };
    const std::string begin = R"({"counter": 0, "node_type": "function_start", "params": {"name": "f"}})";
    const std::string end = R"({"counter": 9, "node_type": "function_end", "params": {"name": "f"}})";
    EXPECT_TRUE(any_has(suspicious(""), "0 operations recorded"));
    EXPECT_TRUE(any_has(suspicious(begin + "," + end), "0 device events recorded"));
    EXPECT_TRUE(any_has(suspicious(begin), "1 operations that never ended"));
    EXPECT_TRUE(any_has(suspicious(end), "1 function ends without a start"));
    EXPECT_TRUE(any_has(suspicious(begin + R"(,{"counter": 1, "node_type": "of_tomorrow"},)" + end),
                        "1 nodes of types"));
    EXPECT_TRUE(any_has(suspicious(begin + "," + end, R"("of_tomorrow": 1, )"), "1 sections"));
    const std::string execution =
        begin + R"(,{"counter": 1, "node_type": "program_execution", "params": {"device_id": 0}},)" + end;
    EXPECT_TRUE(any_has(suspicious(execution), "1 executions that show no program memory"));
    EXPECT_FALSE(any_has(suspicious(execution), "0 device events recorded"));
}

TEST(Summary, takes_a_list_of_nodes) {
    const ScratchFolder scratch;
    const std::string nodes = R"( [{"counter": 0, "node_type": "function_start", "params": {"name": "f"}},
                                   {"counter": 1, "node_type": "function_end", "params": {"name": "f"}}])";
    const fs::path list = scratch.write("list.json", nodes);
    EXPECT_TRUE(is_node_list(list));
    EXPECT_FALSE(is_node_list(reports_folder() / "add.n150.NORMAL" / "report.json"));
    const ContentSummary summary = summary_of(list);
    EXPECT_EQ(summary.counts.at("operations"), 1);
    EXPECT_EQ(summary.counts.at("nodes"), 2);
    EXPECT_EQ(summary.files, std::vector{list});
    const auto broken = summarize_report(scratch.write("broken.json", R"([{"counter": "x"}])"));
    ASSERT_FALSE(broken.ok());
    EXPECT_TRUE(broken.error().message().starts_with((scratch.path() / "broken.json").string()));
}

// The figure is that of the importer's spans; the same from each operation's rows.
TEST(Summary, tells_the_peak_of_dram_between_operations) {
    const ScratchFolder scratch;
    for (const std::string name :
         {"add_pages.n150.NORMAL", "error_retry.n150.NORMAL", "mesh_mlp.n300.NO_DISPATCH"}) {
        ASSERT_TRUE(import_reports(reports_folder() / name / "report.json", scratch.path(), {}).ok());
        const fs::path database = scratch.path() / "db.sqlite";
        const ContentSummary summary = summary_of(database);
        EXPECT_EQ(
            Lines{std::to_string(summary.peak_dram_bytes_per_bank.value_or(-1))},
            rows_of(database,
                    "SELECT ifnull(max(total), 0) FROM (SELECT sum(max_size_per_bank) AS total FROM buffers "
                    "WHERE buffer_type = 0 GROUP BY operation_id, device_id, rank)"))
            << name;
        EXPECT_EQ(summary.l1_bank_bytes, 1393312);
    }
}

TEST(Summary, of_a_folder_names_its_reports_and_what_was_left_out) {
    const ScratchFolder scratch;
    const fs::path report = scratch.write("in/a.json", report_of(""));
    scratch.write("in/b.json", "[1]");
    const ContentSummary summary = summary_of(scratch.path() / "in");
    EXPECT_EQ(summary.files, std::vector{report});
    EXPECT_TRUE(any_has(summary.suspicious, "b.json: no graph report, but an array"));
}

// A database that another importer made lacks what is beside the schema.
TEST(Summary, of_a_database_of_the_reference) {
    const ScratchFolder scratch;
    const fs::path database = scratch.path() / "db.sqlite";
    make_database(database, test::text_of(reports_folder() / "add.n150.NORMAL" / "reference.sql"));
    const ContentSummary summary = summary_of(database);
    EXPECT_EQ(Lines{std::to_string(summary.counts.at("operations"))},
              rows_of(database, "SELECT count(*) FROM operations"));
    EXPECT_FALSE(summary.counts.contains("program_memory"));
}

TEST(Summary, what_is_no_database_of_the_viewer_is_refused) {
    const ScratchFolder scratch;
    const fs::path other = scratch.path() / "other.sqlite";
    make_database(other, "CREATE TABLE t (a)");
    ASSERT_TRUE(is_database(other));
    EXPECT_FALSE(summarize_database(other).ok());
    EXPECT_FALSE(summarize_report(scratch.path() / "nothing.json").ok());
    EXPECT_FALSE(is_database(scratch.path() / "nothing.json"));
}

}  // namespace
}  // namespace tilemeter::visualizer_import
