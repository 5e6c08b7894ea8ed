// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/gate/gate.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "report/analysis/memory/occupancy.hpp"
#include "report/analysis/memory/operation_source.hpp"
#include "report/text.hpp"

namespace tilemeter::analysis {
namespace {

using Json = nlohmann::json;
using Kind = Reason::Kind;

// A limit that nothing reaches: judge() measures and asks for what it needs, whatever the figure.
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kGrownShown = 5;

report::Error problem(const std::filesystem::path& file, std::string position, std::string expected,
                      std::string found) {
    return {file.string(), std::move(position), std::move(expected), std::move(found)};
}

report::Result<Json> parsed(const std::filesystem::path& path, const char* expected) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) return problem(path, "", expected, "a folder");
    std::ifstream file(path);
    if (!file) return problem(path, "", expected, "nothing that can be read");
    Json json = Json::parse(file, nullptr, false);
    if (json.is_discarded()) return problem(path, "", expected, "no JSON");
    if (!json.is_object())
        return problem(path, "", expected, std::string("JSON of type ") + json.type_name());
    return json;
}

report::Result<SizeLimit> limit_of(const Json& value) {
    if (value.is_string()) return parse_size_limit(value.get_ref<const std::string&>());
    if (value.is_number()) return parse_size_limit(value.dump());
    return report::Error{"", "", "bytes (1048576), a size (\"1MiB\") or a share (\"80%\")",
                         value.type_name()};
}

struct Names {
    const char* name;
    std::optional<SizeLimit> GateLimits::*limit;
};
constexpr Names kLimits[] = {{"max_l1", &GateLimits::l1},
                             {"max_dram_per_bank", &GateLimits::dram},
                             {"max_dram_total", &GateLimits::dram_total}};

report::Status read_limits(const Json& json, const std::filesystem::path& file, const std::string& position,
                           GateLimits& limits) {
    for (const auto& [key, value] : json.items()) {
        if (position.empty() && key == "operations") continue;
        const auto known = std::find_if(std::begin(kLimits), std::end(kLimits),
                                        [&key = key](const Names& it) { return it.name == key; });
        if (known == std::end(kLimits)) {
            report::Error unknown{file.string(), position, "", ""};
            unknown.found = no_such_limit(key);
            return unknown;
        }
        auto limit = limit_of(value);
        if (!limit) {
            report::Error wrong = limit.error();
            wrong.file = file.string();
            wrong.position = (position.empty() ? "" : position + ".") + key;
            return wrong;
        }
        limits.*known->limit = limit.value();
    }
    return {};
}

/// The wholes that limits are shares of, by device.
struct Wholes {
    std::optional<std::uint64_t> l1, dram, dram_total;
};

Wholes wholes_of(const NodeList& list, const MemoryLifetimes& lifetimes) {
    const auto device = limits_of(list, lifetimes, 0);
    Wholes wholes;
    if (!device) return wholes;
    if (device->l1_bytes != 0) wholes.l1 = device->l1_bytes;
    if (device->dram_bank_bytes != 0) wholes.dram = device->dram_bank_bytes;
    if (device->dram_bank_bytes != 0 && device->dram_banks != 0)
        wholes.dram_total = device->dram_bank_bytes * device->dram_banks;
    return wholes;
}

class Checker {
public:
    Checker(const NodeList& list, const MemoryLifetimes& lifetimes, const GateQuestion& question)
        : list_(list), lifetimes_(lifetimes), question_(question), wholes_(wholes_of(list, lifetimes)) {}

