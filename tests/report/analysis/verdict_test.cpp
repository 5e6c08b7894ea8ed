// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/answers/verdict.hpp"

#include <filesystem>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "report/analysis/memory/failures.hpp"
#include "report/analysis/nodes/load.hpp"
#include "tests/paths.hpp"
#include "tests/report/analysis/captured_report.hpp"
#include "tests/report/analysis/list_maker.hpp"

namespace tilemeter::analysis {
namespace {

using Kind = Reason::Kind;

/// A list with its end, captured on an n150.
NodeList whole_on_n150(ListMaker& maker) {
    maker.finish();
    NodeList list = maker.take();
    list.devices.push_back(n150());
    return list;
}

Judgement judgement_of(const NodeList& list, const Question& question = {}) {
    return judge(list, find_lifetimes(list), question);
}

constexpr std::int64_t kTopOfL1 = 1'499'136;

TEST(Verdict, of_what_ran_to_its_end_on_the_device_is_that_it_fits) {
    ListMaker maker;
    maker.begin("op");
    maker.buffer({.per_bank = 2048, .address = kTopOfL1 - 2048});
    maker.deallocate_all();
    maker.execute();  // its memory is not recorded: it ran all the same
    maker.end();
    const Judgement it = judgement_of(whole_on_n150(maker));
    EXPECT_EQ(it.verdict, Verdict::kFits);
    EXPECT_NE(it.find(Kind::kRanToItsEnd), nullptr);
    ASSERT_NE(it.find(Kind::kProgramsNotRecorded), nullptr);
    EXPECT_EQ(it.find(Kind::kProgramsNotRecorded)->count, 1U);
    EXPECT_EQ(it.l1.bound, Bound::kAtLeast);
    EXPECT_EQ(it.dram.bound, Bound::kExact);
    EXPECT_EQ(it.l1.limit_bytes, 1'393'312U);
    EXPECT_EQ(it.l1.physical_bytes, 1'499'136U);
    EXPECT_EQ(it.dram.limit_bytes, 1'072'693'184U);
}

TEST(Verdict, of_limits_of_ones_own_needs_the_programs) {
    ListMaker maker;
    maker.begin("op");
    maker.buffer({.per_bank = 2048, .address = kTopOfL1 - 2048});
    maker.deallocate_all();
    maker.execute();
    maker.end();
    const NodeList list = whole_on_n150(maker);
    EXPECT_EQ(judgement_of(list, {.limits = {.l1_bytes_per_core = 4096}}).verdict, Verdict::kUnknown);
    EXPECT_EQ(judgement_of(list, {.limits = {.l1_bytes_per_core = 4096}, .accept_incomplete = true}).verdict,
              Verdict::kFits);
    EXPECT_EQ(judgement_of(list, {.limits = {.l1_bytes_per_core = 2047}}).verdict, Verdict::kDoesNotFit);
    EXPECT_EQ(judgement_of(list, {.limits = {.dram_bytes_per_bank = 1}}).verdict, Verdict::kFits)
        << "DRAM does not ask for programs";
}

TEST(Verdict, of_sizes_without_addresses_comes_from_placing_them) {
    for (const std::uint64_t program : {600'000U, 800'000U}) {
        ListMaker maker;
        maker.begin("op");
        maker.buffer({.per_bank = 700'000});
        maker.deallocate_all();
        maker.piece({.size = program});
        maker.end();
        const Judgement it = judgement_of(whole_on_n150(maker));
        EXPECT_EQ(it.verdict, program == 600'000 ? Verdict::kFits : Verdict::kDoesNotFit);
        EXPECT_NE(it.find(Kind::kSizesWithoutAddresses), nullptr);
        EXPECT_EQ(it.l1.bound, Bound::kExact);
    }
}

TEST(Verdict, knows_holes_that_are_too_small) {
    // 400,000 thrice, the middle one freed; 500,000 are free, in two pieces.
    ListMaker maker;
    maker.begin("op");
    maker.buffer({.per_bank = 400'000});
    const auto middle = maker.buffer({.per_bank = 400'000});
    maker.buffer({.per_bank = 400'000});
    maker.free(middle, {.per_bank = 400'000});
    maker.buffer({.per_bank = 500'000});
    maker.end();
    const Judgement it = judgement_of(whole_on_n150(maker));
    EXPECT_EQ(it.verdict, Verdict::kDoesNotFit);
    ASSERT_NE(it.find(Kind::kFindsNoPlace), nullptr);
    EXPECT_EQ(it.find(Kind::kFindsNoPlace)->bytes, 500'000U);
    EXPECT_EQ(it.find(Kind::kFindsNoPlace)->limit_bytes, 400'000U);
    EXPECT_LT(it.l1.peak_bytes, 1'393'312U) << "by bytes alone it would fit";
}

TEST(Verdict, of_another_device_is_unknown_where_programs_may_plan_otherwise) {
    ListMaker maker;
    maker.begin("op");
    maker.buffer({.per_bank = 2048, .address = kTopOfL1 - 2048});
    maker.deallocate_all();
    maker.piece({.size = 4096, .address = 105'824});
    maker.end();
    const NodeList list = whole_on_n150(maker);
    DeviceLimits other = limits_of(n150());
    other.grid_y = 7;
    other.l1_banks = 56;
    const Judgement it = judgement_of(list, {.device = other});
    EXPECT_EQ(it.verdict, Verdict::kUnknown);
    ASSERT_NE(it.find(Kind::kOtherDevice), nullptr);
    EXPECT_EQ(judgement_of(list, {.device = other, .accept_incomplete = true}).verdict, Verdict::kFits);
    other.l1_bytes = 1024;
    EXPECT_EQ(judgement_of(list, {.device = other}).verdict, Verdict::kDoesNotFit)
        << "the tensor alone is too large";
    EXPECT_EQ(judgement_of(list, {.device = limits_of(n150())}).verdict, Verdict::kFits) << "the same kind";
}

TEST(Verdict, of_another_device_spreads_buffers_over_its_banks) {
    for (const std::uint64_t banks : {7, 8}) {
        ListMaker maker;
        maker.begin("op");
        maker.buffer({.per_bank = 2048, .memory = MemoryType::kDram});  // 64 pages of 2048
        maker.end();
        NodeList list = whole_on_n150(maker);
        for (NodeList::Buffer& buffer : list.buffers)
            buffer.page_size_bytes = 2048;
        const Judgement it = judgement_of(list, {.device = DeviceLimits{.name = "x",
                                                                        .l1_bytes = 1000,
                                                                        .l1_banks = 64,
                                                                        .dram_bank_bytes = 18000,
                                                                        .dram_banks = banks}});
        EXPECT_EQ(it.dram.peak_bytes, banks == 7 ? 10U * 2048U : 8U * 2048U);
        EXPECT_EQ(it.verdict, banks == 8 ? Verdict::kFits : Verdict::kDoesNotFit);
        EXPECT_EQ(it.dram.first_beyond_operation, banks == 7 ? "op" : "");
    }
}

TEST(Verdict, of_a_list_that_is_cut_off_is_never_that_it_fits) {
    ListMaker maker;
    maker.begin("op");
    maker.buffer({.per_bank = 2048, .address = kTopOfL1 - 2048});
    maker.end();
    NodeList list = maker.take();  // no capture_end
    list.devices.push_back(n150());
    const Judgement it = judgement_of(list);
    EXPECT_EQ(it.verdict, Verdict::kUnknown);
    EXPECT_NE(it.find(Kind::kNodesMissing), nullptr);
    EXPECT_EQ(it.l1.bound, Bound::kAtLeast);
}

TEST(Verdict, of_nothing_is_unknown) {
    ListMaker maker;
    const NodeList empty = whole_on_n150(maker);
    EXPECT_EQ(judgement_of(empty).verdict, Verdict::kUnknown);
    EXPECT_NE(judgement_of(empty).find(Kind::kNothingCaptured), nullptr);
    EXPECT_EQ(judgement_of(empty, {.limits = {.l1_bytes_per_core = 1}, .accept_incomplete = true}).verdict,
              Verdict::kUnknown);
}

// A program that prints in an operation of its own, goes on, has a matmul of shapes that don't fit and prints once
// more at its end. TT-NN sweeps the operation away as aborted and leaves the last print open.
TEST(Verdict, takes_no_print_for_a_failure) {
    NodeList list = test::load_captured("prints.n150.NORMAL");
    const auto failures = find_failures(list, find_scopes(list));
    ASSERT_EQ(failures.size(), 1U);
    EXPECT_EQ(failures.front().operation, "ttnn.matmul > MatmulDeviceOperation");
    const Judgement judgement = judge(list, find_lifetimes(list), {});
    EXPECT_EQ(judgement.find(Reason::Kind::kNodesMissing), nullptr);
    EXPECT_EQ(judgement.verdict, Verdict::kFailed);

    // The same end of a function in which nothing was printed is that of an operation that failed.
    bool renamed = false;
    for (NodeList::Function& function : list.functions) {
        renamed = renamed || list.text(function.name) == "ttnn::to_string";
        if (list.text(function.name) == "ttnn::to_string") function.name = list.texts.intern("ttnn::string");
    }
    EXPECT_TRUE(renamed);
    const auto swept = find_failures(list, find_scopes(list));
    ASSERT_EQ(swept.size(), 2U);
    EXPECT_EQ(swept.front().operation, "ttnn.own");
}

// TT-NN's recordings, and the truth about them: the failing script's NO_DISPATCH capture passes in TT-NN.
TEST(Verdict, of_recordings_agrees_with_what_the_device_did) {
    const std::map<std::string, Verdict> truth{{"error_clash.n150.NORMAL", Verdict::kDoesNotFit},
                                               {"error_clash.n150.NO_DISPATCH", Verdict::kDoesNotFit},
                                               {"error_oom.n150.NORMAL", Verdict::kDoesNotFit}};
    for (const auto& [name, verdict] : truth) {
        const std::string path = test::data_folder() + "/capture/" + name + ".report.json";
        auto list = load_node_list(path);
        ASSERT_TRUE(list.ok()) << path;
        const Judgement it = judgement_of(list.value());
        // For the failed ones the sidecar with the message is not beside these copies.
        const bool message_missing = it.find(Kind::kMessageNotRecorded) != nullptr;
        EXPECT_EQ(it.verdict, message_missing ? Verdict::kFailed : verdict) << name;
    }
}

}  // namespace
}  // namespace tilemeter::analysis
