// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Random calls as TT-NN planned them (tests/data/oracle, recorded by the script beside them): none of these
// was looked at when the rules were found.

#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/paths.hpp"
#include "tools/oracle_check/replay.hpp"

namespace tilemeter::oracle {
namespace {

class RecordedOperations : public testing::TestWithParam<const char*> {};

TEST_P(RecordedOperations, are_planned_as_recorded) {
    std::ifstream file(test::data_folder() + "/oracle/" + GetParam());
    ASSERT_TRUE(file.is_open());
    std::size_t rows = 0;
    for (std::string line; std::getline(file, line); ++rows) {
        const Row row = parse_row(line);
        EXPECT_EQ(difference_from_recorded(row), "")
            << GetParam() << ":" << rows + 1 << ": " << row.operation << " " << row.arguments;
    }
    EXPECT_GT(rows, 0U);
}

INSTANTIATE_TEST_SUITE_P(Transformer, RecordedOperations,
                         testing::Values("transformer_n150.jsonl", "transformer_p150.jsonl"),
                         [](const auto& each) {
                             const std::string name = each.param;
                             return name.substr(0, name.find('.'));
                         });

}  // namespace
}  // namespace tilemeter::oracle
