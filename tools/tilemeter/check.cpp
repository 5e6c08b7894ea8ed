// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/analysis/gate/gate.hpp"
#include "report/analysis/gate/gate_reports.hpp"
#include "report/render/check_render.hpp"
#include "report/report_kind.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

namespace fs = std::filesystem;

struct CheckOptions {
    std::vector<std::string> reports;
    std::optional<std::string> max_l1, max_dram, max_dram_total, old_max_dram, budget, baseline, max_growth;
    std::string programs_from, summary, junit;
    bool accept_incomplete = false, accept_missing = false, json = false;
};

std::optional<analysis::SizeLimit> limit_of(const char* option, const std::optional<std::string>& text) {
    if (!text) return {};
    const auto limit = analysis::parse_size_limit(*text);
    if (!limit) throw Failure(std::string(option) + ": " + limit.error().message(), kWrongUsage);
    return limit.value();
}

analysis::GateQuestion question_of(const CheckOptions& options) {
    if (options.old_max_dram)
        throw Failure(
            "check: --max-dram had two meanings: say --max-dram-per-bank (bytes of one bank) or "
            "--max-dram-total (bytes over all banks)",
            kWrongUsage);
    analysis::GateQuestion question;
    question.accept_incomplete = options.accept_incomplete;
    analysis::GateLimits given;
    given.l1 = limit_of("--max-l1", options.max_l1);
    given.dram = limit_of("--max-dram-per-bank", options.max_dram);
    given.dram_total = limit_of("--max-dram-total", options.max_dram_total);
    if (options.max_growth) {
        if (!options.baseline) throw Failure("check: --max-growth needs --baseline", kWrongUsage);
        const auto growth = analysis::parse_growth(*options.max_growth);
        if (!growth) throw Failure("--max-growth: " + growth.error().message(), kWrongUsage);
        question.growth = growth.value();
    } else if (options.baseline) {
        question.growth = analysis::GrowthLimit{};
    }
    if (options.budget) {
        const auto budget = analysis::read_budget(*options.budget);
        if (!budget) throw Failure(budget.error().message());
        note_input(*options.budget);
        question.budget = budget.value();
    } else if (!given.any() && !question.growth) {
        throw Failure(
            "check: no limit given (--max-l1, --max-dram-per-bank, --max-dram-total, --budget, --baseline)",
            kWrongUsage);
    }
    // CheckOptions go first.
    analysis::GateLimits& whole = question.budget.whole;
    if (given.l1) whole.l1 = given.l1;
    if (given.dram) whole.dram = given.dram;
    if (given.dram_total) whole.dram_total = given.dram_total;
    return question;
}

/// The memory of earlier reports, by what --baseline names: a report, an answer of check, a folder of reports.
class Baselines {
public:
    Baselines(const std::optional<std::string>& where, const std::vector<fs::path>& reports,
              const ProgramSource& programs)
        : programs_(programs) {
        if (!where) return;
        path_ = *where;
        std::error_code error;
        if (is_in_memory(*where)) {
            kind_ = Kind::kReport;
            return;
        }
        if (!fs::exists(path_, error)) throw Failure(*where + ": No such file or directory");
        std::map<std::string, std::string> names;
        for (const fs::path& report : reports) {
            const auto [known, is_new] = names.try_emplace(analysis::name_of_report(report), report.string());
            if (!is_new)
                throw Failure("check: " + known->second + " and " + report.string() +
                                  " have one name, and baselines go by names: check them in two calls",
                              kWrongUsage);
        }
        if (fs::is_directory(path_, error)) {
            kind_ = Kind::kFolder;
            return;
        }
        if (const auto instead = report::why_no_report(path_); instead && !instead->starts_with("an array")) {
            auto read = analysis::read_baselines(path_);
            if (!read) throw Failure(read.error().message());
            note_input(path_.string());
            kind_ = Kind::kAnswer;
            answer_ = std::move(read).value();
            is_only_one_ = answer_.size() == 1 && reports.size() == 1;
            return;
        }
        if (reports.size() > 1)
            throw Failure("check: the baseline is one report, and there are " +
                              std::to_string(reports.size()) +
                              ": name a folder of reports, or the answer of an earlier check --json",
                          kWrongUsage);
        kind_ = Kind::kReport;
    }

