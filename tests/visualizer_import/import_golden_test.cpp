// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/paths.hpp"
#include "tests/visualizer_import/imported.hpp"

namespace tilemeter::visualizer_import {
namespace {

namespace fs = std::filesystem;

// Every table of the reference against ours: rows that only one of them has, with how often. Texts, those of
// graphs too, are the same to the byte.
void expect_equal_rows(const fs::path& reference, const fs::path& database) {
    const std::string attach = "ATTACH '" + database.string() + "' AS ours; ";
    for (const std::string& table :
         rows_of(reference, "SELECT name FROM sqlite_master WHERE type = 'table'")) {
        std::string columns;
        for (const std::string& column :
             rows_of(reference, "SELECT name FROM pragma_table_info('" + table + "')"))
            columns += (columns.empty() ? "" : ", ") + column;
        const auto counted = [&](const std::string& schema) {
            return "SELECT " + columns + ", count(*) FROM " + schema + "." + table + " GROUP BY " + columns;
        };
        EXPECT_EQ(rows_of(reference, attach + counted("main") + " EXCEPT " + counted("ours")),
                  std::vector<std::string>())
            << table << ": only the reference has these";
        EXPECT_EQ(rows_of(reference, attach + counted("ours") + " EXCEPT " + counted("main")),
                  std::vector<std::string>())
            << table << ": only we have these";
    }
}

class RealReport : public testing::TestWithParam<std::string> {};

TEST_P(RealReport, imports_to_the_rows_of_the_reference_with_its_quirks) {
    const ScratchFolder scratch;
    const fs::path reference = scratch.path() / "reference.sqlite";
    make_database(reference, test::text_of(reports_folder() / GetParam() / "reference.sql"));
    for (const bool materialize : {false, true}) {
        ImportOptions options;
        options.reference_quirks = true;
        options.materialize = materialize;
        const auto imported =
            import_reports(reports_folder() / GetParam() / "report.json", scratch.path() / "out", options);
        ASSERT_TRUE(imported.ok()) << imported.error().message();
        expect_equal_rows(reference, scratch.path() / "out" / "db.sqlite");
    }
}

TEST_P(RealReport, imports_again_to_the_same_bytes) {
    const ScratchFolder scratch;
    ASSERT_TRUE(import_reports(reports_folder() / GetParam() / "report.json", scratch.path(), {}).ok());
    const std::string first = test::text_of(scratch.path() / "db.sqlite");
    ASSERT_TRUE(import_reports(reports_folder() / GetParam() / "report.json", scratch.path(), {}).ok());
    EXPECT_TRUE(first == test::text_of(scratch.path() / "db.sqlite"));
}

TEST_P(RealReport, has_layouts_sizes_and_graphs_that_the_viewer_can_show) {
    const ScratchFolder scratch;
    ASSERT_TRUE(import_reports(reports_folder() / GetParam() / "report.json", scratch.path(), {}).ok());
    const fs::path database = scratch.path() / "db.sqlite";
    EXPECT_EQ(rows_of(database, "SELECT count(*) FROM buffers WHERE buffer_layout NOT IN (0, 2, 3, 4)"),
              std::vector<std::string>{"0"});
    EXPECT_EQ(
        rows_of(database, "SELECT count(*) FROM tensors WHERE storage_type = 'DEVICE' AND size IS NULL"),
        std::vector<std::string>{"0"});
    EXPECT_EQ(rows_of(database, "SELECT count(*) FROM captured_graph WHERE NOT json_valid(captured_graph)"),
              std::vector<std::string>{"0"});
    EXPECT_EQ(rows_of(database, "PRAGMA integrity_check"), std::vector<std::string>{"ok"});
}

std::vector<std::string> report_names() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(reports_folder()))
        if (entry.is_directory()) names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Corpus, RealReport, testing::ValuesIn(report_names()), [](const auto& parameter) {
    std::string name = parameter.param;
    for (char& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    return name;
});

// Real reports that were damaged, and what TT-NN's importer made of them: functions whose start or end is
// missing, ends in another order. One folder, so that the reports follow each other as files of one rank.
TEST(UnpairedEnds, import_to_the_rows_of_the_reference_with_its_quirks) {
    const fs::path data = fs::path(test::data_folder()) / "unpaired_ends";
    const ScratchFolder scratch;
    const fs::path reference = scratch.path() / "reference.sqlite";
    make_database(reference, test::text_of(data / "reference.sql"));
    ImportOptions options;
    options.reference_quirks = true;
    const auto imported = import_reports(data / "reports", scratch.path() / "out", options);
    ASSERT_TRUE(imported.ok()) << imported.error().message();
    EXPECT_EQ(imported.value().imported.size(), 10);
    expect_equal_rows(reference, scratch.path() / "out" / "db.sqlite");
}

TEST(Conformance, passes_the_shared_check_of_importers) {
    const fs::path shared = test::shared_folder();
    if (!fs::exists(shared / "import_check.py")) GTEST_SKIP() << "no shared conformance data at " << shared;
    const ScratchFolder scratch;
    const fs::path log = scratch.path() / "log";
    const auto word = [](const fs::path& path) { return test::shell_word(path.string()); };
    // The check splits the importer's command as a shell does.
    const std::string importer =
        word(fs::path(test::program_folder()) / "graph_report") + " --reference-quirks {input} {output}";
    const std::string command = "python3 " + word(shared / "import_check.py") + " --importer " +
                                test::shell_word(importer) + " --reports " + word(shared / "reports") +
                                " --cases " + word(shared / "facts/import-cases") + " --checks " +
                                word(shared / "facts/importer-checks.json") + " > " + word(log) + " 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << test::text_of(log);
}

}  // namespace
}  // namespace tilemeter::visualizer_import
