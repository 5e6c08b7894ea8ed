// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/report_writer.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/graph/graph_processor.hpp"
#include "capture/record/device_info.hpp"
#include "capture/record/emit.hpp"
#include "capture/record/emit_table.h"
#include "capture/record/text.hpp"
#include "report/analysis/nodes/load.hpp"
#include "report/capture_table.h"

namespace tilemeter::report {
namespace {

namespace fs = std::filesystem;
using graph::CapturedGraph;
using graph::CaptureError;
using graph::GraphProcessor;
using graph::RunMode;
using graph::ScopedGraphCapture;
using nlohmann::json;

std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void call(const char* name) {
    GraphProcessor::track_function_start(name);
    GraphProcessor::track_function_end();
}

CapturedGraph captured_call(const char* name = "op") {
    GraphProcessor::begin_graph_capture();
    call(name);
    return GraphProcessor::end_capture();
}

class ReportWriter : public testing::Test {
protected:
    ReportWriter() : folder_(fs::temp_directory_path() / ("report_writer_test." + std::to_string(getpid()))) {
        fs::remove_all(folder_);
        fs::create_directory(folder_);
    }
    ~ReportWriter() override {
        while (graph::is_graph_capture_active())
            GraphProcessor::end_capture();
        fs::remove_all(folder_);
    }

    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::recursive_directory_iterator(folder_))
            names.push_back(entry.path().lexically_relative(folder_));
        std::ranges::sort(names);
        return names;
    }

    const fs::path folder_;
};

TEST_F(ReportWriter, given_a_capture_then_the_report_holds_its_nodes_and_what_it_is) {
    GraphProcessor::begin_graph_capture();
    call("ttnn.add");
    const CapturedGraph captured = GraphProcessor::end_graph_capture_to_file(folder_ / "report.json");
    const json report = json::parse(text_of(folder_ / "report.json"));

    EXPECT_FALSE(graph::is_graph_capture_active());
    EXPECT_EQ(report["version"], 1);
    EXPECT_EQ(report["graph"], captured.to_json());
    EXPECT_EQ(report["devices"], json::array());
    const json& metadata = report["metadata"];
    EXPECT_EQ(metadata["rank"], 0);
    EXPECT_EQ(metadata["world_size"], 1);
    EXPECT_EQ(metadata["run_mode"], "NORMAL");
    EXPECT_EQ(metadata["total_duration_ns"], report["graph"].back()["duration_ns"]);
    EXPECT_EQ(metadata["version"], kReportDialect);
    EXPECT_EQ(metadata["program_memory"], json({{"circular_buffers", "complete"},
                                                {"dataflow_buffers", "complete"},
                                                {"scratchpads", "complete"}}));
    EXPECT_FALSE(metadata.contains("observed"));
    EXPECT_TRUE(metadata["producer"].get<std::string>().starts_with("tilemeter 0."));
    EXPECT_TRUE(metadata["dirty"].is_boolean());
    EXPECT_FALSE(metadata["build_type"].get<std::string>().empty());
    const std::string sha = metadata["git_sha"];
    EXPECT_TRUE(sha.empty() || sha.size() == 40) << sha;
    EXPECT_EQ(metadata["git_sha_short"], sha.substr(0, 10));
    constexpr std::uint64_t kYear2020 = 1'577'836'800'000'000'000;
    EXPECT_GT(metadata["capture_timestamp_ns"], kYear2020);
}

