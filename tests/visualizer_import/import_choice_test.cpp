// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The files that an import takes: reports of our version, of a folder those only; and which database it replaces.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/paths.hpp"
#include "tests/visualizer_import/imported.hpp"

namespace tilemeter::visualizer_import {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

// A report of one operation, its version as given; "" for none.
std::string report_of_version(const std::string& version, const std::string& name = "op") {
    const std::string nodes = R"({"counter": 0, "node_type": "function_start", "params": {"name": ")" + name +
                              R"("}}, {"counter": 1, "node_type": "function_end", "params": {"name": ")" +
                              name + R"("}})";
    return R"({"graph": [)" + nodes + R"(], "metadata": {"rank": 0})" +
           (version.empty() ? "" : R"(, "version": )" + version) + "}";
}

class ImportChoice : public testing::Test {
protected:
    // The names of the operations, or the error.
    Lines imported(const fs::path& what, bool quirks = false, bool force = false) {
        warnings_.clear();
        ImportOptions options;
        options.reference_quirks = quirks;
        options.force = force;
        options.on_warning = [this](const std::string& warning) { warnings_.push_back(warning); };
        const auto done = import_reports(what, out_, options);
        if (!done.ok()) return {done.error().message()};
        EXPECT_EQ(done.value().skipped, warnings_);
        replaced_ = done.value().replaced;
        return rows_of(out_ / "db.sqlite", "SELECT name FROM operations ORDER BY operation_id");
    }
    [[nodiscard]] std::string at(const std::string& name) const { return (in_ / name).string(); }

    ScratchFolder scratch_;
    fs::path in_ = scratch_.path() / "in";
    fs::path out_ = scratch_.path() / "out";
    Lines warnings_;
    bool replaced_ = false;
};

TEST_F(ImportChoice, another_version_is_refused_in_one_line) {
    for (const auto& [version, found] : std::vector<std::pair<std::string, std::string>>{
             {"2", "2"}, {"0", "0"}, {"1.5", "1.5"}, {"\"2\"", "2"}, {"null", "null"}, {"true", "True"}}) {
        scratch_.write("in/a.json", report_of_version(version));
        EXPECT_EQ(imported(in_ / "a.json"), Lines{at("a.json") + ": version: expected 1, found " + found});
        EXPECT_EQ(imported(in_), Lines{at("a.json") + ": version: expected 1, found " + found});
        EXPECT_EQ(warnings_, Lines());
        EXPECT_FALSE(fs::exists(out_));
    }
    for (const std::string version : {"1", "1.0", "1e0", "\"1\"", ""}) {
        scratch_.write("in/a.json", report_of_version(version));
        EXPECT_EQ(imported(in_ / "a.json"), Lines{"op"}) << version;
    }
}

// In the words of TT-NN's importer, which takes no more of it.
TEST_F(ImportChoice, with_the_references_quirks_another_version_is_left_out_with_its_warning) {
    scratch_.write("in/a.json", report_of_version("1", "kept"));
    for (const auto& [version, found] :
         std::vector<std::pair<std::string, std::string>>{{"2", "2"},
                                                          {"1.5", "1.5"},
                                                          {"\"1\"", "1"},
                                                          {"", "0"},
                                                          {"null", "None"},
                                                          {"{\"a\": 1}", "{'a': 1}"}}) {
        scratch_.write("in/b.json", report_of_version(version, "other"));
        EXPECT_EQ(imported(in_, true), Lines{"kept"});
        EXPECT_EQ(warnings_, Lines{at("b.json") + " has version " + found + ", expected 1"});
    }
    for (const std::string version : {"1.0", "true"}) {
        scratch_.write("in/b.json", report_of_version(version, "other"));
        EXPECT_EQ(imported(in_, true), (Lines{"kept", "other"})) << version;
        EXPECT_EQ(warnings_, Lines());
    }
}

// A database of nothing is what the reference makes; but of a number that is not 1 nobody takes it for done.
TEST_F(ImportChoice, with_the_references_quirks_nothing_but_another_version) {
    scratch_.write("in/a.json", report_of_version(""));
    EXPECT_EQ(imported(in_ / "a.json", true), Lines());
    EXPECT_EQ(rows_of(out_ / "db.sqlite", "SELECT key FROM report_metadata"), Lines{"schema_version"});
    fs::remove_all(out_);
    scratch_.write("in/a.json", report_of_version("2"));
    EXPECT_EQ(imported(in_ / "a.json", true), Lines{at("a.json") + ": version: expected 1, found 2"});
    EXPECT_EQ(warnings_, Lines{at("a.json") + " has version 2, expected 1"});
    EXPECT_FALSE(fs::exists(out_));
}

// The contents of a report of another version are not looked at.
TEST_F(ImportChoice, another_version_is_told_before_what_it_holds) {
    const std::string strange = R"({"graph": [{"counter": "x", "connections": 3}], "version": 2})";
    scratch_.write("in/b.json", strange);
    EXPECT_EQ(imported(in_ / "b.json"), Lines{at("b.json") + ": version: expected 1, found 2"});
    scratch_.write("in/a.json", report_of_version("1"));
    EXPECT_EQ(imported(in_, true), Lines{"op"});
    EXPECT_EQ(warnings_, Lines{at("b.json") + " has version 2, expected 1"});
}

