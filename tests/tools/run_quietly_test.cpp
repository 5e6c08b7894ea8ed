// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <atomic>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <thread>
#include <utility>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/analysis/nodes/load.hpp"
#include "tools/tilemeter/run.hpp"

namespace tilemeter::cli {
namespace {

std::shared_ptr<const analysis::NodeList> one_buffer() {
    auto list = analysis::node_list_of_text(R"([
        {"counter": 0, "node_type": "capture_start", "params": {}, "connections": [1, 4]},
        {"counter": 1, "node_type": "function_start", "params": {"name": "ttnn.ones"}, "connections": [2, 3]},
        {"counter": 2, "node_type": "buffer_allocate",
         "params": {"address": "1024", "size": "4096", "num_cores": "1", "type": "L1", "layout": "INTERLEAVED",
                    "device_id": "0"}, "connections": []},
        {"counter": 3, "node_type": "function_end", "params": {"name": "ttnn.ones"}, "connections": []},
        {"counter": 4, "node_type": "capture_end", "params": {}, "connections": []}])");
    EXPECT_TRUE(list.ok());
    return std::make_shared<const analysis::NodeList>(std::move(list).value());
}

/// Takes standard output while it lives, as a terminal would.
class Terminal {
public:
    Terminal() : before_(std::cout.rdbuf(text_.rdbuf())) {}
    ~Terminal() { std::cout.rdbuf(before_); }
    std::string text() const { return text_.str(); }

private:
    std::ostringstream text_;
    std::streambuf* before_;
};

TEST(RunQuietly, answers_of_a_list_in_memory_and_prints_nothing) {
    const Terminal terminal;
    const auto printed =
        run_quietly({{"tree", "capture"}, {"peak", "capture", "--json"}}, {{"capture", one_buffer()}});
    ASSERT_EQ(printed.size(), 2U);
    EXPECT_EQ(printed[0].status, 0);
    EXPECT_NE(printed[0].output.find("ttnn.ones"), std::string::npos) << printed[0].output;
    EXPECT_EQ(nlohmann::json::parse(printed[1].output)["devices"].size(), 1U);
    EXPECT_EQ(printed[1].errors, "");
    EXPECT_EQ(terminal.text(), "");
}

TEST(RunQuietly, says_what_is_wrong_in_one_line_and_with_the_programs_status) {
    const auto printed = run_quietly({{"peak", "/nonexistent/report.json"}, {"peek"}, {"--help"}}, {});
    EXPECT_EQ(printed[0].status, 1);
    EXPECT_EQ(
        printed[0].errors,
        "tilemeter: /nonexistent/report.json: expected a readable file, found No such file or directory\n");
    EXPECT_EQ(printed[1].status, 2);
    EXPECT_EQ(printed[2].status, 0);
    EXPECT_EQ(printed[2].errors, "");
}

TEST(RunQuietly, forgets_its_lists_afterwards) {
    EXPECT_EQ(run_quietly({{"tree", "capture"}}, {{"capture", one_buffer()}})[0].status, 0);
    EXPECT_EQ(run_quietly({{"tree", "capture"}}, {})[0].status, 1);
}

TEST(RunQuietly, leaves_what_other_threads_print_and_the_format_of_the_stream) {
    Terminal terminal;
    std::atomic<bool> done = false;
    std::atomic<int> lines = 0;
    std::cout << std::hex;
    std::thread other([&] {
        while (!done || lines < 10) {
            std::cout.rdbuf()->sputn("other\n", 6);
            ++lines;
        }
    });
    std::string outputs;
    for (int i = 0; i < 20; ++i)
        outputs += run_quietly({{"tree", "capture"}}, {{"capture", one_buffer()}})[0].output;
    done = true;
    other.join();
    EXPECT_EQ(outputs.find("other"), std::string::npos);
    EXPECT_EQ(terminal.text().size(), static_cast<std::size_t>(lines) * 6);
    std::cout << 255;
    EXPECT_TRUE(terminal.text().ends_with("ff"));
    std::cout << std::dec;
}

}  // namespace
}  // namespace tilemeter::cli
