// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/gate/gate.hpp"

#include <string>

#include <gtest/gtest.h>

#include "report/analysis/gate/gate_reports.hpp"
#include "report/report_kind.hpp"
#include "tests/report/analysis/list_maker.hpp"
#include "tests/scratch_folder.hpp"

namespace tilemeter::analysis {
namespace {

using Kind = Reason::Kind;

GateLimits limits(const char* l1, const char* dram = nullptr, const char* dram_total = nullptr) {
    GateLimits it;
    if (l1 != nullptr) it.l1 = parse_size_limit(l1).value();
    if (dram != nullptr) it.dram = parse_size_limit(dram).value();
    if (dram_total != nullptr) it.dram_total = parse_size_limit(dram_total).value();
    return it;
}

/// Two operations: "small" holds 1,000 B of L1, "large" as long as it is open 3,000 B; 1,200 B per DRAM bank.
NodeList two_operations(bool with_device = true, bool with_programs = true) {
    ListMaker maker;
    maker.begin("small");
    maker.buffer({.per_bank = 1000, .address = 1'498'112});
    maker.buffer({.per_bank = 1200, .address = 1'048'640, .memory = MemoryType::kDram});
    maker.end();
    maker.begin("large");
    const auto at = maker.buffer({.per_bank = 2000, .address = 1'496'112});
    maker.deallocate_all();
    if (!with_programs) maker.execute();
    maker.free(at, {.per_bank = 2000, .address = 1'496'112});
    maker.end();
    maker.finish();
    NodeList list = maker.take();
    if (!with_device) return list;
    list.devices.push_back(n150());
    return list;
}

GateQuestion ask(const GateLimits& whole, bool accept_incomplete = false) {
    GateQuestion question;
    question.budget.whole = whole;
    question.accept_incomplete = accept_incomplete;
    return question;
}

GateReport checked(const NodeList& list, GateQuestion question, const Baseline* baseline = nullptr) {
    return check_report(list, find_lifetimes(list), question, baseline);
}

TEST(Gate, takes_shares_of_what_can_be_allocated) {
    // 3,000 of 1,393,312 B are 0.2153 %.
    const NodeList list = two_operations();
    const GateReport within = checked(list, ask(limits("0.22%"), true));
    EXPECT_EQ(within.outcome, GateOutcome::kWithin);
    EXPECT_EQ(within.judgement.l1.limit_bytes, 3065U);
    const GateReport beyond = checked(list, ask(limits("0.21%"), true));
    EXPECT_EQ(beyond.outcome, GateOutcome::kExceeded);
    EXPECT_EQ(beyond.judgement.verdict, Verdict::kDoesNotFit);
    EXPECT_EQ(beyond.judgement.l1.first_beyond_operation, "large");
}

TEST(Gate, cannot_judge_a_share_where_the_device_is_not_described) {
    const NodeList list = two_operations(false);
    const GateReport it = checked(list, ask(limits("80%", "1000"), true));
    EXPECT_EQ(it.outcome, GateOutcome::kExceeded) << "the other limit can be judged";
    EXPECT_EQ(it.judgement.reasons.front().kind, Kind::kExceedsLimit);
    const GateReport share = checked(list, ask(limits("80%"), true));
    EXPECT_EQ(share.outcome, GateOutcome::kCannotBeJudged);
    EXPECT_EQ(share.judgement.verdict, Verdict::kUnknown);
    EXPECT_NE(share.judgement.find(Kind::kNoDeviceRecord), nullptr);
    EXPECT_EQ(share.judgement.l1.limit_bytes, std::nullopt);
}

TEST(Gate, keeps_dram_of_a_bank_and_of_all_banks_apart) {
    const NodeList list = two_operations();  // 1,200 B per bank, 76,800 in all
    const auto outcome = [&](const char* dram, const char* total) {
        return checked(list, ask(limits(nullptr, dram, total))).outcome;
    };
    EXPECT_EQ(outcome("1200", nullptr), GateOutcome::kWithin);
    EXPECT_EQ(outcome("1199", nullptr), GateOutcome::kExceeded);
    EXPECT_EQ(outcome(nullptr, "76800"), GateOutcome::kWithin);
    EXPECT_EQ(outcome(nullptr, "76799"), GateOutcome::kExceeded);
}

TEST(Gate, measures_operations_while_they_are_open) {
    GateQuestion question = ask({}, true);
    question.budget.operations["small"] = limits("1000");
    question.budget.operations["large"] = limits("2999", "1200");
    const GateReport it = checked(two_operations(), question);
    ASSERT_EQ(it.operations.size(), 2U);
    EXPECT_EQ(it.operations[0].operation, "large");
    EXPECT_EQ(it.operations[0].l1.peak_bytes, 3000U) << "what is older counts while it is open";
    EXPECT_EQ(it.operations[0].dram.peak_bytes, 1200U);
    EXPECT_EQ(it.operations[1].l1.peak_bytes, 1000U);
    EXPECT_EQ(it.operations[1].calls, 1U);
    EXPECT_EQ(it.outcome, GateOutcome::kExceeded);
    ASSERT_EQ(it.judgement.reasons.front().kind, Kind::kExceedsLimit);
    EXPECT_EQ(it.judgement.reasons.front().detail, "per core while large is open");
    question.budget.operations["large"] = limits("3000", "1200");
    EXPECT_EQ(checked(two_operations(), question).outcome, GateOutcome::kWithin);
}

TEST(Gate, is_not_green_by_a_budget_of_an_operation_that_is_nowhere) {
    GateQuestion question;
    question.budget.operations["smal"] = limits(nullptr, "1 MiB");
    std::vector<GateReport> reports{checked(two_operations(), question)};
    EXPECT_EQ(reports.front().outcome, GateOutcome::kWithin);
    const GateAnswer answer = gather(reports, question);
    EXPECT_EQ(answer.outcome, GateOutcome::kCannotBeJudged);
    EXPECT_EQ(answer.verdict, Verdict::kUnknown);
    EXPECT_EQ(answer.reasons.front().kind, Kind::kOperationNotFound);
    question.accept_incomplete = true;
    EXPECT_EQ(gather(reports, question).outcome, GateOutcome::kWithin);
}

TEST(Gate, asks_for_the_programs_where_l1_is_limited) {
    const NodeList list = two_operations(true, false);
    GateQuestion question = ask(limits("1 MiB"));
    EXPECT_EQ(checked(list, question).outcome, GateOutcome::kCannotBeJudged);
    question.accept_incomplete = true;
    EXPECT_EQ(checked(list, question).outcome, GateOutcome::kWithin);
    EXPECT_EQ(checked(list, ask(limits(nullptr, "1 MiB"))).outcome, GateOutcome::kWithin);
    GateQuestion of_operation;
    of_operation.budget.operations["small"] = limits("1 MiB");
    EXPECT_EQ(checked(list, of_operation).outcome, GateOutcome::kCannotBeJudged);
}

TEST(Gate, cannot_judge_what_was_cut_or_is_empty) {
    ListMaker maker;
    maker.begin("op");
    maker.buffer({.per_bank = 1000, .address = 1'498'112});
    const NodeList cut = maker.take();
    EXPECT_EQ(checked(cut, ask(limits("1 MiB"))).outcome, GateOutcome::kCannotBeJudged);
    EXPECT_EQ(checked(cut, ask(limits("999"))).outcome, GateOutcome::kExceeded) << "that much it had";
    EXPECT_EQ(checked(NodeList(), ask(limits("1"), true)).outcome, GateOutcome::kCannotBeJudged)
        << "nothing captured";
}

TEST(GateGrowth, is_never_surer_than_the_figures) {
    const auto use = [](std::uint64_t bytes, Bound bound) {
        MemoryUse it;
        it.peak_bytes = bytes;
        it.bound = bound;
        return it;
    };
    const auto answer = [&](std::uint64_t before, Bound b, std::uint64_t after, Bound a,
                            bool accept = false) {
        return judge_growth(use(before, b), use(after, a), parse_growth("2%").value(), accept);
    };
    using enum GrowthAnswer;
    EXPECT_EQ(answer(1000, Bound::kExact, 1020, Bound::kExact), kWithin);
    EXPECT_EQ(answer(1000, Bound::kExact, 1021, Bound::kExact), kBeyond);
    EXPECT_EQ(answer(0, Bound::kExact, 1, Bound::kExact), kBeyond);
    EXPECT_EQ(answer(1000, Bound::kExact, 1021, Bound::kAtLeast), kBeyond);
    EXPECT_EQ(answer(1000, Bound::kExact, 900, Bound::kAtLeast), kUnknown);
    EXPECT_EQ(answer(1000, Bound::kAtLeast, 900, Bound::kExact), kWithin);
    EXPECT_EQ(answer(1000, Bound::kAtLeast, 1021, Bound::kExact), kUnknown);
    EXPECT_EQ(answer(1000, Bound::kAtLeast, 1021, Bound::kAtLeast), kUnknown);
    EXPECT_EQ(answer(1000, Bound::kUncertain, 900, Bound::kExact), kUnknown);
    EXPECT_EQ(answer(1000, Bound::kAtLeast, 1021, Bound::kExact, true), kUnknown) << "recorded otherwise";
    EXPECT_EQ(answer(1000, Bound::kAtLeast, 1021, Bound::kAtLeast, true), kBeyond);
    EXPECT_EQ(answer(1000, Bound::kAtLeast, 1020, Bound::kAtLeast, true), kWithin);
}

TEST(GateGrowth, is_a_share_or_bytes) {
    EXPECT_EQ(parse_growth("2%").value().allowed(1000), 1020U);
    EXPECT_EQ(parse_growth("150 %").value().allowed(1000), 2500U);
    EXPECT_EQ(parse_growth("0").value().allowed(1000), 1000U);
    EXPECT_EQ(parse_growth("0%").value().allowed(1000), 1000U);
    EXPECT_EQ(parse_growth("64KiB").value().allowed(1000), 66'536U);
    EXPECT_EQ(parse_growth("2%").value().allowed(UINT64_MAX - 5), UINT64_MAX);
    for (const char* text : {"", "-2%", "-0%", "%", "two", "nan%", "inf%", "1e99%", "2%%", "-5", "2 % of it"})
        EXPECT_FALSE(parse_growth(text)) << text;
}

TEST(Gate, compares_with_the_baseline) {
    const auto list_of = [](std::uint64_t bytes) {
        ListMaker maker;
        maker.begin("op");
        maker.buffer({.per_bank = bytes, .address = 1'000'000, .memory = MemoryType::kDram});
        maker.end();
        maker.finish();
        return maker.take();
    };
    const NodeList before = list_of(1000);
    const NodeList after = list_of(1100);
    const MemoryLifetimes lifetimes_before = find_lifetimes(before);
    const Baseline baseline = baseline_of(before, lifetimes_before);
    const auto with = [&](const char* growth, const Baseline* of) {
        GateQuestion question;
        question.growth = parse_growth(growth).value();
        return checked(after, question, of);
    };
    EXPECT_EQ(with("10%", &baseline).outcome, GateOutcome::kWithin);
    const GateReport grown = with("9%", &baseline);
    EXPECT_EQ(grown.outcome, GateOutcome::kExceeded);
    ASSERT_EQ(grown.judgement.reasons.front().kind, Kind::kGrew);
    EXPECT_EQ(grown.judgement.reasons.front().count, 100U);
    EXPECT_EQ(grown.judgement.reasons.front().limit_bytes, 1090U);
    ASSERT_EQ(grown.baseline->grown.size(), 1U);
    EXPECT_EQ(grown.baseline->grown[0].operation, "op");
    EXPECT_EQ(grown.baseline->grown[0].bytes, 100);

    EXPECT_EQ(with("10%", nullptr).outcome, GateOutcome::kCannotBeJudged);
    EXPECT_EQ(with("10%", nullptr).judgement.reasons.front().kind, Kind::kNoBaseline);
    Baseline other = baseline;
    other.device = "BLACKHOLE 13x10";
    EXPECT_EQ(with("10%", &other).outcome, GateOutcome::kCannotBeJudged);
    EXPECT_EQ(with("10%", &other).judgement.reasons.front().kind, Kind::kNotComparable);
    const NodeList nothing;
    const MemoryLifetimes no_lifetimes = find_lifetimes(nothing);
    const Baseline empty = baseline_of(nothing, no_lifetimes);
    EXPECT_EQ(with("10%", &empty).outcome, GateOutcome::kCannotBeJudged);
}

TEST(GateBudget, says_what_is_wrong_with_a_file) {
    const test::ScratchFolder scratch;
    const auto error = [&](const char* text) {
        const auto path = scratch.write("b.json", text);
        const auto budget = read_budget(path);
        if (budget) return std::string();
        return budget.error().message().substr(path.string().size() + 2);
    };
    EXPECT_EQ(error(R"({"max_l1": 5, "max_dram_per_bank": "1.2 MB", "max_dram_total": "80%"})"), "");
    EXPECT_EQ(error(R"({"operations": {"ttnn.add": {"max_l1": "1 kib"}}})"), "");
    EXPECT_EQ(error(R"({"max_dram": 5})").find("max_dram, which had two meanings"), 0U);
    EXPECT_EQ(error(R"({"max_l2": 5})"),
              "'max_l2', which is none of max_l1, max_dram_per_bank, max_dram_total");
    EXPECT_EQ(error(R"({"max_l1": -5})").find("max_l1: expected bytes"), 0U);
    EXPECT_EQ(error(R"({"max_l1": 0})"), "max_l1: expected a size above 0, found '0'");
    EXPECT_EQ(error(R"({"max_l1": true})"),
              "max_l1: expected bytes (1048576), a size (\"1MiB\") or a share (\"80%\"), found boolean");
    EXPECT_EQ(error(R"({"max_l1": 1e30})").find("max_l1: expected"), 0U);
    EXPECT_NE(error("{}").find("found no limit"), std::string::npos);
    EXPECT_NE(error("[]").find("found JSON of type array"), std::string::npos);
    EXPECT_NE(error("{").find("found no JSON"), std::string::npos);
    EXPECT_EQ(error(R"({"operations": {"ttnn.add": {}}})"),
              "operations.ttnn.add: expected at least one limit, found none");
    EXPECT_EQ(
        error(R"({"operations": {"ttnn.add": {"operations": {}}}})"),
        "operations.ttnn.add: 'operations', which is none of max_l1, max_dram_per_bank, max_dram_total");
    EXPECT_EQ(
        error(R"({"operations": {"ttnn.add": {"max_l1": ""}}})").find("operations.ttnn.add.max_l1: expected"),
        0U);
    EXPECT_FALSE(read_budget(scratch.path()));
    EXPECT_FALSE(read_budget(scratch.path() / "nowhere"));
}

TEST(GateReports, of_folders_and_patterns) {
    const test::ScratchFolder scratch;
    const char* report = R"({"graph": [], "metadata": {"rank": 0}})";
    scratch.write("b.json", report);
    scratch.write("a.json", report);
    scratch.write("a.python_io.json", "[]");
    scratch.write("budget.json", R"({"max_l1": 5})");
    scratch.write("notes.txt", "no JSON");
    scratch.write("model/report.json", report);
    scratch.write("model/other.json", report);
    scratch.write("model/deeper/report.json", report);
    scratch.write("empty/notes.txt", "");
    const std::string root = scratch.path().string();
    const auto names = [&](const std::vector<std::string>& arguments) {
        std::string text;
        for (const auto& it : find_reports(arguments).files)
            text += std::filesystem::relative(it, scratch.path()).string() + " ";
        return text;
    };
    EXPECT_EQ(names({root}), "a.json b.json model/report.json ");
    EXPECT_EQ(names({root + "/*.json"}), "a.json b.json ");
    EXPECT_EQ(names({root + "/m*"}), "model/deeper/report.json model/other.json model/report.json ");
    EXPECT_EQ(names({root + "/b.json", root, root + "/model/../b.json"}), "b.json a.json model/report.json ")
        << "each once";
    EXPECT_EQ(names({root + "/a.json", root + "/a.python_io.json"}), "a.json ")
        << "a shell has expanded the pattern";
    EXPECT_EQ(names({root + "/budget.json"}), "budget.json ") << "what is named is never left out";
    const FoundReports found = find_reports({root, root + "/empty", root + "/x*", root + "/nowhere.json"});
    ASSERT_EQ(found.left_out.size(), 1U);
    EXPECT_EQ(found.left_out[0], root + "/budget.json: no graph report, but an object with max_l1");
    ASSERT_EQ(found.errors.size(), 2U);
    EXPECT_EQ(found.errors[0].message(),
              root + "/empty: expected reports in it, as *.json or */report.json, found none");
    EXPECT_EQ(found.errors[1].message(),
              root + "/x*: expected a file, a folder or a pattern of reports, found no match");

    EXPECT_EQ(name_of_report("x/y.json"), "y.json");
    EXPECT_EQ(name_of_report("x/report.json"), "x/report.json");
}

}  // namespace
}  // namespace tilemeter::analysis