    GateReport run(const Baseline* baseline) {
        report_.file = list_.source.file;
        judge_whole();
        measure_operations();
        if (question_.growth) compare_with(baseline);
        decide();
        return std::move(report_);
    }

private:
    void judge_whole() {
        const GateLimits& limits = question_.budget.whole;
        Question question;
        question.accept_incomplete = question_.accept_incomplete;
        question.limits.l1_bytes_per_core = resolved(limits.l1, wholes_.l1);
        question.limits.dram_bytes_per_bank = resolved(limits.dram, wholes_.dram);
        question.limits.dram_bytes_all_banks = resolved(limits.dram_total, wholes_.dram_total);
        // Budgets of operations and the baseline ask for the same of the list as limits do.
        const auto ask = [](std::optional<std::uint64_t>& limit) { limit = limit.value_or(kNoLimit); };
        for (const auto& [name, of_operation] : question_.budget.operations) {
            if (of_operation.l1) ask(question.limits.l1_bytes_per_core);
            if (of_operation.dram) ask(question.limits.dram_bytes_per_bank);
            if (of_operation.dram_total) ask(question.limits.dram_bytes_all_banks);
        }
        if (question_.growth) {
            ask(question.limits.l1_bytes_per_core);
            ask(question.limits.dram_bytes_per_bank);
        }
        report_.judgement = judge(list_, lifetimes_, question);
        for (MemoryUse* use :
             {&report_.judgement.l1, &report_.judgement.dram, &report_.judgement.dram_all_banks})
            if (use->limit_bytes == kNoLimit) use->limit_bytes.reset();
        report_.l1_source = source_at(report_.judgement.l1.first_beyond_node);
        report_.dram_source = source_at(report_.judgement.dram.first_beyond_node);
        report_.dram_total_source = source_at(report_.judgement.dram_all_banks.first_beyond_node);
    }

    /// The bytes of a limit; of a share of something that is not known none that can be exceeded.
    std::optional<std::uint64_t> resolved(const std::optional<SizeLimit>& limit,
                                          std::optional<std::uint64_t> whole) {
        if (!limit) return {};
        const auto bytes = limit->of(whole);
        if (bytes) return bytes;
        share_of_unknown_ = true;
        return kNoLimit;
    }

    std::string source_at(std::uint32_t node) const {
        if (node == kNoIndex || node >= lifetimes_.scopes.of_node.size()) return {};
        return source_of(list_, lifetimes_.scopes, lifetimes_.scopes.of_node[node]);
    }

    void note(MemoryUse& use, std::uint64_t bytes, std::uint32_t node) {
        if (bytes > use.peak_bytes) {
            use.peak_bytes = bytes;
            use.node = node;
            use.operation = lifetimes_.scopes.path(list_, lifetimes_.scopes.of_node[node]);
        }
        if (use.limit_bytes && bytes > *use.limit_bytes && use.first_beyond_node == kNoIndex) {
            use.first_beyond_node = node;
            use.first_beyond_operation = lifetimes_.scopes.path(list_, lifetimes_.scopes.of_node[node]);
        }
    }

    void measure_operations() {
        std::map<std::string, std::size_t, std::less<>> places;
        for (const auto& [name, limits] : question_.budget.operations) {
            places.emplace(name, report_.operations.size());
            OperationUse& use = report_.operations.emplace_back();
            use.operation = name;
            const auto prepare = [&](MemoryUse& memory, const MemoryUse& whole,
                                     const std::optional<SizeLimit>& limit,
                                     std::optional<std::uint64_t> all) {
                memory.bound = whole.bound;
                memory.limit_bytes = resolved(limit, all);
                if (memory.limit_bytes == kNoLimit) memory.limit_bytes.reset();
            };
            prepare(use.l1, report_.judgement.l1, limits.l1, wholes_.l1);
            prepare(use.dram, report_.judgement.dram, limits.dram, wholes_.dram);
            prepare(use.dram_total, report_.judgement.dram_all_banks, limits.dram_total, wholes_.dram_total);
        }
        if (places.empty()) return;

        Occupancy occupancy(lifetimes_);
        const auto note_all = [&](OperationUse& use, std::uint32_t node) {
            for (std::uint16_t device = 0; device < lifetimes_.devices.size(); ++device) {
                note(use.l1, occupancy.l1_peak_bytes(device), node);
                note(use.dram, occupancy.tensors(device).dram_bytes, node);
                note(use.dram_total, occupancy.tensors(device).dram_total_bytes, node);
            }
        };
        auto event = lifetimes_.events.begin();
        for (const Scope& scope : lifetimes_.scopes.scopes) {
            if (scope.parent != kNoIndex) continue;
            const NodeList::Function* function = list_.function(scope.start);
            const auto place = function == nullptr ? places.end() : places.find(list_.text(function->name));
            if (place == places.end()) continue;
            OperationUse& use = report_.operations[place->second];
            ++use.calls;
            for (; event != lifetimes_.events.end() && event->node < scope.start; ++event)
                occupancy.apply(*event);
            note_all(use, scope.start);  // buffers that are there when it begins
            for (; event != lifetimes_.events.end() && event->node <= scope.end; ++event) {
                occupancy.apply(*event);
                note_all(use, event->node);
            }
        }
    }