// As an attached recorder does: another system's events, through the two tables.
TEST_F(ReportWriter,
       given_an_observed_system_then_the_report_says_which_and_how_much_of_its_programs_is_told) {
    const tilemeter_emit_table& emit = *tilemeter_get_emit_table(TILEMETER_EMIT_TABLE_VERSION);
    const tilemeter_capture_table& recorder = *tilemeter_get_capture_table(TILEMETER_CAPTURE_TABLE_VERSION);
    const char* const missing[] = {"scratchpads", nullptr};
    tilemeter_emitter_info info{};
    info.name = "observed by report_writer_test";
    info.version = "0.80.0";
    info.git_sha = "abc";
    info.missing = missing;
    info.normal[0] = TILEMETER_COMPLETE;
    info.normal[1] = TILEMETER_PARTIAL;
    info.normal[2] = TILEMETER_NONE;
    for (std::uint8_t& each : info.no_dispatch)
        each = TILEMETER_COMPLETE;
    const std::uint8_t emitter = emit.register_emitter(&info);
    const auto capture = [&](const char* name, bool no_dispatch) {
        tilemeter_capture_options options{};
        options.no_dispatch = no_dispatch ? 1 : 0;
        options.emitters = static_cast<std::uint8_t>(1U << emitter);
        tilemeter_capture* window = nullptr;
        EXPECT_EQ(recorder.begin(&options, &window), nullptr);
        emit.function_begin(emitter, emit.intern_text("add", 3), 0, 0);
        emit.function_end(emitter);
        EXPECT_EQ(recorder.end_to_file(window, (folder_ / name).c_str()), nullptr);
        return json::parse(text_of(folder_ / name))["metadata"];
    };
    const json run = capture("run.json", false);
    EXPECT_EQ(run["observed"], json::array({{{"name", info.name},
                                             {"version", "0.80.0"},
                                             {"git_sha", "abc"},
                                             {"missing", {"scratchpads"}}}}));
    EXPECT_TRUE(run["producer"].get<std::string>().starts_with("tilemeter 0."));
    EXPECT_EQ(
        run["program_memory"],
        json({{"circular_buffers", "complete"}, {"dataflow_buffers", "partial"}, {"scratchpads", "none"}}));
    const json planned = capture("planned.json", true);
    EXPECT_EQ(planned["program_memory"]["scratchpads"], "complete");
    // The producer's name says nothing of it.
    EXPECT_FALSE(analysis::load_node_list(folder_ / "run.json").value().program_memory_is_complete());
    EXPECT_TRUE(analysis::load_node_list(folder_ / "planned.json").value().program_memory_is_complete());
}

TEST_F(ReportWriter, given_a_report_then_keys_are_sorted_and_each_node_has_a_line) {
    ASSERT_TRUE(write_report(captured_call(), folder_ / "report.json"));
    const std::string text = text_of(folder_ / "report.json");
    // nlohmann keeps objects sorted by byte: without the line ends, both texts are equal.
    std::string joined = text;
    std::erase(joined, '\n');
    EXPECT_EQ(joined, json::parse(text).dump());
    EXPECT_NE(text.find("\n{\"arguments\":[],\"connections\":[1],\"counter\":0,"), std::string::npos);
    EXPECT_NE(text.find(",\n{\"arguments\":[],\"connections\":[2],\"counter\":1,"), std::string::npos);
}

TEST_F(ReportWriter, given_several_ranks_then_the_report_names_its_own) {
    ASSERT_TRUE(write_report(captured_call(), folder_ / "report.json", {.rank = 3, .world_size = 8}));
    const json metadata = json::parse(text_of(folder_ / "report.json"))["metadata"];
    EXPECT_EQ(metadata["rank"], 3);
    EXPECT_EQ(metadata["world_size"], 8);
}

TEST_F(ReportWriter, given_devices_then_those_met_are_listed_by_id_and_unknown_ones_left_out) {
    const auto announce = [](std::uint16_t id, std::uint64_t cores) {
        record::DeviceInfo info;
        info.arch = "WORMHOLE_B0";
        info.num_compute_cores = cores;
        info.cluster_descriptor = "arch:\n  0: \"wormhole\"\n";
        record::announce_device(static_cast<record::DeviceId>(id), info);
    };
    announce(11, 56);
    announce(3, 64);
    announce(20, 1);
    GraphProcessor::begin_graph_capture(RunMode::NO_DISPATCH);
    for (const int id : {11, 3, 500, 11})
        record::emit_program_begin(static_cast<record::DeviceId>(id), 0, record::Origin::kPlanned);
    GraphProcessor::end_graph_capture_to_file(folder_ / "report.json");
    const json report = json::parse(text_of(folder_ / "report.json"));
    ASSERT_EQ(report["devices"].size(), 2U);
    EXPECT_EQ(report["devices"][0]["device_id"], 3);
    EXPECT_EQ(report["devices"][0]["num_compute_cores"], 64);
    EXPECT_EQ(report["devices"][0]["arch"], "WORMHOLE_B0");
    EXPECT_EQ(report["devices"][0].size(), 21U);
    EXPECT_EQ(report["devices"][1]["device_id"], 11);
    EXPECT_EQ(report["cluster_descriptor"], "arch:\n  0: \"wormhole\"\n");
    EXPECT_EQ(report["metadata"]["run_mode"], "NO_DISPATCH");
}

