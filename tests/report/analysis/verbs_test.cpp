// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The program `tilemeter` as people call it.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/paths.hpp"
#include "tests/scratch_folder.hpp"
#include "tests/shell.hpp"

namespace tilemeter::verbs {
namespace {

using test::Outcome;

Outcome call(const std::string& arguments) {
    return test::shell(test::shell_word(test::program_folder() + "/tilemeter") + " " + arguments);
}

std::string report_file(const std::string& name) {
    return test::data_folder() + "/capture/" + name + ".report.json";
}

// A recorded report, as a word of the command.
std::string report(const std::string& name) {
    return test::shell_word(report_file(name));
}

TEST(Verbs, answer_in_json_when_asked) {
    for (const char* verb : {"peak", "explain", "timeline", "timeline --late", "timeline --alive-at-end",
                             "timeline --at 10", "timeline --placement", "tightest", "tightest --memory dram",
                             "figures", "tree", "print", "levelized", "levelized --as-ttnn", "configs",
                             "check --max-l1 1499136", "fit", "fit --device p150"}) {
        const Outcome outcome = call(std::string(verb) + " --json " + report("add.n150.NORMAL"));
        const bool is_known =
            std::string_view(verb) != "fit --device p150";  // another grid: programs may differ
        EXPECT_EQ(outcome.status, is_known ? 0 : 4) << verb << ": " << outcome.output;
        EXPECT_FALSE(nlohmann::json::parse(outcome.output, nullptr, false).is_discarded()) << verb;
    }
}

nlohmann::json head_of(const std::string& arguments) {
    const Outcome outcome = call("summary --json " + arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    return nlohmann::json::parse(outcome.output, nullptr, false)["captures"][0];
}

TEST(Verbs, summary_begins_with_what_is_looked_at) {
    const std::string add = report("add.n150.NORMAL");
    const nlohmann::json head = head_of(add);
    EXPECT_EQ(head["file"], report_file("add.n150.NORMAL"));
    EXPECT_EQ(head["kind"], "report");
    EXPECT_EQ(head["size_bytes"], std::filesystem::file_size(report_file("add.n150.NORMAL")));
    EXPECT_EQ(head["format"], "report version 1");
    EXPECT_EQ(head["producer"], "TT-NN 0.81.1 (d80d9482a4)");
    EXPECT_EQ(head["boards"], nlohmann::json({"n150"}));
    EXPECT_EQ(head["devices"][0]["arch"], "WORMHOLE_B0");
    EXPECT_EQ(head["run_mode"], "NORMAL");
    EXPECT_EQ(head["run_mode_derived_from"], "programs ran");
    EXPECT_TRUE(head["captured_at"].get<std::string>().starts_with("20"));
    EXPECT_GT(head["duration_ns"], 0);
    const nlohmann::json peak = nlohmann::json::parse(call("peak --json " + add).output);
    EXPECT_EQ(head["l1"]["peak_bytes_per_core"], peak["devices"][0]["l1"]["peak_bytes_per_core"]);
    EXPECT_EQ(head["l1"]["peak_bytes_per_core"], 18432);
    EXPECT_EQ(head["l1"]["limit_bytes_per_core"], 1393312);
    EXPECT_EQ(
        head["recorded"]["python_records"],
        std::filesystem::exists(test::data_folder() + "/capture/add.n150.NORMAL.report.python_io.json"));
    const Outcome text = call("summary " + add);
    EXPECT_TRUE(text.output.starts_with(report_file("add.n150.NORMAL") + "  report, ")) << text.output;
}

// One definition, whatever is looked at: outermost functions.
TEST(Verbs, summary_counts_operations_of_report_list_and_database_alike) {
    const test::ScratchFolder scratch;
    const std::string folder = scratch.path().string();
    for (const char* name : {"add.n150.NORMAL", "edge_scope_left_open.n150.NORMAL", "mesh_mlp.n300.NORMAL"}) {
        std::ifstream file(report_file(name));
        const nlohmann::json nodes = nlohmann::json::parse(file)["graph"];
        scratch.write("list.json", nodes.dump());
        ASSERT_EQ(std::system((test::shell_word(test::program_folder() + "/graph_report") + " --quiet " +
                               report(name) + " " + test::shell_word(folder))
                                  .c_str()),
                  0);
        std::size_t outermost = 0;
        for (const nlohmann::json& node : nodes)
            outermost += node["node_type"] == "function_start" && node["stacking_level"] == 1 ? 1 : 0;
        for (const std::string& path : {report(name), test::shell_word(folder + "/list.json"),
                                        test::shell_word(folder + "/db.sqlite")}) {
            const nlohmann::json head = head_of(path);
            EXPECT_EQ(head["operation_count"], outermost) << path;
            EXPECT_EQ(head["node_count"], nodes.size()) << path;
        }
        const nlohmann::json head = head_of(test::shell_word(folder + "/list.json"));
        EXPECT_EQ(head["producer"], nullptr);
        EXPECT_EQ(head["l1"]["limit_bytes_per_core"], nullptr);
    }
}

TEST(Verbs, levelized_joins_mentions_unless_ttnns_vertices_are_asked_for) {
    const std::string add = report("add.n150.NORMAL");
    const std::string joined = call("levelized " + add).output;
    EXPECT_NE(joined.find("ttnn.add  in 2 3  Shape([4, 3, 32, 32])\n"), std::string::npos) << joined;
    EXPECT_EQ(call("levelized --join " + add).output, joined) << "scripts that ask for it go on running";
    EXPECT_EQ(call("levelized --as-ttnn " + add).output,
              "0  ttnn.zeros\n1  ttnn.zeros\n2  ttnn.add\n3  Tensor::deallocate\n4  Tensor::deallocate\n");
}

TEST(Verbs, perfetto_has_the_message_of_a_failure_from_the_sidecar) {
    const Outcome outcome =
        call("perfetto " + test::data_folder() + "/reports/error_oom.n150.NORMAL/report.json");
    ASSERT_EQ(outcome.status, 0);
    const auto trace = nlohmann::json::parse(outcome.output);
    for (const auto& event : trace["traceEvents"]) {
        if (event["ph"] != "i") continue;
        EXPECT_NE(event["args"]["message"].get<std::string>().find("Not enough space to allocate"),
                  std::string::npos)
            << event;
        return;
    }
    FAIL() << "no instant";
}

TEST(Verbs, perfetto_takes_programs_from_another_capture) {
    const std::string clash = report("error_clash.n150.NORMAL");
    const std::string trace =
        call("perfetto " + clash + " --programs-from " + report("error_clash.n150.NO_DISPATCH")).output;
    EXPECT_NE(trace.find("taken from another run"), std::string::npos);
    EXPECT_EQ(call("perfetto " + clash).output.find("taken from another run"), std::string::npos);
}

TEST(Verbs, explain_takes_a_message_from_a_log) {
    const Outcome outcome = call(
        "explain --message 'Out of Memory: Not enough space to allocate 44493176832 B DRAM buffer across 8 "
        "banks, where each bank needs to store 5561647104 B, but bank size is 4273390016 B'");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_NE(outcome.output.find("never fits"), std::string::npos) << outcome.output;
    EXPECT_EQ(call("explain").status, 2);
    const auto json = nlohmann::json::parse(
        call("explain --json --message 'L1 buffer allocated at 319488 and static circular buffer region ends "
             "at 761184'")
            .output);
    EXPECT_EQ(json["schema"], "tilemeter.explain/1");
    EXPECT_EQ(json["verdict"], "does_not_fit");
    EXPECT_EQ(json["explanations"][0]["cause"], "clash");
}

TEST(Verbs, explain_refuses_messages_and_moments_that_it_cannot_read) {
    const Outcome unknown = call("explain --message 'no such message'");
    EXPECT_EQ(unknown.status, 1);
    for (const char* part : {"no such message", "clash with L1 buffers", "Not enough space", "grow to"})
        EXPECT_NE(unknown.output.find(part), std::string::npos) << unknown.output;
    EXPECT_EQ(std::count(unknown.output.begin(), unknown.output.end(), '\n'), 1);
    const std::string add = report("add.n150.NORMAL");
    for (const std::string& wrong :
         {std::string("--message ''"), std::string("--message ' '"), std::string("--at 3"), add + " --at -1",
          add + " --at 1000000", add + " --at x"}) {
        const Outcome outcome = call("explain " + wrong);
        EXPECT_EQ(outcome.status, 2) << wrong;
        EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 1) << outcome.output;
    }
}

TEST(Verbs, never_write_over_their_input) {
    namespace fs = std::filesystem;
    const test::ScratchFolder scratch;
    const fs::path input = scratch.path() / "r.json", sidecar = scratch.path() / "r.python_io.json";
    fs::copy_file(test::data_folder() + "/capture/add.n150.NORMAL.report.json", input);
    scratch.write("r.python_io.json", "[]");
    scratch.write("recording", "no matter what");
    fs::create_directory(scratch.path() / "folder");
    fs::create_symlink("r.json", scratch.path() / "link.json");
    fs::create_hard_link(input, scratch.path() / "other.json");
    const auto contents = [&] {
        return test::text_of(input) + test::text_of(sidecar) + test::text_of(scratch.path() / "recording");
    };
    const std::string before = contents();
    const auto word = [&](const char* name) { return test::shell_word((scratch.path() / name).string()); };
    const auto expect_refused = [&](const std::string& arguments) {
        const Outcome outcome = call(arguments);
        EXPECT_EQ(outcome.status, 2) << arguments << ": " << outcome.output;
        EXPECT_NE(outcome.output.find("expected a file to write that is no input, found the input"),
                  std::string::npos)
            << arguments << ": " << outcome.output;
        EXPECT_EQ(std::ranges::count(outcome.output, '\n'), 1) << outcome.output;
        EXPECT_EQ(contents(), before) << arguments;
    };
    for (const std::string verb : {"html ", "svg ", "svg --dot ", "perfetto "})
        for (const char* output :
             {"r.json", "folder/../r.json", "link.json", "other.json", "r.python_io.json"})
            expect_refused(verb + word("r.json") + " -o " + word(output));
    expect_refused("html " + report("matmul_linear.n150.NORMAL") + " --programs-from " + word("r.json") +
                   " -o " + word("link.json"));
    expect_refused("recover " + word("recording") + " " + word("folder/../recording"));
    EXPECT_EQ(call("html " + word("r.json") + " -o " + word("page.html")).status, 0);
    EXPECT_EQ(call("html " + word("r.json") + " -o " + word("page.html")).status, 0)
        << "an output may be replaced";
}

TEST(Verbs, peak_begins_with_the_verdict_in_text_and_json) {
    const std::string file =
        test::shell_word(test::data_folder() + "/reports/error_oom.n150.NORMAL/report.json");
    const Outcome text = call("peak " + file);
    EXPECT_EQ(text.status, 0) << "it tells what there is; check and fit judge";
    EXPECT_TRUE(text.output.starts_with("does not fit: WORMHOLE_B0 8x8\n")) << text.output;
    const auto json = nlohmann::ordered_json::parse(call("peak --json " + file).output);
    EXPECT_EQ(json.begin().value(), "tilemeter.peak/1");
    EXPECT_EQ(json["verdict"], "does_not_fit");
    EXPECT_EQ(json["l1"]["bound"], "at_least");
    const Outcome dram = call("peak --memory dram --by shape " + file);
    EXPECT_EQ(dram.output.find("L1 peak per core"), std::string::npos);
    EXPECT_NE(dram.output.find("(1 buffer)"), std::string::npos) << dram.output;
}

TEST(Verbs, peak_refuses_what_cannot_be_meant) {
    for (const char* options : {"--top -1", "--top 99999999999999999999", "--top 1e3", "--top x",
                                "--by colour", "--memory l2", "--top 2000000000"}) {
        const Outcome outcome = call(std::string("peak ") + options + " " + report("add.n150.NORMAL"));
        EXPECT_EQ(outcome.status, 2) << options << ": " << outcome.output;
        EXPECT_EQ(std::ranges::count(outcome.output, '\n'), 1) << outcome.output;
    }
    for (const char* options : {"--top 0", "--by line", "--by operation", "--by shape", "--memory l1"})
        EXPECT_EQ(call(std::string("peak ") + options + " " + report("add.n150.NORMAL")).status, 0)
            << options;
}

TEST(Verbs, tree_and_timeline_name_the_line_of_python) {
    const test::ScratchFolder scratch;
    const std::string folder = test::shell_word(scratch.path().string());
    std::filesystem::copy_file(test::data_folder() + "/capture/add.n150.NORMAL.report.json",
                               scratch.path() / "r.json");
    scratch.write("r.python_io.json",
                  R"([{"name": "ttnn.add", "arguments": {}, "output_tensor_ids": [77], )"
                  R"("python_stack_trace": ["  File \"a,b/model.py\", line 51, in forward"]}])");
    const Outcome tree = call("tree " + folder + "/r.json");
    std::size_t named = 0;
    for (std::size_t at = 0; (at = tree.output.find("  a,b/model.py:51\n", at)) != std::string::npos; ++at)
        ++named;
    EXPECT_EQ(named, 1U) << "of ttnn.add, not of what is in it:\n" << tree.output;
    const auto calls = nlohmann::json::parse(call("tree --json " + folder + "/r.json").output);
    EXPECT_NE(calls.dump().find("\"source_line\":\"a,b/model.py:51\""), std::string::npos);
    EXPECT_NE(calls.dump().find("\"source_line\":null"), std::string::npos);
    const Outcome rows = call("timeline --csv " + folder + "/r.json");
    EXPECT_NE(rows.output.find(",l1_largest_free,source_line\n"), std::string::npos) << rows.output;
    EXPECT_NE(rows.output.find(",\"a,b/model.py:51\"\n"), std::string::npos) << rows.output;
    EXPECT_NE(call("timeline --json " + folder + "/r.json").output.find("a,b/model.py:51"),
              std::string::npos);
    const Outcome peak = call("peak " + folder + "/r.json");
    EXPECT_NE(peak.output.find("BinaryNgDeviceOperation at a,b/model.py:51"), std::string::npos)
        << peak.output;
    EXPECT_NE(peak.output.find("(77 in the viewer)"), std::string::npos) << peak.output;
}

