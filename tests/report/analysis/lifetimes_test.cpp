// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Buffers that live too long, changes, configurations.

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "report/analysis/answers/call_tree.hpp"
#include "report/analysis/answers/timeline.hpp"
#include "report/analysis/gate/compare.hpp"
#include "report/analysis/gate/internal/match_names.hpp"
#include "report/analysis/memory/fragmentation.hpp"
#include "report/analysis/nodes/load.hpp"
#include "tests/paths.hpp"
#include "tests/report/analysis/captured_report.hpp"
#include "tests/report/analysis/list_maker.hpp"

namespace tilemeter::analysis {
namespace {

using test::load_captured;

TEST(Timeline, has_the_columns_of_ttnns_table_event_by_event) {
    ListMaker maker;
    const auto buffer = maker.buffer({.per_bank = 10}, true);
    maker.begin("op");
    maker.buffer({.per_bank = 20});
    maker.deallocate_all();
    maker.piece({.size = 500});
    maker.free(buffer, {.per_bank = 10});
    maker.end();
    const NodeList list = maker.take();
    const auto rows = timeline(list, find_lifetimes(list));
    ASSERT_EQ(rows.size(), 6U);
    EXPECT_STREQ(rows[0].event, "begin_op");
    EXPECT_EQ(rows[0].total_buffer, 640U) << "what is older than the list is there from the first row on";
    EXPECT_STREQ(rows[1].event, "buffer_allocate");
    EXPECT_EQ(rows[1].total_buffer, 640U + 1280U);
    EXPECT_EQ(rows[2].total_cb, 500U);
    EXPECT_EQ(rows[2].l1_per_core, 530U);
    EXPECT_EQ(rows[3].total_buffer, 1280U);
    EXPECT_STREQ(rows[5].event, "end_op");
    EXPECT_EQ(rows[5].total_cb, 0U);
}

TEST(Survivors, show_creep_as_one_group_with_its_pace) {
    ListMaker maker;
    for (int layer = 0; layer < 8; ++layer) {
        maker.begin("layer");
        maker.buffer({.per_bank = 64, .address = 1452800 - 512 * layer});
        maker.end();
        maker.begin("other");
        maker.end();
    }
    const NodeList list = maker.take();
    const auto groups = survivors(list, find_lifetimes(list));
    ASSERT_EQ(groups.size(), 1U);
    EXPECT_EQ(groups[0].count, 8U);
    EXPECT_EQ(groups[0].bytes, 512U);
    EXPECT_EQ(groups[0].operations_between, 2.0);
    EXPECT_EQ(groups[0].lowest_address, 1452800 - 512 * 7);
}

// A user's case: a hole of 16 KiB above a larger one; 8 KiB go into it by first fit, and the next 16 KiB
// find no hole. Best fit takes the smaller hole for them.
TEST(Placement, by_best_fit_succeeds_where_first_fit_breaks_up_the_only_large_hole) {
    constexpr std::uint64_t kKiB = 1024;
    ListMaker maker;
    maker.begin("op");
    const ListMaker::BufferInfo large{.per_bank = 16 * kKiB};
    const ListMaker::BufferInfo wall{.per_bank = 4 * kKiB};
    const ListMaker::BufferInfo small{.per_bank = 8 * kKiB};
    const auto upper = maker.buffer(large);
    maker.buffer(wall);
    const auto lower = maker.buffer(small);
    maker.buffer(wall);
    maker.free(upper, large);
    maker.free(lower, small);
    maker.buffer(small);
    maker.buffer(large);
    maker.end();
    const NodeList list = maker.take();
    const MemoryLifetimes lifetimes = find_lifetimes(list);
    const L1Region region{1000, 1000 + 32 * kKiB};  // full but for the two holes
    const PlacementAnswer first = replay_placement(lifetimes, 0, region, Placement::kFirstFit);
    const PlacementAnswer best = replay_placement(lifetimes, 0, region, Placement::kBestFit);
    EXPECT_FALSE(first.fits);
    EXPECT_EQ(lifetimes.buffers[first.failing_buffer].per_bank.bytes, 16 * kKiB);
    EXPECT_TRUE(best.fits);
    EXPECT_EQ(first.lowest_address, 1000U);
    EXPECT_EQ(first.gain_of_moving_bytes, 8 * kKiB) << "of two holes of 16 and 8, then of two of 8";
    EXPECT_EQ(first.free_bytes, 24 * kKiB);
}

TEST(Placement, in_one_piece_has_nothing_to_gain) {
    ListMaker maker;
    maker.begin("op");
    const auto a = maker.buffer({.per_bank = 100});
    maker.free(a, {.per_bank = 100});
    maker.buffer({.per_bank = 50});
    maker.end();
    const NodeList list = maker.take();
    const PlacementAnswer answer = replay_placement(find_lifetimes(list), 0, {0, 1000}, Placement::kFirstFit);
    EXPECT_TRUE(answer.fits);
    EXPECT_EQ(answer.lowest_address, 900U);
    EXPECT_EQ(answer.gain_of_moving_bytes, 0U);
}

TEST(Compare, of_a_list_with_itself_is_empty) {
    for (const char* name : {"add.n150.NORMAL", "matmul_linear.n150.NORMAL", "error_oom.n150.NORMAL"})
        EXPECT_TRUE(compare(load_captured(name), load_captured(name)).differences.empty()) << name;
}

TEST(Compare, gives_one_line_for_one_changed_shape) {
    const auto run = [](std::uint64_t size) {
        ListMaker maker;
        for (int i = 0; i < 5; ++i) {
            maker.begin("op" + std::to_string(i));
            maker.begin("create_device_tensor");
            maker.buffer({.per_bank = i == 3 ? size : 100});
            maker.end();
            maker.deallocate_all();
            maker.piece({.size = i == 3 ? size * 2 : 200});
            maker.end();
        }
        return maker.take();
    };
    const auto differences = compare(run(100), run(300)).differences;
    ASSERT_EQ(differences.size(), 1U);
    EXPECT_EQ(differences[0].kind, Difference::Kind::kChangedAllocation);
    EXPECT_EQ(differences[0].path, "op3 > create_device_tensor");
    EXPECT_EQ(differences[0].after_bytes, 300U);
    EXPECT_TRUE(compare(run(300), run(300)).differences.empty());
}

TEST(Compare, names_operations_that_came_and_went) {
    const auto run = [](std::initializer_list<const char*> names) {
        ListMaker maker;
        for (const char* name : names) {
            maker.begin(name);
            maker.end();
        }
        return maker.take();
    };
    const auto differences = compare(run({"a", "b", "c", "d"}), run({"a", "c", "x", "d"})).differences;
    ASSERT_EQ(differences.size(), 2U);
    EXPECT_EQ(differences[0].kind, Difference::Kind::kRemovedOperation);
    EXPECT_EQ(differences[0].path, "b");
    EXPECT_EQ(differences[1].kind, Difference::Kind::kNewOperation);
    EXPECT_EQ(differences[1].path, "x");
}

// Against the textbook's table, on random sequences.
TEST(MatchNames, is_a_longest_common_subsequence) {
    std::mt19937 random(7);
    const auto sequence = [&] {
        std::vector<TextRef> names(random() % 40);
        for (TextRef& name : names)
            name = static_cast<TextRef>(1 + random() % 4);
        return names;
    };
    for (int round = 0; round < 2000; ++round) {
        const auto a = sequence();
        const auto b = sequence();
        std::vector<std::vector<std::size_t>> longest(a.size() + 1,
                                                      std::vector<std::size_t>(b.size() + 1, 0));
        for (std::size_t i = a.size(); i-- > 0;)
            for (std::size_t j = b.size(); j-- > 0;)
                longest[i][j] =
                    a[i] == b[j] ? longest[i + 1][j + 1] + 1 : std::max(longest[i + 1][j], longest[i][j + 1]);
        const auto pairs = internal::match_names(a, b);
        ASSERT_EQ(pairs.size(), longest[0][0]);
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            ASSERT_EQ(a[pairs[i].first], b[pairs[i].second]);
            if (i > 0) {
                ASSERT_LT(pairs[i - 1].first, pairs[i].first);
                ASSERT_LT(pairs[i - 1].second, pairs[i].second);
            }
        }
    }
}

TEST(MatchNames, of_long_and_very_different_sequences_ends) {
    std::vector<TextRef> a, b;
    for (std::uint32_t i = 0; i < 50000; ++i) {
        a.push_back(static_cast<TextRef>(1 + i % 1000));
        b.push_back(static_cast<TextRef>(2000 + i));
    }
    EXPECT_TRUE(internal::match_names(a, b).empty());
}

TEST(Configurations, are_counted_without_host_addresses) {
    ListMaker maker;
    for (const char* argument : {"0x55aa", "0x7f01", "other"}) {
        maker.begin("op");
        maker.argument(argument);
        maker.end();
    }
    const NodeList list = maker.take();
    const auto configurations_found = configurations(list, find_lifetimes(list));
    ASSERT_EQ(configurations_found.size(), 2U);
    EXPECT_EQ(configurations_found[0].count, 2U);
    EXPECT_EQ(configurations_found[0].arguments, (std::vector<std::string>{"0x"}));
}

TEST(Configurations, come_by_calls_then_by_program_memory_then_by_name) {
    ListMaker maker;
    const auto call = [&](const char* name, std::uint64_t program_bytes) {
        maker.begin(name);
        maker.argument("x");
        maker.deallocate_all();
        maker.piece({.size = program_bytes});
        maker.end();
    };
    call("b", 100);
    call("a", 100);
    call("small", 5);
    call("large", 5000);
    call("often", 5);
    call("often", 5);
    const NodeList list = maker.take();
    std::vector<std::string> order;
    for (const Configuration& it : configurations(list, find_lifetimes(list)))
        order.push_back(it.operation + " " + std::to_string(it.count) + " " +
                        std::to_string(it.program_bytes));
    EXPECT_EQ(order,
              (std::vector<std::string>{"often 2 5", "large 1 5000", "a 1 100", "b 1 100", "small 1 5"}));
}

TEST(CallTree, has_bytes_with_separators) {
    ListMaker maker;
    maker.begin("outer");
    const auto buffer = maker.buffer({.per_bank = 1'179'648});
    maker.end();
    maker.begin("next");
    maker.free(buffer, {.per_bank = 1'179'648});
    maker.end();
    const NodeList list = maker.take();
    const std::string padding(59, ' ');
    EXPECT_EQ(call_tree(list, find_lifetimes(list)),
              "outer" + padding + "       0.001 ms  L1   1,179,648 B  +1,179,648 B\n" + "next " + padding +
                  "       0.001 ms  L1   1,179,648 B  -1,179,648 B\n");
}

TEST(CallNodes, know_the_peak_of_what_they_call_and_what_stays) {
    ListMaker maker;
    maker.begin("outer");
    maker.begin("inner");
    const auto buffer = maker.buffer({.per_bank = 1000});
    maker.free(buffer, {.per_bank = 1000});
    maker.buffer({.per_bank = 10});
    maker.end();
    maker.end();
    const NodeList list = maker.take();
    const auto calls = call_nodes(list, find_lifetimes(list));
    EXPECT_EQ(calls[0].l1_peak_bytes, 1000U);
    EXPECT_EQ(calls[0].l1_change_bytes, 10);
    EXPECT_EQ(calls[1].duration_ns, 1000U);
}

}  // namespace
}  // namespace tilemeter::analysis