TEST_F(ReportWriter, given_missing_directories_then_they_are_made) {
    ASSERT_TRUE(write_report(captured_call(), folder_ / "a/b/report.json"));
    EXPECT_TRUE(fs::exists(folder_ / "a/b/report.json"));
    EXPECT_EQ(files().size(), 3U) << "no other file stays";
}

TEST_F(ReportWriter, given_a_relative_path_then_it_leads_from_the_current_directory) {
    const fs::path before = fs::current_path();
    fs::current_path(folder_);
    const Status flat = write_report(captured_call(), "flat.json");
    const Status deep = write_report(captured_call(), "x/deep.json");
    fs::current_path(before);
    EXPECT_TRUE(flat);
    EXPECT_TRUE(deep);
    EXPECT_TRUE(fs::exists(folder_ / "flat.json"));
    EXPECT_TRUE(fs::exists(folder_ / "x/deep.json"));
}

TEST_F(ReportWriter, given_an_old_report_then_the_new_one_takes_its_place) {
    ASSERT_TRUE(write_report(captured_call("old"), folder_ / "report.json"));
    ASSERT_TRUE(write_report(captured_call("new"), folder_ / "report.json"));
    EXPECT_EQ(json::parse(text_of(folder_ / "report.json"))["graph"][1]["params"]["name"], "new");
    EXPECT_EQ(files().size(), 1U);
}

TEST_F(ReportWriter, given_a_link_then_what_it_leads_to_is_replaced) {
    fs::create_symlink("real.json", folder_ / "link.json");
    ASSERT_TRUE(write_report(captured_call(), folder_ / "link.json"));
    EXPECT_TRUE(fs::is_symlink(folder_ / "link.json"));
    EXPECT_TRUE(fs::is_regular_file(folder_ / "real.json"));
}

