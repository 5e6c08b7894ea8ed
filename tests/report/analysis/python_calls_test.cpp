// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "report/analysis/nodes/list_source.hpp"
#include "report/analysis/nodes/load.hpp"

namespace tilemeter::analysis {
namespace {

NodeList two_adds() {
    auto list = node_list_of_text(R"([
        {"counter": 0, "node_type": "capture_start", "params": {}, "connections": [1, 3, 5]},
        {"counter": 1, "node_type": "function_start", "params": {"name": "ttnn.add"}, "connections": [2]},
        {"counter": 2, "node_type": "function_end", "params": {"name": "ttnn.add"}, "connections": []},
        {"counter": 3, "node_type": "function_start", "params": {"name": "ttnn.add"}, "connections": [4]},
        {"counter": 4, "node_type": "function_end", "params": {"name": "ttnn.add"}, "connections": []},
        {"counter": 5, "node_type": "capture_end", "params": {}, "connections": []}])");
    EXPECT_TRUE(list.ok());
    return std::move(list).value();
}

TEST(AddPythonRecords, gives_each_call_of_a_capture_in_memory_its_frames_and_its_error) {
    NodeList list = two_adds();
    const auto added = add_python_records(list, R"([
        {"name": "ttnn.add", "python_stack_trace": ["  File \"model.py\", line 51, in forward\n    y = ttnn.add(a, a)\n"]},
        {"name": "ttnn.add", "error": {"type": "OutOfMemoryError", "message": "Out of Memory: no room"}},
        {"name": "ttnn.add", "error": {"type": "TypeError", "message": "refused"}}])");
    ASSERT_TRUE(added.ok());
    EXPECT_EQ(list.source.sidecar, ListSource::Sidecar::kRead);
    ASSERT_EQ(list.source.python_calls.size(), 2U);
    EXPECT_EQ(source_line(*list.source.python_call(1)), "model.py:51");
    EXPECT_EQ(list.source.python_call(3)->error_message, "Out of Memory: no room");
    ASSERT_EQ(list.source.unlisted_errors.size(), 1U);
    EXPECT_EQ(list.source.unlisted_errors.front().message, "refused");
}

TEST(AddPythonRecords, knows_that_nothing_failed_where_no_record_says_so) {
    NodeList list = two_adds();
    ASSERT_TRUE(add_python_records(list, "[]").ok());
    EXPECT_EQ(list.source.sidecar, ListSource::Sidecar::kRead);
    EXPECT_TRUE(list.source.python_calls.empty());
}

TEST(AddPythonRecords, leaves_the_list_as_it_was_where_the_records_are_none) {
    for (const auto& [text, expected] :
         {std::pair<std::string, std::string>{
              "{}", "records of calls: expected an array of records, found something else"},
          {"[{\"name\": \"ttnn.add\"}, 5]",
           "records of calls: record 1: expected an object with a name, found something else"}}) {
        NodeList list = two_adds();
        const auto added = add_python_records(list, text);
        ASSERT_FALSE(added.ok());
        EXPECT_EQ(added.error().message(), expected);
        EXPECT_EQ(list.source.sidecar, ListSource::Sidecar::kNone);
        EXPECT_TRUE(list.source.python_calls.empty());
    }
    NodeList list = two_adds();
    EXPECT_FALSE(add_python_records(list, "[").ok());
}

}  // namespace
}  // namespace tilemeter::analysis