    void compare_with(const Baseline* baseline) {
        if (baseline == nullptr) {
            missing_.push_back(Reason::of(Kind::kNoBaseline));
            return;
        }
        BaselineUse& use = report_.baseline.emplace();
        use.file = baseline->file;
        use.l1 = baseline->l1;
        use.dram = baseline->dram;
        const std::string& device = report_.judgement.device;
        if (!baseline->has_operations || baseline->is_damaged || device != baseline->device) {
            Reason& other = missing_.emplace_back(Reason::of(Kind::kNotComparable));
            other.file = baseline->file;
            const auto name = [](const std::string& it) {
                return it.empty() ? "a device that is not described" : it;
            };
            other.detail = baseline->is_damaged ? "its figures cannot be relied on"
                           : !baseline->has_operations
                               ? "it has no operation"
                               : "it was captured on " + name(baseline->device) + ", this on " + name(device);
            return;
        }
        const auto look = [&](MemoryType memory, const MemoryUse& before, const MemoryUse& after,
                              const char* unit) {
            const GrowthAnswer answer =
                judge_growth(before, after, *question_.growth, question_.accept_incomplete);
            if (answer == GrowthAnswer::kUnknown) {
                Reason& it = missing_.emplace_back(Reason::of(Kind::kNotComparable));
                it.memory = memory;
                it.bytes = after.peak_bytes;
                it.limit_bytes = before.peak_bytes;
                it.file = baseline->file;
                it.detail = std::string("of ") + name_of_memory(memory) + " it has " + figure(before) +
                            ", this " + figure(after) + " " + unit + ", so what is recorded is not the same";
            }
            if (answer == GrowthAnswer::kBeyond) {
                Reason& it = exceeded_.emplace_back(Reason::of(Kind::kGrew));
                it.memory = memory;
                it.bytes = after.peak_bytes;
                it.limit_bytes = question_.growth->allowed(before.peak_bytes);
                it.count = after.peak_bytes - before.peak_bytes;
                it.total = before.peak_bytes;
                it.node = after.node;
                it.operation = after.operation;
                it.file = baseline->file;
                it.detail = unit;
            }
            return answer;
        };
        use.l1_growth = look(MemoryType::kL1, baseline->l1, report_.judgement.l1, "per core");
        use.dram_growth = look(MemoryType::kDram, baseline->dram, report_.judgement.dram, "per bank");
        if (baseline->list == nullptr || baseline->lifetimes == nullptr) return;
        const Comparison comparison = compare(*baseline->list, *baseline->lifetimes, list_, lifetimes_);
        for (const auto& [memory, answer] :
             {std::pair(MemoryType::kL1, use.l1_growth), std::pair(MemoryType::kDram, use.dram_growth)})
            if (answer == GrowthAnswer::kBeyond)
                for (Growth& growth : comparison.grown(memory, kGrownShown))
                    use.grown.push_back(std::move(growth));
    }

    static const char* name_of_memory(MemoryType memory) { return memory == MemoryType::kL1 ? "L1" : "DRAM"; }
    static std::string figure(const MemoryUse& use) {
        return (use.bound == Bound::kExact ? "exactly " : prefix_of(use.bound)) + bytes_text(use.peak_bytes);
    }