TEST_F(ReportWriter, given_a_device_as_target_then_it_is_written_and_not_replaced) {
    ASSERT_TRUE(write_report(captured_call(), "/dev/null"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(ReportWriter, given_a_directory_as_target_then_the_capture_stays_open_and_can_be_saved_elsewhere) {
    GraphProcessor::begin_graph_capture();
    call("before");
    try {
        GraphProcessor::end_graph_capture_to_file(folder_);
        FAIL() << "no exception";
    } catch (const CaptureError& error) {
        EXPECT_EQ(std::string(error.what()),
                  "cannot write the report: " + folder_.string() + ": expected a file, found a directory");
    }
    EXPECT_TRUE(graph::is_graph_capture_active());
    call("after");
    GraphProcessor::end_graph_capture_to_file(folder_ / "elsewhere.json");
    EXPECT_EQ(json::parse(text_of(folder_ / "elsewhere.json"))["graph"].size(), 6U);
    EXPECT_EQ(files().size(), 1U);
}

TEST_F(ReportWriter, given_a_file_where_a_directory_is_needed_then_one_line_says_so) {
    std::ofstream(folder_ / "file") << "x";
    const Status written = write_report(captured_call(), folder_ / "file/report.json");
    ASSERT_FALSE(written);
    const std::string message = written.error().message();
    EXPECT_NE(message.find("file/report.json: expected "), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
    EXPECT_EQ(text_of(folder_ / "file"), "x");
}

TEST_F(ReportWriter, given_no_name_then_one_line_says_so) {
    EXPECT_FALSE(write_report(captured_call(), ""));
    EXPECT_FALSE(write_report(captured_call(), folder_ / "folder/"));
    EXPECT_TRUE(files().empty());
}

TEST_F(ReportWriter, given_a_failure_after_directories_were_made_then_they_are_gone_again) {
    const Status written = write_report(captured_call(), folder_ / "a/b" / std::string(300, 'x'));
    ASSERT_FALSE(written);
    EXPECT_TRUE(files().empty());
}

TEST_F(ReportWriter, given_a_full_disk_then_one_line_says_so) {
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
    const Status written = write_report(captured_call(), "/dev/full");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().message(),
              "/dev/full: expected room for the whole file, found No space left on device");
}

/// No file may grow beyond so many bytes while this lives.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limited{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limited);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
    }
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

private:
    rlimit before_{};
    void (*handler_)(int);
};

TEST_F(ReportWriter, given_a_failure_halfway_then_the_old_report_stays_and_nothing_else) {
    ASSERT_TRUE(write_report(captured_call("old"), folder_ / "report.json"));
    GraphProcessor::begin_graph_capture();
    constexpr int kCalls = 20000;  // several MB
    for (int i = 0; i < kCalls; ++i)
        call("new");
    {
        const FileSizeLimit limit(1 << 20);
        EXPECT_THROW(GraphProcessor::end_graph_capture_to_file(folder_ / "report.json"), CaptureError);
    }
    EXPECT_EQ(files(), std::vector<std::string>{"report.json"});
    EXPECT_EQ(json::parse(text_of(folder_ / "report.json"))["graph"][1]["params"]["name"], "old");
    const CapturedGraph saved = GraphProcessor::end_graph_capture_to_file(folder_ / "report.json");
    EXPECT_EQ(saved.node_count(), 2U + 2U * kCalls) << "nothing was lost by the failure";
    EXPECT_EQ(json::parse(text_of(folder_ / "report.json"))["graph"].size(), saved.node_count());
}

TEST_F(ReportWriter, given_no_capture_then_an_error_says_so_and_no_file_is_made) {
    EXPECT_THROW(GraphProcessor::end_graph_capture_to_file(folder_ / "report.json"), CaptureError);
    EXPECT_TRUE(files().empty());
}

TEST_F(ReportWriter, given_nested_captures_then_each_report_holds_its_own) {
    GraphProcessor::begin_graph_capture();
    call("outer");
    GraphProcessor::begin_graph_capture(RunMode::NO_DISPATCH);
    call("both");
    GraphProcessor::end_graph_capture_to_file(folder_ / "inner.json");
    GraphProcessor::end_graph_capture_to_file(folder_ / "outer.json");
    const json inner = json::parse(text_of(folder_ / "inner.json"));
    const json outer = json::parse(text_of(folder_ / "outer.json"));
    EXPECT_EQ(inner["graph"].size(), 4U);
    EXPECT_EQ(inner["metadata"]["run_mode"], "NO_DISPATCH");
    EXPECT_EQ(outer["graph"].size(), 6U);
    EXPECT_EQ(outer["metadata"]["run_mode"], "NORMAL");
}

TEST_F(ReportWriter,
       given_a_scoped_capture_with_a_path_then_the_report_is_written_even_when_the_model_fails) {
    try {
        const ScopedGraphCapture capture(RunMode::NORMAL, folder_ / "report.json");
        call("op");
        throw std::runtime_error("the model failed");
    } catch (const std::runtime_error&) {
        EXPECT_FALSE(graph::is_graph_capture_active());
    }
    EXPECT_EQ(json::parse(text_of(folder_ / "report.json"))["graph"].size(), 4U);
}

TEST_F(ReportWriter, given_a_scoped_capture_that_was_ended_then_its_destructor_writes_nothing) {
    {
        ScopedGraphCapture capture(RunMode::NORMAL, folder_ / "report.json");
        call("op");
        capture.end_graph_capture();
    }
    EXPECT_TRUE(files().empty());
}

TEST_F(ReportWriter, given_a_scoped_capture_whose_path_cannot_be_written_then_it_does_not_begin) {
    std::ofstream(folder_ / "file") << "x";
    const std::string zero_byte("a\0b.json", 8);
    for (const fs::path& path : {folder_, folder_ / "file" / "r.json", fs::path("/proc/nope/x.json"),
                                 fs::path(), folder_ / "new" / std::string(300, 'x'), folder_ / zero_byte}) {
        EXPECT_THROW(ScopedGraphCapture(RunMode::NORMAL, path), CaptureError) << path;
        EXPECT_FALSE(check_report_path(path)) << path;
        EXPECT_FALSE(graph::is_graph_capture_active());
    }
    EXPECT_EQ(files(), std::vector<std::string>{"file"});
    EXPECT_EQ(text_of(folder_ / "file"), "x");
}

TEST_F(ReportWriter, given_a_place_that_can_be_written_then_asking_leaves_it_as_it_was) {
    std::ofstream(folder_ / "old.json") << "old";
    ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
    EXPECT_TRUE(check_report_path(folder_ / "old.json"));
    EXPECT_TRUE(check_report_path(folder_ / "a" / "b" / "new.json"));
    EXPECT_TRUE(check_report_path(folder_ / "pipe")) << "and nobody waits for its reader";
    EXPECT_TRUE(check_report_path("/dev/null"));
    EXPECT_EQ(text_of(folder_ / "old.json"), "old");
    EXPECT_EQ(files(), (std::vector<std::string>{"old.json", "pipe"}));
}

TEST_F(ReportWriter, given_a_file_that_may_not_be_written_then_it_is_not_replaced_either) {
    std::ofstream(folder_ / "kept.json") << "kept";
    fs::permissions(folder_ / "kept.json", fs::perms::owner_read);
    fs::permissions(folder_, fs::perms::all);
    // Permissions do not hold for root.
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        constexpr uid_t kNobody = 65534;
        if (::geteuid() == 0 && ::setuid(kNobody) != 0) std::_Exit(2);
        std::_Exit(write_report(captured_call(), folder_ / "kept.json") ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(text_of(folder_ / "kept.json"), "kept");
    EXPECT_EQ(files().size(), 1U);
}

TEST_F(ReportWriter, given_a_scoped_capture_whose_folder_goes_then_its_report_is_in_the_temporary_folder) {
    fs::create_directory(folder_ / "temporary");
    const char* const before = std::getenv("TMPDIR");
    const std::string kept = before != nullptr ? before : "";
    ::setenv("TMPDIR", (folder_ / "temporary").c_str(), 1);
    testing::internal::CaptureStderr();
    {
        const ScopedGraphCapture capture(RunMode::NORMAL, folder_ / "runs" / "r.json");
        call("op");
        std::ofstream(folder_ / "runs") << "a file where the folder was";
    }
    const std::string said = testing::internal::GetCapturedStderr();
    before != nullptr ? ::setenv("TMPDIR", kept.c_str(), 1) : ::unsetenv("TMPDIR");
    EXPECT_FALSE(graph::is_graph_capture_active());
    ASSERT_EQ(files().size(), 3U);
    const fs::path report = *fs::directory_iterator(folder_ / "temporary");
    EXPECT_EQ(json::parse(text_of(report))["graph"].size(), 4U);
    EXPECT_NE(said.find("kept: " + report.string()), std::string::npos) << said;
    EXPECT_EQ(std::ranges::count(said, '\n'), 1);
}

TEST_F(ReportWriter, given_a_scoped_capture_saved_elsewhere_then_the_path_of_the_save_counts) {
    {
        ScopedGraphCapture capture(RunMode::NORMAL, folder_ / "first.json");
        EXPECT_THROW(capture.end_graph_capture_to_file(folder_), CaptureError);
        capture.end_graph_capture_to_file(folder_ / "second.json");
        EXPECT_THROW(capture.end_graph_capture_to_file(folder_ / "third.json"), CaptureError);
    }
    EXPECT_EQ(files(), std::vector<std::string>{"second.json"});
}

}  // namespace
}  // namespace tilemeter::report