    /// Null where there is none. Lives until the next call.
    const analysis::Baseline* of(const fs::path& report) {
        const std::string name = analysis::name_of_report(report);
        if (kind_ == Kind::kAnswer) {
            for (const analysis::Baseline& it : answer_)
                if (is_only_one_ || analysis::name_of_report(it.report) == name) return &it;
            return nullptr;
        }
        if (kind_ == Kind::kNone) return nullptr;
        const fs::path file = kind_ == Kind::kFolder ? path_ / name : path_;
        std::error_code error;
        if (!is_in_memory(file.string()) && !fs::exists(file, error)) return nullptr;
        list_ = load(file.string());
        const analysis::ProgramLibrary library = programs_.of(file);
        lifetimes_ = analysis::find_lifetimes(list_, &library);
        baseline_ = analysis::baseline_of(list_, lifetimes_);
        return &baseline_;
    }

    /// Names that the baseline has and `reports` have not.
    std::vector<std::string> missing(const std::vector<fs::path>& reports) const {
        std::vector<std::string> names;
        if (kind_ == Kind::kAnswer && !is_only_one_)
            for (const analysis::Baseline& it : answer_)
                names.push_back(analysis::name_of_report(it.report));
        if (kind_ == Kind::kFolder)
            for (const fs::path& file : analysis::find_reports({path_.string()}).files)
                names.push_back(analysis::name_of_report(file));
        for (const fs::path& report : reports)
            std::erase(names, analysis::name_of_report(report));
        return names;
    }

private:
    enum class Kind { kNone, kReport, kAnswer, kFolder };
    const ProgramSource& programs_;
    Kind kind_ = Kind::kNone;
    fs::path path_;
    std::vector<analysis::Baseline> answer_;
    bool is_only_one_ = false;
    analysis::NodeList list_;
    analysis::MemoryLifetimes lifetimes_;
    analysis::Baseline baseline_;
};

/// CI's files of summaries are added to, step by step.
void append_text(const std::string& path, const std::string& text) {
    if (path == "-") return write_text(path, text);
    check_output(path);
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::app);
    file << text;
    file.close();
    if (!file) throw cannot_be_written(path, errno);
}

/// Captures in memory, then what files, folders and patterns lead to.
analysis::FoundReports find_reports(const std::vector<std::string>& arguments) {
    std::vector<std::string> places;
    std::vector<fs::path> in_memory;
    for (const std::string& it : arguments) {
        if (is_in_memory(it))
            in_memory.emplace_back(it);
        else
            places.push_back(it);
    }
    analysis::FoundReports found = analysis::find_reports(places);
    found.files.insert(found.files.begin(), in_memory.begin(), in_memory.end());
    return found;
}

int status_of(analysis::GateOutcome outcome) {
    switch (outcome) {
        case analysis::GateOutcome::kWithin:
            return kDone;
        case analysis::GateOutcome::kCannotBeJudged:
            return kCannotBeJudged;
        case analysis::GateOutcome::kExceeded:
            return kExceeded;
        case analysis::GateOutcome::kBadInput:
            return kBadInput;
    }
    return kBadInput;
}

