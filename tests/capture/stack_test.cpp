// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/stack.hpp"

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capture/graph/graph_processor.hpp"
#include "capture/graph/symbolizer.hpp"
#include "capture/record/modules.hpp"
#include "tests/capture/well_formed.hpp"
#include "tests/matches.hpp"

namespace user_code {

// Outside of the library's namespace: what a user's frames look like.
[[gnu::always_inline]] inline void in_line() {
    tilemeter::graph::GraphProcessor::track_function_start("op");
    tilemeter::graph::GraphProcessor::track_function_end();
    asm volatile("");  // no tail call
}

[[gnu::noinline]] void caller() {
    in_line();
    asm volatile("");
}

}  // namespace user_code

namespace tilemeter {
namespace {

using graph::GraphProcessor;
using nlohmann::json;
using Words = std::vector<std::string>;

json function_start_of(const json& graph) {
    return *std::find_if(graph.begin(), graph.end(),
                         [](const json& node) { return node["node_type"] == "function_start"; });
}

json captured_call(graph::FrameOrder order = graph::FrameOrder::kInnermostFirst) {
    GraphProcessor::enable_stack_traces(order);
    GraphProcessor::begin_graph_capture();
    user_code::caller();
    GraphProcessor::disable_stack_traces();
    return GraphProcessor::end_graph_capture();
}

TEST(Stack, given_the_switch_then_it_says_what_it_is) {
    EXPECT_FALSE(GraphProcessor::is_stack_trace_enabled());
    GraphProcessor::enable_stack_traces();
    EXPECT_TRUE(GraphProcessor::is_stack_trace_enabled());
    GraphProcessor::disable_stack_traces();
    EXPECT_FALSE(GraphProcessor::is_stack_trace_enabled());
}

TEST(Stack, given_it_is_off_then_nodes_have_none) {
    GraphProcessor::begin_graph_capture();
    user_code::caller();
    const json graph = GraphProcessor::end_graph_capture();
    EXPECT_FALSE(function_start_of(graph).contains("stack_trace"));
}

TEST(Stack, given_it_is_on_then_function_starts_say_from_where_innermost_first) {
    const json graph = captured_call();
    test::expect_well_formed(graph);
    const Words frames = function_start_of(graph)["stack_trace"];
    for (const std::string& frame : frames)
        EXPECT_TRUE(test::has_match(frame, R"(^[^()]+\(.*\) \[0x[0-9a-f]+\]( at .+)?$)")) << frame;
    const auto place = [&](const std::string& function) {
        return std::find_if(
                   frames.begin(), frames.end(),
                   [&](const std::string& frame) { return frame.find(function) != std::string::npos; }) -
               frames.begin();
    };
    const auto caller = place("user_code::caller+0x");
    EXPECT_LE(caller, 3) << "more than the emitters before it";
    EXPECT_LT(caller, place("(main+0x"));
    EXPECT_LT(place("(main+0x"), static_cast<std::ptrdiff_t>(frames.size()));
}

TEST(Stack, given_debug_information_then_inlined_calls_and_lines_are_told) {
    const Words frames = function_start_of(captured_call())["stack_trace"];
    const auto inlined = std::find_if(frames.begin(), frames.end(), [](const std::string& frame) {
        return frame.find("(user_code::in_line [inlined])") != std::string::npos;
    });
    ASSERT_NE(inlined, frames.end()) << json(frames).dump(1);
    EXPECT_TRUE(test::has_match(*inlined, R"(stack_test\.cpp:2[0-9]$)")) << *inlined;
    ASSERT_NE(std::next(inlined), frames.end());
    EXPECT_TRUE(test::has_match(*std::next(inlined), R"(caller.*stack_test\.cpp:3[0-9]$)"))
        << *std::next(inlined);
}

TEST(Stack, given_user_frames_first_then_the_librarys_come_behind) {
    const Words frames = function_start_of(captured_call(graph::FrameOrder::kUserFramesFirst))["stack_trace"];
    EXPECT_NE(frames.front().find("user_code::"), std::string::npos) << frames.front();
    EXPECT_EQ(frames.size(), function_start_of(captured_call())["stack_trace"].size());
}

TEST(Stack, given_one_place_then_its_stack_is_kept_once) {
    std::vector<record::StackId> ids;
    for (int i = 0; i < 100; ++i)
        ids.push_back(record::capture_stack());
    EXPECT_NE(ids.front(), record::StackId::kNone);
    EXPECT_TRUE(std::all_of(ids.begin(), ids.end(), [&](auto id) { return id == ids.front(); }));
    const auto stack = record::stack_of(ids.front());
    EXPECT_EQ(record::intern_stack(stack), ids.front());
    EXPECT_EQ(record::intern_stack({}), record::StackId::kNone);
    EXPECT_TRUE(record::stack_of(record::StackId::kNone).empty());
}

TEST(Stack, given_many_threads_then_each_has_its_own) {
    std::vector<std::thread> threads;
    std::vector<record::StackId> ids(8);
    for (auto& id : ids) {
        threads.emplace_back([&id] {
            for (int i = 0; i < 1000; ++i)
                id = record::capture_stack();
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    for (const record::StackId id : ids)
        EXPECT_FALSE(record::stack_of(id).empty());
}

TEST(Stack, given_an_address_then_its_module_is_known_with_its_build_id) {
    const auto stack = record::stack_of(record::capture_stack());
    const auto module = record::module_of(stack.front());
    ASSERT_TRUE(module);
    EXPECT_NE(module->path.find("stack_test"), std::string::npos);
    EXPECT_GE(module->build_id.size(), 16U);
    EXPECT_EQ(module->build_id.find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(Stack, given_a_module_that_is_not_here_then_its_offset_is_kept) {
    record::note_module({"/nowhere/libgone.so", "00ff", 0x1000, 0x2000, 0x1000});
    graph::Symbolizer symbolizer;
    const auto frames = symbolizer.frames_at(0x1234);
    ASSERT_EQ(frames.size(), 1U);
    EXPECT_EQ(frames.front().to_text(), "/nowhere/libgone.so(+0x234) [0x1234]");
}

TEST(Stack, given_demangled_names_then_their_parameters_go) {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"ttnn::add(Tensor const&, int)", "ttnn::add"},
        {"void f<int>(int)", "f<int>"},
        {"A::b() const", "A::b"},
        {"A::operator()(int) const", "A::operator()"},
        {"f(int)::{lambda(int)#1}::operator()(int) const", "f(int)::{lambda(int)#1}::operator()"},
        {"(anonymous namespace)::g(std::vector<int, std::allocator<int> >)", "(anonymous namespace)::g"},
        {"main", "main"},
        {"f(int) [clone .part.0]", "f"},
    };
    for (const auto& [name, expected] : cases)
        EXPECT_EQ(graph::without_parameters(name), expected);
}

}  // namespace
}  // namespace tilemeter
