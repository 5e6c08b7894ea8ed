// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include <random>
#include <tuple>

#include <gtest/gtest.h>

#include "tests/paths.hpp"
#include "tests/visualizer_import/imported.hpp"

namespace tilemeter::visualizer_import {
namespace {

namespace fs = std::filesystem;

struct Case {
    std::string name;
    std::string report;
    std::string message_part;
};

class HostileReport : public testing::TestWithParam<Case> {};

TEST_P(HostileReport, is_refused_in_one_line_that_says_where) {
    const ScratchFolder scratch;
    const fs::path report = scratch.write("hostile.json", GetParam().report);
    const auto imported = import_reports(report, scratch.path() / "out", {});
    ASSERT_FALSE(imported.ok());
    const std::string message = imported.error().message();
    EXPECT_NE(message.find("hostile.json"), std::string::npos) << message;
    EXPECT_NE(message.find(GetParam().message_part), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
    EXPECT_FALSE(fs::exists(scratch.path() / "out"));
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, HostileReport,
    testing::Values(
        Case{"empty", "", "byte 0"}, Case{"no_object", "[]", "expected a graph report, found an array"},
        Case{"deep",
             report_of(R"({"counter": 0, "node_type": "x", "params": {"a": )" + std::string(3000, '[') +
                       std::string(3000, ']') + "}}"),
             "1024 levels"},
        Case{"huge_number", report_of(R"({"counter": 123456789012345678901234567890, "node_type": "x"})"),
             "byte "},
        Case{"invalid_utf8", report_of("{\"counter\": 0, \"node_type\": \"\xFF\xFE\"}"), "byte "},
        Case{"duplicate_section", R"({"graph": [], "graph": []})", "each key once"},
        Case{"duplicate_key", report_of(R"({"counter": 0, "counter": 1, "node_type": "x"})"),
             "each key once"},
        Case{"text_counter", report_of(R"({"counter": "0", "node_type": "x"})"), "node 0, counter"},
        Case{"node_no_object", report_of("17"), "node 0"},
        Case{"text_connection",
             report_of(R"({"counter": 0, "node_type": "function_start", "params": {"name": "f"}},)"
                       R"({"counter": 1, "node_type": "function_end", "connections": ["2"],)"
                       R"( "params": {"name": "f"}})"),
             "node 1, connections"},
        Case{"bad_address",
             report_of(R"({"counter": 0, "node_type": "buffer_allocate", "params": {"address": "x1"}})"),
             "node 0, params.address"},
        Case{"wrong_version", R"({"graph": [], "metadata": {}, "version": 2})", "version"},
        Case{"trailing", report_of("") + "x", "end of the file"},
        Case{"missing_comma", R"({"graph": [{} {}]})", "byte "},
        Case{"trailing_comma", R"({"graph": [{},]})", "byte "},
        Case{"wrong_bracket", R"({"graph": [{}})", "byte "}),
    [](const auto& parameter) { return parameter.param.name; });

TEST(TruncatedReport, is_refused_wherever_it_ends) {
    const ScratchFolder scratch;
    const std::string text = test::text_of(report_path("add_pages"));
    for (std::size_t size = 0; size < text.size() - 1; size += 997) {
        const fs::path report = scratch.write("cut.json", std::string_view(text).substr(0, size));
        const auto imported = import_reports(report, scratch.path() / "out", {});
        ASSERT_FALSE(imported.ok()) << size;
        ASSERT_NE(imported.error().message().find("byte "), std::string::npos) << imported.error().message();
    }
}

// Either a refusal or a database that is sound: never a crash, whatever a few wrong bytes do.
TEST(MutatedReport, is_refused_or_imported_but_never_breaks_anything) {
    const ScratchFolder scratch;
    const std::string text = test::text_of(report_path("add_pages").parent_path().parent_path() /
                                           "error_oom.n150.NORMAL" / "report.json");
    const std::string tokens = "{}[]\",:0-9eE.\\tfn \x80\xFF";
    std::mt19937 random(1);
    for (int round = 0; round < 150; ++round) {
        std::string mutated = text;
        for (std::size_t change = random() % 3 + 1; change > 0; --change) {
            const std::size_t at = random() % mutated.size();
            if (random() % 4 == 0) {
                mutated.erase(at, random() % 60);
            } else {
                mutated[at] = tokens[random() % tokens.size()];
            }
        }
        const fs::path report = scratch.write("mutated.json", mutated);
        ImportOptions options;
        options.reference_quirks = round % 2 == 0;
        const auto imported = import_reports(report, scratch.path() / "out", options);
        if (!imported.ok()) {
            ASSERT_EQ(imported.error().message().find('\n'), std::string::npos);
            continue;
        }
        const fs::path database = scratch.path() / "out" / "db.sqlite";
        ASSERT_EQ(rows_of(database, "PRAGMA integrity_check"), std::vector<std::string>{"ok"});
        ASSERT_EQ(
            rows_of(database, "SELECT count(*) FROM captured_graph WHERE NOT json_valid(captured_graph)"),
            std::vector<std::string>{"0"});
    }
}

TEST(NewerReport, keeps_node_types_and_fields_that_it_does_not_know) {
    const ScratchFolder scratch;
    const fs::path report = scratch.write(
        "newer.json",
        report_of(R"({"counter": 0, "node_type": "function_start", "params": {"name": "f"}, "shade": 1},
            {"counter": 1, "node_type": "fabric_link_allocate", "connections": [], "params": {"lane": [1.5, 1e30]}},
            {"counter": 2, "node_type": "function_end", "connections": [9], "params": {"name": "f"}})",
                  "\"a_new_section\": {\"x\": [1, 2]}, "));
    const auto imported = import_reports(report, scratch.path() / "out", {});
    ASSERT_TRUE(imported.ok()) << imported.error().message();
    const fs::path database = scratch.path() / "out" / "db.sqlite";
    const std::string graph = rows_of(database, "SELECT captured_graph FROM captured_graph").at(0);
    EXPECT_NE(
        graph.find(
            R"("node_type": "fabric_link_allocate", "connections": [], "params": {"lane": [1.5, 1e+30]})"),
        std::string::npos)
        << graph;
    EXPECT_NE(graph.find(R"("shade": 1)"), std::string::npos);
    EXPECT_EQ(
        rows_of(database, "SELECT key, value FROM import_summary WHERE key LIKE 'unknown%' ORDER BY key"),
        (std::vector<std::string>{"unknown_nodes|1", "unknown_sections|1"}));
}

}  // namespace
}  // namespace tilemeter::visualizer_import