void run_check(const CheckOptions& options) {
    if ((options.json || options.junit == "-") &&
        (options.summary == "-" || (options.json && options.junit == "-")))
        throw Failure("check: --json, --summary-md - and --junit - would all write to standard output",
                      kWrongUsage);
    const analysis::GateQuestion question = question_of(options);
    const analysis::FoundReports found = find_reports(options.reports);
    const ProgramSource programs(options.programs_from);
    Baselines baselines(options.baseline, found.files, programs);
    std::vector<analysis::GateReport> reports;
    for (const report::Error& error : found.errors)
        reports.push_back(analysis::bad_report(error.file, error.message()));
    for (const fs::path& file : found.files) {
        try {
            const analysis::NodeList list = load(file.string());
            const analysis::ProgramLibrary library = programs.of(file);
            const analysis::MemoryLifetimes lifetimes = analysis::find_lifetimes(list, &library);
            const analysis::Baseline* baseline = question.growth ? baselines.of(file) : nullptr;
            reports.push_back(analysis::check_report(list, lifetimes, question, baseline));
            reports.back().file = file.string();
        } catch (const Failure& failure) {
            reports.push_back(analysis::bad_report(file.string(), failure.what()));
        }
    }
    const bool asks_for_all = question.growth && !options.accept_missing;
    analysis::GateAnswer answer =
        analysis::gather(std::move(reports), question,
                         asks_for_all ? baselines.missing(found.files) : std::vector<std::string>());
    answer.left_out = found.left_out;
    if (!options.summary.empty()) append_text(options.summary, analysis::gate_markdown(answer));
    if (!options.junit.empty()) write_text(options.junit, analysis::gate_junit(answer));
    // One that is bad is told as by all verbs.
    if (answer.reports.size() == 1 && answer.outcome == analysis::GateOutcome::kBadInput)
        throw Failure(answer.reports.front().error);
    if (options.json)
        print_answer("check", analysis::gate_json(answer));
    else if (options.summary != "-" && options.junit != "-")
        std::cout << analysis::gate_text(answer);
    std::cout.flush();
    for (const std::string& it : answer.left_out)
        std::cerr << "tilemeter: " << it << ", left out\n";
    for (const analysis::GateReport& it : answer.reports)
        if (it.outcome == analysis::GateOutcome::kBadInput) std::cerr << "tilemeter: " << it.error << '\n';
    throw Answered{status_of(answer.outcome)};
}

}  // namespace

command::Verb check_verb() {
    auto options = std::make_shared<CheckOptions>();
    return {
        .name = "check",
        .documentation =
            "Reports against limits and against what they took before; exit status 3 where exceeded",
        .parameters =
            {{"report",
              &options->reports,
              "reports, node lists, folders (their *.json and */report.json), quoted patterns",
              {.required = true}},
             {"--max-l1", &options->max_l1,
              "L1 per core: 1048576, 1MiB, \"1.2 MB\", or a share of what can be allocated: 80%"},
             {"--max-dram-per-bank", &options->max_dram, "DRAM of one bank, in the same ways"},
             {"--max-dram-total", &options->max_dram_total, "DRAM over all banks, in the same ways"},
             {"--max-dram", &options->old_max_dram, "", {.hidden = true}},
             {"--budget", &options->budget,
              "JSON file {\"max_l1\": .., \"max_dram_per_bank\": .., \"max_dram_total\": .., "
              "\"operations\": {\"ttnn.matmul\": {\"max_l1\": ..}}}; options go first"},
             {"--baseline", &options->baseline,
              "what it took before: a report, the answer of an earlier check --json, or a folder of reports "
              "of the same names"},
             {"--max-growth", &options->max_growth,
              "how much L1 per core and DRAM per bank may be above the baseline: 2%, 64KiB; default: 0"},
             {"--programs-from", &options->programs_from,
              "another capture of the workload that recorded its programs, or a folder of such: of a report that of the "
              "same name, else all of them"},
             {"--allow-missing", &options->accept_missing,
              "accept that reports which the baseline has are not among the reports"},
             {"--allow-incomplete", &options->accept_incomplete,
              "take what is recorded for all there is (never what failed)"},
             {"--summary-md", &options->summary,
              "adds a Markdown table to this file, \"$GITHUB_STEP_SUMMARY\"; -: standard output"},
             {"--junit", &options->junit, "writes JUnit's XML to this file; -: standard output"},
             {"--json", &options->json, "machine-readable"}},
        .example = "tilemeter check report.json --max-l1 90%",
        .run = [options] { run_check(*options); }};
}

}  // namespace tilemeter::cli
