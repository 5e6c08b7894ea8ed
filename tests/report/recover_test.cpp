// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/recover.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/graph/graph_processor.hpp"
#include "capture/record/emit.hpp"
#include "capture/record/text.hpp"
#include "tests/scratch_folder.hpp"

namespace tilemeter::report {
namespace {

namespace fs = std::filesystem;
using graph::CaptureOptions;
using graph::GraphProcessor;
using nlohmann::json;

class Recover : public testing::Test {
protected:
    Recover()
        : folder_(fs::temp_directory_path() / ("recover_test." + std::to_string(getpid()))),
          recording_(folder_ / "recording"),
          report_(folder_ / "report.json") {
        fs::create_directories(folder_);
    }
    ~Recover() override { fs::remove_all(folder_); }

    json report() const {
        std::ifstream file(report_);
        return json::parse(file);
    }

    const fs::path folder_;
    const fs::path recording_;
    const fs::path report_;
};

TEST_F(Recover, given_a_process_that_aborted_inside_then_its_report_is_valid_and_says_so) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        CaptureOptions options;
        options.recording = recording_;
        options.detail = record::Detail::kStacks;
        GraphProcessor::begin_graph_capture(options);
        GraphProcessor::track_function_start("ttnn.first");
        GraphProcessor::track_function_end();
        GraphProcessor::track_function_start("ttnn.hanging");
        GraphProcessor::track_function_start("inner");
        signal(SIGABRT, SIG_DFL);
        std::abort();
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));

    const auto recovered = recover_report(recording_, report_);
    ASSERT_TRUE(recovered) << recovered.error().message();
    EXPECT_EQ(recovered.value().operations, 3U);
    EXPECT_EQ(recovered.value().incomplete_operations, 2U);
    EXPECT_TRUE(recovered.value().process_died);
    const json found = report();
    EXPECT_EQ(found["version"], 1);
    EXPECT_EQ(found["metadata"]["recovered"], true);
    EXPECT_EQ(found["metadata"]["incomplete_operations"], 2);
    const json& graph = found["graph"];
    ASSERT_EQ(graph.size(), 8U);
    EXPECT_EQ(graph[5]["params"], (json{{"abort_reason", "incomplete: the recording ends inside"},
                                        {"aborted", "true"},
                                        {"name", "inner"}}));
    EXPECT_EQ(graph[6]["params"]["name"], "ttnn.hanging");
    EXPECT_FALSE(graph[2]["params"].contains("aborted"));
    // The stacks of the process that died, named in this one.
    EXPECT_NE(graph[1]["stack_trace"].dump().find("report_test"), std::string::npos);
}

TEST_F(Recover, given_something_else_then_the_error_is_one_line_and_nothing_is_written) {
    std::ofstream(recording_) << "no recording";
    const auto recovered = recover_report(recording_, report_);
    ASSERT_FALSE(recovered);
    EXPECT_NE(recovered.error().message().find("expected a recording"), std::string::npos);
    EXPECT_EQ(recovered.error().message().find('\n'), std::string::npos);
    EXPECT_FALSE(fs::exists(report_));
}

TEST_F(Recover, given_the_recording_as_report_then_it_is_refused_and_stays) {
    CaptureOptions options;
    options.recording = recording_;
    GraphProcessor::begin_graph_capture(options);
    GraphProcessor::end_capture();
    const std::string before = test::text_of(recording_);
    fs::create_symlink("recording", folder_ / "link");
    fs::create_directory(folder_ / "inner");
    for (const fs::path& path : {recording_, folder_ / "link", folder_ / "inner" / ".." / "recording"}) {
        const auto recovered = recover_report(recording_, path);
        ASSERT_FALSE(recovered) << path;
        EXPECT_TRUE(recovered.error().wrong_usage);
        EXPECT_NE(recovered.error().message().find("expected a file to write that is no input"),
                  std::string::npos);
        EXPECT_TRUE(test::text_of(recording_) == before) << path;
    }
    EXPECT_TRUE(recover_report(recording_, report_)) << "it was whole";
}

TEST_F(Recover, given_a_cut_off_file_then_what_is_there_is_recovered) {
    CaptureOptions options;
    options.recording = recording_;
    GraphProcessor::begin_graph_capture(options);
    for (int i = 0; i < 5000; ++i) {
        GraphProcessor::track_function_start("op");
        GraphProcessor::track_function_end();
    }
    GraphProcessor::end_capture();
    const auto whole = recover_report(recording_, report_);
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole.value().operations, 5000U);
    EXPECT_FALSE(whole.value().process_died);
    fs::resize_file(recording_, 65536 * 5 + 1234);
    const auto part = recover_report(recording_, report_);
    ASSERT_TRUE(part);
    EXPECT_LT(part.value().operations, 5000U);
    EXPECT_GT(part.value().operations, 500U);
}

}  // namespace
}  // namespace tilemeter::report
