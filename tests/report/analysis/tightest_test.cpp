// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/answers/tightest.hpp"

#include <algorithm>
#include <cstdint>

#include <gtest/gtest.h>

#include "report/analysis/answers/peak.hpp"
#include "tests/report/analysis/captured_report.hpp"

namespace tilemeter::analysis {
namespace {

TEST(TightestOperations, begin_with_that_of_the_peak_and_leave_its_headroom) {
    for (const char* name : {"add.n150.NORMAL", "matmul_linear.n150.NORMAL"}) {
        const NodeList list = test::load_captured(name);
        const MemoryLifetimes lifetimes = find_lifetimes(list);
        const PeakAnswer peak = find_peak(list, lifetimes);
        for (const MemoryType memory : {MemoryType::kL1, MemoryType::kDram}) {
            const MemoryPeak* const highest = memory == MemoryType::kL1 ? peak.l1() : peak.dram();
            const auto operations = tightest_operations(list, lifetimes, memory);
            ASSERT_EQ(operations.size(), operation_count(list)) << name;
            if (highest == nullptr) continue;  // nothing of the list lies there
            EXPECT_EQ(operations.front().peak_bytes, highest->bytes) << name;
            EXPECT_EQ(operations.front().headroom_bytes,
                      static_cast<std::int64_t>(*highest->limit_bytes - highest->bytes))
                << name;
            EXPECT_TRUE(
                std::is_sorted(operations.begin(), operations.end(),
                               [](const auto& a, const auto& b) { return a.peak_bytes > b.peak_bytes; }))
                << name;
        }
    }
}

TEST(TightestOperations, of_a_list_without_a_device_have_no_headroom) {
    NodeList list = test::load_captured("add.n150.NORMAL");
    list.devices.clear();
    const auto operations = tightest_operations(list, find_lifetimes(list), MemoryType::kL1);
    ASSERT_FALSE(operations.empty());
    EXPECT_FALSE(operations.front().headroom_bytes);
}

}  // namespace
}  // namespace tilemeter::analysis