TEST(Verbs, end_with_one_line_and_status_1_on_bad_input) {
    const test::ScratchFolder scratch;
    const std::string file = test::shell_word(scratch.write("bad.json", "{\"graph\": [").string());
    for (const char* verb : {"peak", "explain", "figures", "timeline", "tree", "print", "levelized", "svg",
                             "html", "perfetto", "configs", "tightest"}) {
        const Outcome outcome = call(std::string(verb) + " " + file);
        EXPECT_EQ(outcome.status, 1) << verb;
        EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 1)
            << verb << ": " << outcome.output;
    }
}

TEST(Verbs, take_what_programs_took_from_another_capture) {
    const std::string cut = report("error_clash.n150.NORMAL");
    const std::string planned = " --programs-from " + report("error_clash.n150.NO_DISPATCH");
    const Outcome print = call("print " + cut + planned);
    EXPECT_EQ(print.status, 0) << print.output;
    EXPECT_NE(print.output.find("(other capture)"), std::string::npos) << print.output;
    EXPECT_EQ(call("print " + cut).output.find("(other capture)"), std::string::npos);
    EXPECT_NE(call("tree " + cut + planned).output, call("tree " + cut).output);
    EXPECT_NE(call("svg " + cut + planned).output, call("svg " + cut).output);
    const Outcome peak = call("peak " + cut + planned);
    EXPECT_NE(peak.output.find("in the other capture"), std::string::npos) << peak.output;
    EXPECT_EQ(peak.output.find("cache"), std::string::npos) << peak.output;
    const Outcome page = call("html -o - " + cut + planned);
    EXPECT_EQ(page.status, 0);
    EXPECT_NE(page.output.find("in the other capture"), std::string::npos);
    EXPECT_EQ(page.output.find("program-cache hits"), std::string::npos);
    EXPECT_EQ(call("print --ttnn " + cut + planned).status, 2);
    EXPECT_EQ(call("svg --dot " + cut + planned).status, 2);
    EXPECT_EQ(call("tree --programs-from /nonexistent.json " + cut).status, 1);
}

