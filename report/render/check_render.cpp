// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/check_render.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "report/analysis/answers/peak.hpp"
#include "report/render/diff_render.hpp"
#include "report/render/verdict_render.hpp"
#include "report/text.hpp"

namespace tilemeter::analysis {

using Json = nlohmann::ordered_json;

namespace {

const char* outcome_of(GateOutcome outcome) {
    switch (outcome) {
        case GateOutcome::kWithin:
            return "within_limits";
        case GateOutcome::kCannotBeJudged:
            return "cannot_be_judged";
        case GateOutcome::kExceeded:
            return "exceeded";
        case GateOutcome::kBadInput:
            return "bad_input";
    }
    return "";
}

const char* outcome_of(GrowthAnswer answer) {
    switch (answer) {
        case GrowthAnswer::kWithin:
            return "within_limits";
        case GrowthAnswer::kBeyond:
            return "exceeded";
        case GrowthAnswer::kUnknown:
            return "cannot_be_judged";
    }
    return "";
}

Json limited_json(const MemoryUse& use, const char* unit, const std::string& source) {
    Json json = use_json(use, unit);
    json["exceeded"] = use.first_beyond_node != kNoIndex;
    if (!source.empty()) json["first_beyond_source_line"] = source;
    return json;
}

Json growth_json(const MemoryUse& before, const MemoryUse& after, GrowthAnswer answer,
                 const std::string& unit) {
    Json json{{"outcome", outcome_of(answer)}};
    json["before_peak_bytes_" + unit] = before.peak_bytes;
    json["before_bound"] = analysis::name_of(before.bound);
    json["growth_bytes_" + unit] =
        is_comparable(before, after)
            ? Json(static_cast<std::int64_t>(after.peak_bytes) - static_cast<std::int64_t>(before.peak_bytes))
            : Json(nullptr);
    return json;
}

Json report_json(const GateReport& report) {
    Json json{{"file", report.file}};
    json.update(verdict_json(report.judgement));
    json["outcome"] = outcome_of(report.outcome);
    if (report.outcome == GateOutcome::kBadInput) {
        json["error"] = report.error;
        return json;
    }
    const Judgement& judgement = report.judgement;
    json["device"] = judgement.device.empty() ? Json(nullptr) : Json(judgement.device);
    json["l1"] = limited_json(judgement.l1, "per_core", report.l1_source);
    json["dram"] = limited_json(judgement.dram, "per_bank", report.dram_source);
    json["dram_total"] = limited_json(judgement.dram_all_banks, "all_banks", report.dram_total_source);
    if (!report.operations.empty()) {
        Json operations = Json::array();
        for (const OperationUse& use : report.operations)
            operations.push_back({{"operation", use.operation},
                                  {"calls", use.calls},
                                  {"l1", limited_json(use.l1, "per_core", "")},
                                  {"dram", limited_json(use.dram, "per_bank", "")},
                                  {"dram_total", limited_json(use.dram_total, "all_banks", "")}});
        json["operations"] = std::move(operations);
    }
    if (report.baseline) {
        Json grown = Json::array();
        for (const Growth& it : report.baseline->grown) {
            const char* member =
                it.memory == MemoryType::kL1 ? "growth_bytes_per_core" : "growth_bytes_per_bank";
            grown.push_back(
                {{"operation", it.operation}, {"memory", analysis::name_of(it.memory)}, {member, it.bytes}});
        }
        json["baseline"] = {
            {"file", report.baseline->file},
            {"l1", growth_json(report.baseline->l1, judgement.l1, report.baseline->l1_growth, "per_core")},
            {"dram",
             growth_json(report.baseline->dram, judgement.dram, report.baseline->dram_growth, "per_bank")},
            {"grown", std::move(grown)}};
    }
    return json;
}

std::string use_line(const char* what, const MemoryUse& use, const std::string& source) {
    std::string text = std::string("  ") + what + "  peak " + figure_text(use);
    if (use.limit_bytes)
        text += ", " + percent_text(use.peak_bytes, *use.limit_bytes) + " of the limit of " +
                bytes_text(*use.limit_bytes) + ", " + headroom_text(use);
    if (use.first_beyond_node != kNoIndex) {
        text += "; first in " +
                (use.first_beyond_operation.empty() ? "what is older than the capture"
                                                    : use.first_beyond_operation) +
                " (node " + std::to_string(use.first_beyond_node) + (source.empty() ? "" : ", " + source) +
                ")";
    } else if (!use.operation.empty()) {
        text += "; in " + use.operation + " (node " + std::to_string(use.node) + ")";
    }
    return text + "\n";
}

/// Gaps beside a limit that is exceeded are no reasons of that; what the device refused is one.
bool decides(const GateReport& report, const Reason& reason) {
    if (report.outcome == GateOutcome::kExceeded)
        return reason.kind == Reason::Kind::kExceedsLimit || reason.kind == Reason::Kind::kGrew ||
               reason.kind == Reason::Kind::kMemoryRefused;
    return report.outcome != GateOutcome::kWithin;
}

std::string why(const GateReport& report) {
    std::string text;
    for (const Reason& it : report.judgement.reasons)
        if (decides(report, it)) text += (text.empty() ? "" : "; ") + text_of(it);
    return text;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

std::string cell(std::string text) {
    text = report::to_valid_utf8(text);
    for (char& it : text)
        if (static_cast<unsigned char>(it) < 0x20) it = ' ';
    replace_all(text, "\\", "\\\\");
    for (const auto& [from, to] : {std::pair("|", "\\|"), std::pair("`", "\\`"), std::pair("*", "\\*"),
                                   std::pair("_", "\\_"), std::pair("<", "&lt;"), std::pair("[", "\\[")})
        replace_all(text, from, to);
    return text.empty() ? "-" : text;
}

/// For XML 1.0: valid, without the characters that it has not.
std::string escaped(const std::string& raw) {
    std::string text;
    for (const char it : report::to_valid_utf8(raw)) {
        switch (it) {
            case '&':
                text += "&amp;";
                break;
            case '<':
                text += "&lt;";
                break;
            case '>':
                text += "&gt;";
                break;
            case '"':
                text += "&quot;";
                break;
            case '\n':
                text += "&#10;";
                break;
            default:
                text += static_cast<unsigned char>(it) < 0x20 ? ' ' : it;
        }
    }
    // U+FFFE and U+FFFF are no characters there.
    for (const char* no_character : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"})
        replace_all(text, no_character, "\xEF\xBF\xBD");
    return text;
}

std::string limit_text(const MemoryUse& use) {
    return use.limit_bytes ? bytes_text(*use.limit_bytes) : "-";
}

std::string share_text(const MemoryUse& use) {
    return use.limit_bytes ? percent_text(use.peak_bytes, *use.limit_bytes) : "-";
}

std::string growth_text(const GateReport& report) {
    if (!report.baseline) return "-";
    const auto one = [](const char* what, const MemoryUse& before, const MemoryUse& after) -> std::string {
        if (!is_comparable(before, after)) return std::string(what) + " ?";
        if (before.peak_bytes == after.peak_bytes) return std::string(what) + " 0 B";
        const bool more = after.peak_bytes > before.peak_bytes;
        const std::uint64_t change =
            more ? after.peak_bytes - before.peak_bytes : before.peak_bytes - after.peak_bytes;
        return std::string(what) + (more ? " +" : " -") + bytes_text(change);
    };
    return one("L1", report.baseline->l1, report.judgement.l1) + ", " +
           one("DRAM", report.baseline->dram, report.judgement.dram);
}

std::array<std::size_t, 4> counts_of(const GateAnswer& answer) {
    std::array<std::size_t, 4> counts{};
    for (const GateReport& it : answer.reports)
        ++counts[static_cast<std::size_t>(it.outcome)];
    return counts;
}

std::string counts_text(const GateAnswer& answer) {
    const auto counts = counts_of(answer);
    std::string text =
        grouped(answer.reports.size()) + (answer.reports.size() == 1 ? " report: " : " reports: ");
    bool first = true;
    for (const GateOutcome it : {GateOutcome::kBadInput, GateOutcome::kExceeded, GateOutcome::kCannotBeJudged,
                                 GateOutcome::kWithin}) {
        const std::size_t count = counts[static_cast<std::size_t>(it)];
        if (count == 0) continue;
        text += (std::exchange(first, false) ? "" : ", ") + grouped(count) + " " + words_of(it);
    }
    return text;
}

/// Reasons that no report tells: budgets of operations that none has, reports that are not there.
bool is_common(const Reason& reason) {
    return reason.kind == Reason::Kind::kOperationNotFound || reason.kind == Reason::Kind::kReportMissing;
}

std::string common_text(const GateAnswer& answer) {
    std::string text;
    for (const Reason& it : answer.reasons)
        if (is_common(it)) text += text_of(it) + "\n";
    return text;
}

}  // namespace

Json gate_json(const GateAnswer& answer) {
    Judgement worst;
    worst.verdict = answer.verdict;
    worst.reasons = answer.reasons;
    Json json = verdict_json(worst);
    json["outcome"] = outcome_of(answer.outcome);
    Json reports = Json::array();
    for (const GateReport& it : answer.reports)
        reports.push_back(report_json(it));
    json["reports"] = std::move(reports);
    json["left_out"] = answer.left_out;
    return json;
}

std::string gate_text(const GateReport& report) {
    const Judgement& judgement = report.judgement;
    std::string text = report.file + ": " + words_of(report.outcome) + "\n";
    for (const Reason& it : judgement.reasons)
        text += (decides(report, it) ? "  because " : "  note: ") + text_of(it) + "\n";
    if (report.outcome == GateOutcome::kBadInput) return text;
    text += use_line("L1 per core  ", judgement.l1, report.l1_source);
    text += use_line("DRAM per bank", judgement.dram, report.dram_source);
    if (judgement.dram_all_banks.limit_bytes)
        text += use_line("DRAM in total", judgement.dram_all_banks, report.dram_total_source);
    for (const OperationUse& use : report.operations) {
        const std::string name =
            use.operation + " (" + grouped(use.calls) + (use.calls == 1 ? " call) " : " calls) ");
        if (use.l1.limit_bytes) text += use_line((name + "L1 per core").c_str(), use.l1, "");
        if (use.dram.limit_bytes) text += use_line((name + "DRAM per bank").c_str(), use.dram, "");
        if (use.dram_total.limit_bytes)
            text += use_line((name + "DRAM in total").c_str(), use.dram_total, "");
    }
    if (report.baseline) {
        text += "  baseline " + report.baseline->file + "\n";
        text += "    L1 per core    " + change_text(report.baseline->l1, judgement.l1) + "\n";
        text += "    DRAM per bank  " + change_text(report.baseline->dram, judgement.dram) + "\n";
        for (const Growth& it : report.baseline->grown)
            text += "    grew: " + it.operation + "  +" + bytes_text(static_cast<std::uint64_t>(it.bytes)) +
                    (it.memory == MemoryType::kL1 ? " of L1 per core" : " of DRAM per bank") + "\n";
    }
    return text;
}

std::string gate_text(const GateAnswer& answer) {
    std::string text;
    for (const GateReport& it : answer.reports)
        if (it.outcome != GateOutcome::kBadInput) text += gate_text(it);
    text += common_text(answer);
    if (answer.reports.size() > 1) text += counts_text(answer) + "\n";
    return text;
}

std::string gate_markdown(const GateAnswer& answer) {
    std::string text =
        std::string("### Device memory: ") + words_of(answer.outcome) + "\n\n" + counts_text(answer) +
        "\n\n"
        "| report | verdict | L1 peak per core | limit | of it | DRAM peak per bank | limit | of it "
        "| growth | why |\n"
        "|---|---|---:|---:|---:|---:|---:|---:|---|---|\n";
    for (const GateReport& it : answer.reports) {
        const bool bad = it.outcome == GateOutcome::kBadInput;
        const MemoryUse& l1 = it.judgement.l1;
        const MemoryUse& dram = it.judgement.dram;
        text += "| " + cell(it.file) + " | " + words_of(it.outcome) + " | " + (bad ? "-" : figure_text(l1)) +
                " | " + limit_text(l1) + " | " + share_text(l1) + " | " + (bad ? "-" : figure_text(dram)) +
                " | " + limit_text(dram) + " | " + share_text(dram) + " | " + growth_text(it) + " | " +
                cell(why(it)) + " |\n";
    }
    if (const std::string common = common_text(answer); !common.empty()) text += "\n" + cell(common) + "\n";
    return text;
}

std::string gate_junit(const GateAnswer& answer) {
    const auto counts = counts_of(answer);
    const auto common = static_cast<std::size_t>(std::ranges::count_if(answer.reasons, is_common));
    const std::size_t failures = counts[static_cast<std::size_t>(GateOutcome::kExceeded)] +
                                 counts[static_cast<std::size_t>(GateOutcome::kCannotBeJudged)] + common;
    const std::string head = "tests=\"" + std::to_string(answer.reports.size() + common) + "\" failures=\"" +
                             std::to_string(failures) + "\" errors=\"" +
                             std::to_string(counts[static_cast<std::size_t>(GateOutcome::kBadInput)]) + "\"";
    std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites " + head +
                      ">\n<testsuite name=\"tilemeter check\" " + head + ">\n";
    for (const GateReport& it : answer.reports) {
        xml += "<testcase classname=\"tilemeter.check\" name=\"" + escaped(it.file) + "\"";
        if (it.outcome == GateOutcome::kWithin) {
            xml += "/>\n";
            continue;
        }
        const char* element = it.outcome == GateOutcome::kBadInput ? "error" : "failure";
        xml += std::string("><") + element + " type=\"" + outcome_of(it.outcome) + "\" message=\"" +
               escaped(std::string(words_of(it.outcome)) + ": " + why(it)) + "\">" + escaped(gate_text(it)) +
               "</" + element + "></testcase>\n";
    }
    for (const Reason& it : answer.reasons)
        if (is_common(it))
            xml += "<testcase classname=\"tilemeter.check\" name=\"" +
                   (it.kind == Reason::Kind::kReportMissing ? escaped(it.file) : "budget") +
                   "\"><failure type=\"" + analysis::name_of(it.kind) + "\" message=\"" +
                   escaped(text_of(it)) + "\"/></testcase>\n";
    return xml + "</testsuite>\n</testsuites>\n";
}

}  // namespace tilemeter::analysis
