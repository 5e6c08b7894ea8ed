// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The tables of TT-NN's functions beside the operations' definitions.

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tools/compat/src/call.hpp"

namespace tilemeter::compat {
namespace {

TEST(CompatTables, NameOperationsAndTheirParameters) {
    std::ifstream calls(TILEMETER_COMPAT_CALLS);
    ASSERT_TRUE(calls) << TILEMETER_COMPAT_CALLS;
    std::size_t count = 0;
    for (std::string line; std::getline(calls, line); ++count) {
        std::istringstream words(line);
        std::string operation;
        words >> operation;
        std::vector<std::string> names;
        for (std::string name; words >> name;)
            names.push_back(name);
        EXPECT_EQ(find_misfit(operation, names), "") << line;
    }
    EXPECT_GT(count, 500U);
}

TEST(CompatTables, SayWhatNoOperationTakes) {
    EXPECT_EQ(find_misfit("relu", {"input_tensor", "speed"}), " unknown speed");
    EXPECT_EQ(find_misfit("nothing", {}), "no such operation");
    const Argument number = std::int64_t{1};
    try {
        call("relu", {{"input_tensor", number}});
        FAIL() << "expected a refusal";
    } catch (const std::runtime_error& error) {
        const std::string text = error.what();
        EXPECT_EQ(text.rfind("TT_FATAL @ table_test.cpp:", 0), 0U) << text;
        EXPECT_NE(
            text.find(": ttnn::relu\ninfo:\nttnn::relu: input_tensor: no argument of this kind is modelled"),
            std::string::npos)
            << text;
    }
}

}  // namespace
}  // namespace tilemeter::compat