TEST(Verbs, figures_say_what_their_pairs_mean) {
    const Outcome outcome = call("figures " + report("add.n150.NORMAL"));
    EXPECT_NE(outcome.output.find("[i,o]: i intermediate tensors"), std::string::npos) << outcome.output;
}

TEST(Verbs, refuse_numbers_that_mean_nothing_in_one_line) {
    const std::string add = report("add.n150.NORMAL");
    for (const char* arguments :
         {"peak --top -1", "peak --top 99999999999999999999", "levelized --max-level -3",
          "svg --max-level -3", "svg --max-lines -1", "timeline --at -3", "timeline --top x",
          "timeline --device -2", "explain --at -1", "overhead --repeats 0",
          "fit --device n150 --trace-region -5", "check --max-l1 -5", "check --max-l1 ''", "check --max-l1 0",
          "check --max-l1 101%", "check --max-dram-total 9e99MiB"}) {
        const bool has_report = std::string_view(arguments).find("overhead") == std::string_view::npos;
        const Outcome outcome = call(std::string(arguments) + (has_report ? " " + add : ""));
        EXPECT_EQ(outcome.status, 2) << arguments << ": " << outcome.output;
        EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 1)
            << arguments << ": " << outcome.output;
    }
}

}  // namespace
}  // namespace tilemeter::verbs