    void decide() {
        Judgement& judgement = report_.judgement;
        const auto has_graph = [&] {
            return judgement.find(Kind::kNoGraph) == nullptr &&
                   judgement.find(Kind::kNothingCaptured) == nullptr && !list_.source.is_damaged();
        };
        for (const OperationUse& use : report_.operations) {
            const auto look = [&](const MemoryUse& memory, MemoryType kind, const char* unit) {
                if (memory.first_beyond_node == kNoIndex) return;
                if (memory.bound == Bound::kUncertain && !question_.accept_incomplete) return;
                exceeded_.push_back(memory.beyond(
                    Kind::kExceedsLimit, kind, std::string(unit) + " while " + use.operation + " is open"));
            };
            look(use.l1, MemoryType::kL1, "per core");
            look(use.dram, MemoryType::kDram, "per bank");
            look(use.dram_total, MemoryType::kDram, "over all banks");
        }
        if (share_of_unknown_ && has_graph() && judgement.find(Kind::kNoDeviceRecord) == nullptr)
            missing_.push_back(Reason::of(Kind::kNoDeviceRecord));
        const bool lacks = share_of_unknown_ || !missing_.empty();

        const bool exceeded =
            has_graph() && (judgement.verdict == Verdict::kDoesNotFit || !exceeded_.empty());
        if (exceeded)
            judgement.verdict = Verdict::kDoesNotFit;
        else if (judgement.verdict == Verdict::kFits && lacks)
            judgement.verdict = Verdict::kUnknown;
        report_.outcome = exceeded                              ? GateOutcome::kExceeded
                          : judgement.verdict == Verdict::kFits ? GateOutcome::kWithin
                                                                : GateOutcome::kCannotBeJudged;
        // Those that decided come first.
        std::vector<Reason> first = std::move(exceeded_);
        if (!exceeded) first.insert(first.end(), missing_.begin(), missing_.end());
        const std::size_t at = exceeded ? leading_limits() : 0;
        judgement.reasons.insert(judgement.reasons.begin() + static_cast<std::ptrdiff_t>(at), first.begin(),
                                 first.end());
        if (exceeded) judgement.reasons.insert(judgement.reasons.end(), missing_.begin(), missing_.end());
    }

    std::size_t leading_limits() const {
        const auto& reasons = report_.judgement.reasons;
        return static_cast<std::size_t>(
            std::find_if(reasons.begin(), reasons.end(),
                         [](const Reason& it) { return it.kind != Kind::kExceedsLimit; }) -
            reasons.begin());
    }

    const NodeList& list_;
    const MemoryLifetimes& lifetimes_;
    const GateQuestion& question_;
    const Wholes wholes_;
    bool share_of_unknown_ = false;
    std::vector<Reason> exceeded_, missing_;
    GateReport report_;
};

/// One memory in the answer of an earlier check.
report::Result<MemoryUse> read_use(const Json& report, const char* memory, const char* peak,
                                   const std::filesystem::path& file, const std::string& position) {
    const auto wrong = [&](std::string expected) {
        return problem(file, position + "." + memory, std::move(expected), "something else");
    };
    const auto use = report.find(memory);
    if (use == report.end() || !use->is_object()) return wrong("an object");
    const auto bytes = use->find(peak);
    if (bytes == use->end() || !bytes->is_number_unsigned()) return wrong(std::string(peak) + " in bytes");
    MemoryUse found;
    found.peak_bytes = bytes->get<std::uint64_t>();
    const auto bound = use->find("bound");
    for (const Bound it : {Bound::kExact, Bound::kAtLeast, Bound::kUncertain}) {
        if (bound == use->end() || !bound->is_string() || *bound != name_of(it)) continue;
        found.bound = it;
        return found;
    }
    return wrong("a bound: exact, at_least or uncertain");
}

}  // namespace

const char* words_of(GateOutcome outcome) {
    switch (outcome) {
        case GateOutcome::kWithin:
            return "within the limits";
        case GateOutcome::kCannotBeJudged:
            return "cannot be judged";
        case GateOutcome::kExceeded:
            return "exceeded";
        case GateOutcome::kBadInput:
            return "bad input";
    }
    return "";
}

std::string no_such_limit(std::string_view name) {
    if (name == "max_dram")
        return "max_dram, which had two meanings: say max_dram_per_bank (bytes of one bank) or "
               "max_dram_total "
               "(bytes over all banks)";
    return report::in_quotes(name) + ", which is none of max_l1, max_dram_per_bank, max_dram_total";
}

