// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// `tilemeter check` and `tilemeter diff` as a CI calls them.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/paths.hpp"
#include "tests/scratch_folder.hpp"
#include "tests/shell.hpp"

namespace tilemeter {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using test::shell_word;

struct Outcome {
    int status = -1;
    std::string output;  // of standard output
    std::string errors;
};

Outcome call_shell(const std::string& command) {
    const test::ScratchFolder scratch;
    const fs::path errors = scratch.path() / "errors";
    const test::Outcome done = test::shell(command + " 2>" + shell_word(errors.string()));
    return {done.status, done.output, test::text_of(errors)};
}

Outcome call(const std::string& arguments) {
    return call_shell(shell_word(test::program_folder() + "/tilemeter") + " " + arguments);
}

std::string recorded(const std::string& name) {
    return test::data_folder() + "/capture/" + name + ".report.json";
}
std::string report(const std::string& name) {
    return shell_word(recorded(name));
}

Json json_of(const Outcome& outcome) {
    return Json::parse(outcome.output, nullptr, false);
}

TEST(Check, says_by_its_status_whether_limits_are_exceeded) {
    const std::string add = report("add.n150.NORMAL");
    EXPECT_EQ(call("check --max-l1 18432 " + add).status, 0);
    EXPECT_EQ(call("check --max-l1 1MiB " + add).status, 0);
    EXPECT_EQ(call("check --max-l1 '18 kib' " + add).status, 0);
    EXPECT_EQ(call("check --max-l1 '1.323%' " + add).status, 0) << "18,433 of 1,393,312 B";
    EXPECT_EQ(call("check --max-l1 '1.322%' " + add).status, 3) << "18,419 B";
    const Outcome over = call("check --max-l1 18431 " + add);
    EXPECT_EQ(over.status, 3);
    EXPECT_NE(over.output.find(": exceeded\n"), std::string::npos) << over.output;
    EXPECT_NE(over.output.find("over by 1 B; first in ttnn.add > BinaryNgDeviceOperation (node "),
              std::string::npos)
        << over.output;
    EXPECT_EQ(over.output.find("passed"), std::string::npos) << "in a CI that is success";
    EXPECT_EQ(over.errors, "");
    EXPECT_EQ(call("check --max-l1 1 /nonexistent.json").status, 1);
}

TEST(Check, refuses_impossible_limits_as_wrong_usage) {
    const std::string add = report("add.n150.NORMAL");
    for (const char* options :
         {"", "--max-l1=-5", "--max-l1=", "--max-l1=0", "--max-l1=0%", "--max-l1=101%", "--max-l1=1e30",
          "--max-dram-per-bank=99999999999999999999", "--max-dram-total=many", "--max-dram 5",
          "--max-growth 2%", "--baseline x --max-growth=-2%", "--max-l1 1 --json --summary-md -",
          "--max-l1 1 --junit - --summary-md -"}) {
        const Outcome outcome = call("check " + add + " " + options);
        EXPECT_EQ(outcome.status, 2) << options;
        EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << outcome.errors;
        EXPECT_EQ(outcome.output.find("within"), std::string::npos) << options;
    }
    EXPECT_NE(call("check --max-dram 5 " + add)
                  .errors.find("--max-dram-per-bank (bytes of one bank) or --max-dram-total"),
              std::string::npos);
}

TEST(Check, is_not_green_on_nothing_and_on_failures) {
    const test::ScratchFolder scratch;
    for (const char* text : {R"({"a":1})", "[]", R"({"metadata": {"rank": 0}})"}) {
        const std::string file = shell_word(scratch.write("x.json", text).string());
        EXPECT_EQ(call("check --max-l1 1 " + file).status, 4) << text;
        EXPECT_EQ(call("check --allow-incomplete --max-l1 1 " + file).status, 4) << text;
    }
    EXPECT_EQ(call("check --max-l1 1 " + report("edge_empty.n150.NORMAL")).status, 4);
    for (const char* name : {"error_oom.n150.NORMAL", "error_clash.n150.NORMAL"})
        for (const char* more : {"", "--allow-incomplete "}) {
            const Outcome outcome = call(std::string("check --json --max-l1 1393312 ") + more + report(name));
            EXPECT_EQ(outcome.status, 4) << name;
            EXPECT_EQ(json_of(outcome)["verdict"], "failed") << outcome.output;
        }
    const std::string sdpa = report("matmul_linear.n150.NORMAL");  // its program is not recorded
    EXPECT_EQ(call("check --max-l1 1MiB " + sdpa).status, 4);
    EXPECT_EQ(call("check --max-l1 1MiB --allow-incomplete " + sdpa).status, 0);
    EXPECT_EQ(call("check --max-dram-per-bank 1GB " + sdpa).status, 0) << "DRAM does not ask for programs";
}

TEST(Check, of_many_reports_gives_each_and_the_worst) {
    const test::ScratchFolder scratch;
    fs::copy_file(recorded("add.n150.NORMAL"), scratch.path() / "add.json");
    scratch.write("none/report.json", R"({"graph": []})");
    const std::string root = scratch.path().string();
    const Outcome unknown = call("check --json --max-l1 1MiB " + shell_word(root));
    EXPECT_EQ(unknown.status, 4);
    Json json = json_of(unknown);
    EXPECT_EQ(json["schema"], "tilemeter.check/1");
    EXPECT_EQ(json["verdict"], "unknown");
    EXPECT_EQ(json["reasons"][0]["kind"], "nothing_captured");
    ASSERT_EQ(json["reports"].size(), 2U);
    EXPECT_EQ(json["reports"][0]["file"], root + "/add.json");
    EXPECT_EQ(json["reports"][0]["verdict"], "fits");
    EXPECT_EQ(json["reports"][0]["l1"]["peak_bytes_per_core"], 18'432);
    EXPECT_EQ(json["reports"][0]["l1"]["limit_bytes_per_core"], 1'048'576);
    EXPECT_EQ(call("check --max-l1 1 " + shell_word(root)).status, 3) << "exceeded goes before unknown";

    scratch.write("cut.json", R"({"graph": [)");
    const Outcome bad = call("check --json --max-l1 1 " + shell_word(root));
    EXPECT_EQ(bad.status, 1) << "a bad file is never hidden";
    EXPECT_EQ(std::ranges::count(bad.errors, '\n'), 1) << bad.errors;
    json = json_of(bad);
    ASSERT_EQ(json["reports"].size(), 3U);
    EXPECT_EQ(json["reports"][0]["verdict"], "does_not_fit");
    EXPECT_EQ(json["reports"][1]["outcome"], "bad_input");
    EXPECT_EQ(json["reasons"][0]["kind"], "bad_input");
    const Outcome text = call("check --max-l1 1 " + shell_word(root + "/*.json") + " /nonexistent.json");
    EXPECT_EQ(text.status, 1);
    EXPECT_NE(text.output.find("3 reports: 2 bad input, 1 exceeded\n"), std::string::npos) << text.output;
}

TEST(Check, takes_budgets_from_a_file) {
    const std::string add = report("add.n150.NORMAL");
    const test::ScratchFolder scratch;
    const auto with = [&](const char* budget, const char* more = "") {
        const std::string file = shell_word(scratch.write("budget.json", budget).string());
        return call("check --budget " + file + " " + more + " " + add);
    };
    EXPECT_EQ(with(R"({"max_l1": 18431})").status, 3);
    EXPECT_EQ(with(R"({"max_l1": "18 KiB", "max_dram_total": "80%"})").status, 0);
    EXPECT_EQ(with(R"({"max_l1": 18431})", "--max-l1 20000").status, 0) << "options go first";
    EXPECT_EQ(with(R"({"max_l1": "1 MiB", "operations": {"ttnn.add": {"max_l1": 18431}}})").status, 3);
    EXPECT_EQ(with(R"({"operations": {"ttnn.zeros": {"max_l1": 18431}}})").status, 0) << "12,288 B by then";
    EXPECT_EQ(with(R"({"operations": {"ttnn.adds": {"max_l1": "1 MiB"}}})").status, 4) << "no such operation";
    for (const char* wrong : {R"({"max_l2": 1})", R"({"max_dram": 1})", R"({"max_l1": -5})", "[]", "{}"}) {
        const Outcome outcome = with(wrong);
        EXPECT_EQ(outcome.status, 1) << wrong;
        EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << outcome.errors;
    }
}

TEST(Check, compares_with_a_baseline) {
    const test::ScratchFolder scratch;
    const auto word = [&](const char* name) { return shell_word((scratch.path() / name).string()); };
    fs::create_directory(scratch.path() / "old");
    fs::create_directory(scratch.path() / "new");
    fs::copy_file(recorded("add.n150.NORMAL"), scratch.path() / "old/add.json");
    fs::copy_file(recorded("add.n150.NORMAL"), scratch.path() / "new/add.json");
    EXPECT_EQ(call("check --baseline " + word("old/add.json") + " " + word("new/add.json")).status, 0);
    EXPECT_EQ(call("check --baseline " + word("old") + " " + word("new")).status, 0);
    const Outcome answer = call("check --json --max-l1 1MiB " + word("old"));
    std::ofstream(scratch.path() / "answer.json") << answer.output;
    EXPECT_EQ(call("check --baseline " + word("answer.json") + " --max-growth 2% " + word("new")).status, 0);

    // Less was taken before.
    Json smaller = json_of(answer);
    smaller["reports"][0]["l1"]["peak_bytes_per_core"] = 16'000;
    std::ofstream(scratch.path() / "answer.json") << smaller.dump();
    const Outcome grown =
        call("check --json --baseline " + word("answer.json") + " --max-growth 15% " + word("new"));
    EXPECT_EQ(grown.status, 3) << grown.output;
    EXPECT_EQ(json_of(grown)["verdict"], "does_not_fit");
    EXPECT_EQ(json_of(grown)["reasons"][0]["kind"], "grew");
    EXPECT_EQ(json_of(grown)["reports"][0]["baseline"]["l1"]["growth_bytes_per_core"], 2432);
    EXPECT_EQ(call("check --baseline " + word("answer.json") + " --max-growth 15.2% " + word("new")).status,
              0);

    fs::copy_file(recorded("add.n150.NORMAL"), scratch.path() / "new/another.json");
    const Outcome without = call("check --json --baseline " + word("old") + " " + word("new"));
    EXPECT_EQ(without.status, 4);
    EXPECT_EQ(json_of(without)["reasons"][0]["kind"], "no_baseline");
    EXPECT_EQ(call("check --baseline " + word("old/add.json") + " " + word("new")).status, 2)
        << "one report is no baseline of two";
    EXPECT_EQ(call("check --baseline " + word("nowhere") + " " + word("new")).status, 1);
    scratch.write("no_answer.json", R"({"schema": "tilemeter.fit/1"})");
    EXPECT_EQ(call("check --baseline " + word("no_answer.json") + " " + word("new")).status, 1);
    scratch.write("old/add.json", "{");
    EXPECT_EQ(call("check --baseline " + word("old") + " " + word("new")).status, 1);
}

TEST(Check, writes_a_table_and_junit_for_the_ci) {
    const test::ScratchFolder scratch;
    fs::copy_file(recorded("add.n150.NORMAL"), scratch.path() / "a|b <&\"'.json");
    scratch.write("cut.json", R"({"graph": [)");
    scratch.write("none.json", R"({"graph": []})");
    scratch.write("out/summary.md", "# before\n");
    const std::string summary = (scratch.path() / "out/summary.md").string();
    const std::string junit = (scratch.path() / "out/junit.xml").string();
    const Outcome outcome = call("check --max-l1 18431 --summary-md " + shell_word(summary) + " --junit " +
                                 shell_word(junit) + " " + shell_word(scratch.path().string()));
    EXPECT_EQ(outcome.status, 1);
    const std::string table = test::text_of(summary);
    EXPECT_EQ(table.find("# before\n### Device memory: bad input\n\n3 reports: 1 bad input, 1 exceeded, 1 "
                         "cannot be judged\n"),
              0U)
        << table;
    EXPECT_NE(
        table.find(
            "a\\|b &lt;&\"'.json | exceeded | 18,432 B | 18,431 B | 100 % | 0 B | - | - | - | L1 per core: "),
        std::string::npos)
        << table;
    // Each row has as many cells as the head.
    std::size_t rows = 0;
    for (std::size_t at = 0; (at = table.find("\n| ", at)) != std::string::npos; ++rows) {
        const std::string row = table.substr(at + 1, table.find('\n', at + 1) - at - 1);
        std::size_t bars = 0;
        for (std::size_t i = 0; i < row.size(); ++i)
            bars += row[i] == '|' && (i == 0 || row[i - 1] != '\\') ? 1U : 0U;
        EXPECT_EQ(bars, 11U) << row;
        ++at;
    }
    EXPECT_EQ(rows, 4U);

    const Outcome read = call_shell(
        "python3 -c 'import sys, xml.etree.ElementTree as tree\n"
        "suite = tree.parse(sys.argv[1]).getroot()[0]\n"
        "print(suite.attrib[\"tests\"], suite.attrib[\"failures\"], suite.attrib[\"errors\"])\n"
        "for case in suite: print(case.attrib[\"name\"].split(\"/\")[-1], *(kind.tag + \":\" + "
        "kind.attrib[\"type\"] for kind "
        "in case))' " +
        shell_word(junit));
    EXPECT_EQ(read.output,
              "3 2 1\n"
              "a|b <&\"'.json failure:exceeded\n"
              "cut.json error:bad_input\n"
              "none.json failure:cannot_be_judged\n")
        << read.errors;

    const std::string input = shell_word((scratch.path() / "none.json").string());
    for (const char* option : {"--summary-md ", "--junit "}) {
        EXPECT_EQ(call("check --max-l1 1 " + input + " " + option + input).status, 2);
        EXPECT_EQ(test::text_of(scratch.path() / "none.json"), R"({"graph": []})")
            << "an output may not be an input";
        EXPECT_EQ(call("check --max-l1 1 " + input + " " + option + "/nonexistent/x").status, 1);
    }
}

TEST(Diff, of_a_report_with_itself_says_the_peaks_and_that_there_is_no_difference) {
    const std::string add = report("add.n150.NORMAL");
    const Outcome outcome = call("diff --exit-code " + add + " " + add);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_NE(outcome.output.find("L1 per core    18,432 B -> 18,432 B, unchanged\n"
                                  "DRAM per bank  0 B -> 0 B, unchanged\n"
                                  "no difference\n"),
              std::string::npos)
        << outcome.output;
}

TEST(Diff, says_by_its_status_when_asked_whether_they_differ) {
    const std::string a = report("add.n150.NORMAL"), b = report("edge_dram_l1_inputs.n150.NORMAL");
    EXPECT_EQ(call("diff " + a + " " + b).status, 0);
    EXPECT_EQ(call("diff --exit-code " + a + " " + b).status, 3);
    EXPECT_EQ(call("diff --max-growth 2% " + a + " " + b).status, 2) << "needs --exit-code";
    EXPECT_EQ(call("diff --exit-code --max-growth 0 " + a + " " + a).status, 0);
    EXPECT_EQ(call("diff --exit-code --max-growth=-1% " + a + " " + a).status, 2);
    EXPECT_EQ(call("diff --exit-code " + a + " " + report("edge_empty.n150.NORMAL")).status, 4);
    const std::string normal = report("error_clash.n150.NORMAL"),
                      planned = report("error_clash.n150.NO_DISPATCH");
    EXPECT_EQ(call("diff --exit-code --max-growth 2% " + normal + " " + planned).status, 4)
        << "one was cut short by its failure";
    EXPECT_EQ(call("diff --exit-code --max-growth 2% " + planned + " " + planned).status, 0);
    EXPECT_EQ(call("diff --exit-code " + a + " /nonexistent.json").status, 1);
}

TEST(Diff, answers_with_one_object) {
    const std::string a = report("add.n150.NORMAL"), b = report("edge_dram_l1_inputs.n150.NORMAL");
    const Json json = json_of(call("diff --json " + a + " " + b));
    EXPECT_EQ(json["schema"], "tilemeter.diff/1");
    EXPECT_EQ(json["answer"], "differ");
    EXPECT_EQ(json["before"]["file"], recorded("add.n150.NORMAL"));
    EXPECT_EQ(json["before"]["verdict"], "fits");
    EXPECT_EQ(json["before"]["l1"]["peak_bytes_per_core"], 18'432);
    EXPECT_EQ(json["after"]["l1"]["peak_bytes_per_core"], 16'384);
    EXPECT_EQ(json["l1"]["comparable"], false) << "older memory of the second is not known in full";
    EXPECT_EQ(json["l1"]["growth_bytes_per_core"], nullptr);
    EXPECT_TRUE(json["differences"].is_array() && !json["differences"].empty());
    for (const auto& it : json["differences"])
        EXPECT_FALSE(it.contains("before_bytes_per_core") && it.contains("before_bytes_per_bank")) << it;
}

}  // namespace
}  // namespace tilemeter
