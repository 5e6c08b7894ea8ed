// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capture/graph/captured_graph.hpp"
#include "capture/graph/graph_processor.hpp"
#include "runtime/attach/torch/program.hpp"
#include "tests/property.hpp"

namespace tilemeter {
namespace {

using attach::torch::Program;
using nlohmann::json;

const tilemeter_emit_table& table() {
    return *tilemeter_get_emit_table(TILEMETER_EMIT_TABLE_VERSION);
}

/// A program of an emitter of its own, in a capture.
class Captured {
public:
    Captured() : program(table(), emitter(), log()), capture_(std::in_place, graph::CaptureOptions{}) {
        program.restart({0, true});
    }

    /// The capture ends.
    json nodes() {
        json made = capture_->end_capture().to_json();
        capture_.reset();
        return made;
    }

    Program program;

private:
    static std::uint8_t emitter() {
        tilemeter_emitter_info info{};
        info.name = "a framework";
        info.version = "1";
        return table().register_emitter(&info);
    }
    static tilemeter_log* log() {
        static tilemeter_log* const the_log = table().make_log();
        return the_log;
    }

    std::optional<graph::ScopedGraphCapture> capture_;
};

class TorchProgram : public testing::Test {
protected:
    json nodes() { return captured_.nodes(); }

    Captured captured_;
    Program& program_ = captured_.program;
};

struct Line {
    std::string type, name;
    std::uint64_t bytes = 0;
    friend bool operator==(const Line&, const Line&) = default;
};

/// Functions and buffers of a node list, in order.
std::vector<Line> lines_of(const json& nodes) {
    std::vector<Line> lines;
    for (const json& node : nodes) {
        const std::string type = node.at("node_type");
        const json& params = node.at("params");
        if (type == "function_start" || type == "function_end") lines.push_back({type, params.at("name")});
        if (type == "buffer_allocate" || type == "buffer_deallocate")
            lines.push_back({type, "", params.at("size").get<std::uint64_t>()});
    }
    return lines;
}

TEST_F(TorchProgram, FunctionsOfTwoThreadsNestInTheOrderTheyBegan) {
    program_.begin_function(1, "step", -1);
    program_.begin_function(2, "backward", 7);
    program_.allocate(2, 0, 4096, 100);
    program_.end_function(2);
    program_.end_function(1);

    const json list = nodes();

    const std::vector<Line> expected = {{"function_start", "step"},
                                        {"function_start", "backward"},
                                        {"buffer_allocate", "", 100},
                                        {"function_end", "backward"},
                                        {"function_end", "step"}};
    EXPECT_EQ(lines_of(list), expected);
}

TEST_F(TorchProgram, SequenceAndThreadAreArguments) {
    program_.begin_function(1, "aten::mm", 7);
    program_.end_function(1);
    program_.begin_function(2, "MmBackward0", 7);
    program_.end_function(2);

    std::vector<json> arguments;
    for (const json& node : nodes())
        if (node.at("node_type") == "function_start") arguments.push_back(node.at("arguments"));

    ASSERT_EQ(arguments.size(), 2U);
    EXPECT_EQ(arguments[0], json({"sequence=7"}));
    EXPECT_EQ(arguments[1], json({"sequence=7", "thread=1"}));
}

TEST_F(TorchProgram, AFunctionThatEndsBeforeAYoungerOnePartsIt) {
    program_.begin_function(1, "a", -1);
    program_.begin_function(2, "b", -1);
    program_.end_function(1);
    program_.allocate(2, 0, 4096, 100);
    program_.end_function(2);

    const std::vector<Line> expected = {
        {"function_start", "a"}, {"function_start", "b"},      {"function_end", "b"}, {"function_end", "a"},
        {"function_start", "b"}, {"buffer_allocate", "", 100}, {"function_end", "b"}};
    EXPECT_EQ(lines_of(nodes()), expected);
    EXPECT_EQ(program_.functions_parted(), 1U);
}

TEST_F(TorchProgram, MemoryOfAnotherThreadIsNotOfTheFunctionThatIsOpen) {
    program_.begin_function(1, "mine", -1);
    program_.allocate(2, 0, 4096, 100);
    program_.end_function(1);

    const std::vector<Line> expected = {{"function_start", "mine"},
                                        {"function_start", "(outside of functions)"},
                                        {"buffer_allocate", "", 100},
                                        {"function_end", "(outside of functions)"},
                                        {"function_end", "mine"}};
    EXPECT_EQ(lines_of(nodes()), expected);
}

TEST_F(TorchProgram, OlderBlocksAreTakenUnlessTheyWereFreedMeanwhile) {
    program_.free(1, 0, 8192);          // older, and gone
    program_.allocate(1, 0, 4096, 10);  // at the place of an older one, which was freed before
    program_.add_older({{0, 4096, 500}, {0, 8192, 600}, {0, 12288, 700}});
    program_.free(1, 0, 12288);

    const std::vector<Line> expected = {{"buffer_allocate", "", 10},
                                        {"function_start", "(older than the recording)"},
                                        {"buffer_allocate", "", 700},
                                        {"function_end", "(older than the recording)"},
                                        {"buffer_deallocate", "", 700}};
    EXPECT_EQ(lines_of(nodes()), expected);
}

TEST_F(TorchProgram, ARefusedAllocationIsAnErrorOfItsFunction) {
    program_.begin_function(1, "aten::empty", -1);
    program_.refuse(1, 0, 1000, 12);
    program_.end_function(1);

    const json list = nodes();

    const auto error = std::find_if(list.begin(), list.end(),
                                    [](const json& node) { return node.at("node_type") == "error"; });
    ASSERT_NE(error, list.end());
    EXPECT_EQ(error->at("params").at("error_type"), "torch.OutOfMemoryError");
    EXPECT_EQ(error->at("params").at("error_message"),
              "out of memory: 1000 B were asked for, device 0 had 12 B left");
    EXPECT_EQ(error->at("params").at("error_operation"), "aten::empty");
}

/// The highest sum that the list reaches, by adding up.
std::uint64_t peak_of(const json& nodes) {
    std::uint64_t live = 0;
    std::uint64_t peak = 0;
    for (const Line& line : lines_of(nodes)) {
        if (line.type == "buffer_allocate") peak = std::max(peak, live += line.bytes);
        if (line.type == "buffer_deallocate") live -= line.bytes;
    }
    return peak;
}

void try_random_steps() {
    Captured captured;
    Program& program = captured.program;
    std::map<std::uint64_t, std::uint64_t> live;
    std::array<int, 4> depth{};
    std::uint64_t now = 0;
    std::uint64_t peak = 0;
    for (int steps = test::in_range(0, 60); steps > 0; --steps) {
        const auto thread = static_cast<std::size_t>(test::in_range(0, static_cast<int>(depth.size())));
        const auto number = static_cast<std::uint64_t>(test::in_range(1, 40));
        const std::uint64_t address = 4096 * number;
        switch (test::in_range(0, 5)) {
            case 0:
                program.begin_function(thread, "f" + std::to_string(number % 3),
                                       static_cast<std::int64_t>(number));
                ++depth[thread];
                break;
            case 1:
                program.end_function(thread);  // also where none is open
                depth[thread] = std::max(0, depth[thread] - 1);
                break;
            case 2:
            case 3:
                if (live.count(address) != 0) break;
                program.allocate(thread, 0, address, number);
                live[address] = number;
                peak = std::max(peak, now += number);
                break;
            default:
                program.free(thread, 0, address);
                if (const auto block = live.find(address); block != live.end()) {
                    now -= block->second;
                    live.erase(block);
                }
        }
    }
    for (std::size_t thread = 0; thread < depth.size(); ++thread)
        for (; depth[thread] > 0; --depth[thread])
            program.end_function(thread);

    const json list = captured.nodes();

    PROPERTY_ASSERT(peak_of(list) == peak);
    std::vector<std::string> open;
    for (const Line& line : lines_of(list)) {
        if (line.type == "function_start") open.push_back(line.name);
        if (line.type != "function_end") continue;
        PROPERTY_ASSERT(!open.empty() && open.back() == line.name);
        open.pop_back();
    }
    PROPERTY_ASSERT(open.empty());
}

TEST(TorchPrograms, HaveThePeakOfTheirThreadsTogetherAndNestWell) {
    EXPECT_TRUE(test::holds_for_random_cases(try_random_steps));
}

TEST_F(TorchProgram, ThreadsThatRunAtOnceLoseNothing) {
    constexpr std::uint64_t kThreads = 4;
    constexpr std::uint64_t kRounds = 2000;
    std::mutex mutex;
    std::uint64_t now = 0;
    std::uint64_t peak = 0;
    std::vector<std::thread> threads;
    for (std::uint64_t number = 0; number < kThreads; ++number) {
        threads.emplace_back([&, number] {
            for (std::uint64_t i = 0; i < kRounds; ++i) {
                program_.begin_function(number, "f", -1);
                const std::uint64_t address = 4096 * (1 + number);
                {
                    // As an allocator's lock: the count and what is told are in one order.
                    const std::scoped_lock lock(mutex);
                    program_.allocate(number, 0, address, 1 + i);
                    peak = std::max(peak, now += 1 + i);
                }
                program_.end_function(number);
                const std::scoped_lock lock(mutex);
                program_.free(number, 0, address);
                now -= 1 + i;
            }
        });
    }
    for (std::thread& each : threads)
        each.join();

    const json list = nodes();

    EXPECT_EQ(peak_of(list), peak);
    const auto lines = lines_of(list);
    EXPECT_EQ(std::count_if(lines.begin(), lines.end(), [](const Line& line) { return line.bytes != 0; }),
              2 * kThreads * kRounds);
}

}  // namespace
}  // namespace tilemeter