TEST_F(ImportChoice, json_of_a_folder_that_is_no_report_is_left_out_with_a_warning) {
    scratch_.write("in/budget.json", R"({"max_l1": 1048576})");
    scratch_.write("in/package.json", R"({"name": "n", "version": "1.2.3"})");
    scratch_.write("in/list.json", "[1, 2]");
    scratch_.write("in/report.json", report_of_version("1"));
    EXPECT_EQ(imported(in_), Lines{"op"});
    EXPECT_EQ(warnings_, (Lines{at("budget.json") + ": no graph report, but an object with max_l1",
                                at("list.json") + ": no graph report, but an array",
                                at("package.json") + ": no graph report, but an object with name, version"}));
    EXPECT_EQ(rows_of(out_ / "db.sqlite", "SELECT count(*) FROM errors"), Lines{"0"});
    // TT-NN's fails on the first of them.
    EXPECT_EQ(imported(in_, true),
              Lines{at("budget.json") + ": expected a graph report, found an object with max_l1"});
}

TEST_F(ImportChoice, a_file_that_is_named_must_be_a_report) {
    scratch_.write("in/package.json", R"({"name": "n", "version": "1.2.3"})");
    for (const bool quirks : {false, true})
        EXPECT_EQ(
            imported(in_ / "package.json", quirks),
            Lines{at("package.json") + ": expected a graph report, found an object with name, version"});
    EXPECT_EQ(warnings_, Lines());
    EXPECT_FALSE(fs::exists(out_));
}

TEST_F(ImportChoice, a_folder_of_nothing_but_other_files_is_an_error) {
    scratch_.write("in/budget.json", R"({"max_l1": 1048576})");
    EXPECT_EQ(imported(in_),
              Lines{at("budget.json") + ": expected at least one report that can be imported, " +
                    "found none; the first: " + at("budget.json") +
                    ": no graph report, but an object with max_l1"});
    EXPECT_FALSE(fs::exists(out_));
}

TEST_F(ImportChoice, a_broken_report_stays_an_error) {
    scratch_.write("in/a.json", report_of_version("1"));
    for (const std::string broken : {R"({"graph": [)", "{", "", R"({"graph": [{"counter": "x"}]})"}) {
        scratch_.write("in/b.json", broken);
        const Lines error = imported(in_);
        ASSERT_EQ(error.size(), 1U);
        EXPECT_TRUE(error[0].starts_with(at("b.json") + ": ")) << error[0];
        EXPECT_FALSE(fs::exists(out_));
    }
}

TEST_F(ImportChoice, a_database_of_an_importer_is_replaced) {
    EXPECT_FALSE(imported(report_path("add")).empty());
    EXPECT_FALSE(replaced_);
    scratch_.write("in/a.json", report_of_version("1"));
    EXPECT_EQ(imported(in_), Lines{"op"});
    EXPECT_TRUE(replaced_);
    fs::remove(out_ / "db.sqlite");
    make_database(out_ / "db.sqlite",
                  test::text_of(report_path("add").parent_path() / "reference.sql"));  // TT-NN's
    EXPECT_EQ(imported(in_), Lines{"op"});
    EXPECT_TRUE(replaced_);
    scratch_.write("out/db.sqlite", "");  // nothing in it to lose
    EXPECT_EQ(imported(in_), Lines{"op"});
}

TEST_F(ImportChoice, another_file_of_the_databases_name_is_not_replaced_unless_forced) {
    const fs::path database = out_ / "db.sqlite";
    scratch_.write("in/a.json", report_of_version("1"));
    scratch_.write("out/thesis.txt", "mine");
    const std::string wanted =
        database.string() +
        ": expected a database that an importer made, which would be replaced (or --force), ";
    const auto refused = [&](const std::string& found) {
        const std::string before = test::text_of(database);
        EXPECT_EQ(imported(in_), Lines{wanted + "found " + found});
        EXPECT_EQ(test::text_of(database), before);
    };
    scratch_.write("out/db.sqlite", "a year of work");
    refused("a file that is no SQLite database");
    fs::remove(database);
    make_database(database, "CREATE TABLE operations (id); CREATE TABLE mine (a)");
    refused("a database without the table tensors");
    scratch_.write("out/db.sqlite", std::string("SQLite format 3\0 and then nothing of it", 40));
    EXPECT_TRUE(imported(in_)[0].starts_with(wanted));
    EXPECT_EQ(imported(in_, false, true), Lines{"op"});
    EXPECT_TRUE(replaced_);
    scratch_.write("out/db.sqlite", "a year of work");
    EXPECT_EQ(imported(in_, true), Lines{"op"});  // TT-NN's importer deletes it
    EXPECT_EQ(test::text_of(out_ / "thesis.txt"), "mine");
}

TEST_F(ImportChoice, the_report_itself_is_never_replaced) {
    const fs::path report = scratch_.write("in/a.json", report_of_version("1"));
    ImportOptions options;
    options.db_name = "a.json";
    for (const bool force : {false, true}) {
        options.force = options.reference_quirks = force;
        const auto done = import_reports(report, in_, options);
        ASSERT_FALSE(done.ok());
        EXPECT_EQ(done.error().message(),
                  report.string() + ": expected a file to write that is no input, found the input itself");
    }
    options.db_name = ".";
    EXPECT_EQ(import_reports(report, in_, options).error().expected, "a name for the database");
    EXPECT_EQ(test::text_of(report), report_of_version("1"));
}

}  // namespace
}  // namespace tilemeter::visualizer_import