report::Result<Budget> read_budget(const std::filesystem::path& file) {
    constexpr const char* kExpected =
        "a budget: a JSON object with max_l1, max_dram_per_bank, max_dram_total, operations";
    const auto json = parsed(file, kExpected);
    if (!json) return json.error();
    Budget budget;
    if (const auto read = read_limits(json.value(), file, "", budget.whole); !read) return read.error();
    if (const auto operations = json.value().find("operations"); operations != json.value().end()) {
        if (!operations->is_object())
            return problem(file, "operations", "an object of limits by operation", operations->type_name());
        for (const auto& [name, limits] : operations->items()) {
            const std::string position = "operations." + name;
            if (!limits.is_object())
                return problem(file, position, "an object with limits", limits.type_name());
            if (const auto read = read_limits(limits, file, position, budget.operations[name]); !read)
                return read.error();
            if (!budget.operations[name].any()) return problem(file, position, "at least one limit", "none");
        }
    }
    if (!budget.whole.any() && budget.operations.empty()) return problem(file, "", kExpected, "no limit");
    return budget;
}

std::uint64_t GrowthLimit::allowed(std::uint64_t before) const {
    const double grown =
        bytes ? static_cast<double>(*bytes) : std::floor(static_cast<double>(before) * percent / 100.0);
    if (grown >= static_cast<double>(kNoLimit - before)) return kNoLimit;
    return before + (bytes ? *bytes : static_cast<std::uint64_t>(grown));
}

report::Result<GrowthLimit> parse_growth(std::string_view text) {
    const report::Error wrong{"", "", "a growth: a share (2%), bytes (65536) or a size (64KiB), 0 for none",
                              text.empty() ? "nothing" : report::in_quotes(text)};
    GrowthLimit limit;
    const bool share = text.ends_with('%');
    std::string_view number = share ? text.substr(0, text.size() - 1) : text;
    while (share && number.ends_with(' '))
        number.remove_suffix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    const bool is_number = !number.empty() && error == std::errc{} && end == number.data() + number.size();
    if (share) {
        if (!is_number || !(value >= 0 && value <= 1e6) || std::signbit(value)) return wrong;
        limit.percent = value;
        return limit;
    }
    if (number == "0") return limit;
    const auto size = parse_size_limit(text);
    if (!size || !size.value().bytes) return wrong;
    limit.bytes = size.value().bytes;
    return limit;
}

GrowthAnswer judge_growth(const MemoryUse& before, const MemoryUse& after, const GrowthLimit& limit,
                          bool accept_incomplete) {
    const bool beyond = after.peak_bytes > limit.allowed(before.peak_bytes);
    // At most what is known before, at least what is known now; or the other way.
    if (beyond && before.bound == Bound::kExact && after.bound != Bound::kUncertain)
        return GrowthAnswer::kBeyond;
    if (!beyond && after.bound == Bound::kExact && before.bound != Bound::kUncertain)
        return GrowthAnswer::kWithin;
    if (!accept_incomplete) return GrowthAnswer::kUnknown;
    if (!beyond) return GrowthAnswer::kWithin;
    return before.bound == after.bound ? GrowthAnswer::kBeyond : GrowthAnswer::kUnknown;
}

Baseline baseline_of(const NodeList& list, const MemoryLifetimes& lifetimes) {
    const Judgement judgement =
        judge(list, lifetimes, {.limits = {.l1_bytes_per_core = kNoLimit, .dram_bytes_per_bank = kNoLimit}});
    Baseline baseline;
    baseline.file = list.source.file;
    baseline.device = judgement.device;
    baseline.has_operations =
        judgement.find(Kind::kNoGraph) == nullptr && judgement.find(Kind::kNothingCaptured) == nullptr;
    baseline.is_damaged = list.source.is_damaged();
    baseline.l1 = judgement.l1;
    baseline.dram = judgement.dram;
    baseline.list = &list;
    baseline.lifetimes = &lifetimes;
    return baseline;
}

report::Result<std::vector<Baseline>> read_baselines(const std::filesystem::path& file) {
    constexpr const char* kExpected = "a report, or the answer of an earlier check --json";
    const auto json = parsed(file, kExpected);
    if (!json) return json.error();
    const auto schema = json.value().find("schema");
    if (schema == json.value().end() || *schema != "tilemeter.check/1")
        return problem(file, "", kExpected, "an object without \"schema\": \"tilemeter.check/1\"");
    const auto reports = json.value().find("reports");
    if (reports == json.value().end() || !reports->is_array())
        return problem(file, "reports", "a list", "something else");
    std::vector<Baseline> baselines;
    for (std::size_t i = 0; i < reports->size(); ++i) {
        const Json& report = (*reports)[i];
        const std::string position = "reports[" + std::to_string(i) + "]";
        if (!report.is_object() || !report.contains("file") || !report["file"].is_string())
            return problem(file, position, "an object with the report's file", "something else");
        if (report.contains("error") && report["error"].is_string()) continue;  // it was no report then
        const auto l1 = read_use(report, "l1", "peak_bytes_per_core", file, position);
        if (!l1) return l1.error();
        const auto dram = read_use(report, "dram", "peak_bytes_per_bank", file, position);
        if (!dram) return dram.error();
        Baseline& baseline = baselines.emplace_back();
        baseline.file = file.string();
        baseline.report = report["file"].get<std::string>();
        if (report.contains("device") && report["device"].is_string())
            baseline.device = report["device"].get<std::string>();
        if (report.contains("reasons") && report["reasons"].is_array())
            for (const Json& it : report["reasons"]) {
                const std::string kind = it.is_object() ? it.value("kind", Json()).dump() : "";
                if (kind == "\"no_graph\"" || kind == "\"nothing_captured\"") baseline.has_operations = false;
                if (kind == "\"numbers_damaged\"" || kind == "\"unknown_version\"")
                    baseline.is_damaged = true;
            }
        baseline.l1 = l1.value();
        baseline.dram = dram.value();
    }
    return baselines;
}

GateReport check_report(const NodeList& list, const MemoryLifetimes& lifetimes, const GateQuestion& question,
                        const Baseline* baseline) {
    return Checker(list, lifetimes, question).run(baseline);
}

GateReport bad_report(std::string file, std::string error) {
    GateReport report;
    report.file = std::move(file);
    Reason it = Reason::of(Kind::kBadInput);
    it.file = report.file;
    it.detail = error;
    report.judgement.reasons.push_back(std::move(it));
    report.error = std::move(error);
    return report;
}

GateAnswer gather(std::vector<GateReport> reports, const GateQuestion& question,
                  const std::vector<std::string>& missing) {
    GateAnswer answer;
    answer.reports = std::move(reports);
    const GateReport* worst = nullptr;
    for (const GateReport& it : answer.reports)
        if (worst == nullptr || it.outcome > worst->outcome) worst = &it;
    if (worst == nullptr) {
        answer.outcome = GateOutcome::kBadInput;
        return answer;
    }
    answer.outcome = worst->outcome;
    answer.verdict = worst->judgement.verdict;
    answer.reasons = worst->judgement.reasons;
    std::vector<Reason> unmet;
    for (const auto& [name, limits] : question.budget.operations) {
        bool met = false;
        for (const GateReport& it : answer.reports)
            for (const OperationUse& use : it.operations)
                met = met || (use.operation == name && use.calls != 0);
        if (met) continue;
        Reason& it = unmet.emplace_back(Reason::of(Kind::kOperationNotFound));
        it.operation = name;
    }
    const bool accepted = question.accept_incomplete && missing.empty();
    for (const std::string& file : missing)
        unmet.emplace_back(Reason::of(Kind::kReportMissing)).file = file;
    if (unmet.empty()) return answer;
    const bool decides = answer.outcome == GateOutcome::kWithin && !accepted;
    if (decides) {
        answer.outcome = GateOutcome::kCannotBeJudged;
        answer.verdict = Verdict::kUnknown;
    }
    answer.reasons.insert(decides ? answer.reasons.begin() : answer.reasons.end(), unmet.begin(),
                          unmet.end());
    return answer;
}

}  // namespace tilemeter::analysis
