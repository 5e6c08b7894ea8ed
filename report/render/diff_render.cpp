// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/diff_render.hpp"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "report/analysis/answers/peak.hpp"
#include "report/analysis/nodes/units.hpp"
#include "report/render/internal/json_values.hpp"
#include "report/render/verdict_render.hpp"

namespace tilemeter::analysis {

using Json = nlohmann::ordered_json;

namespace {

const char* unit_text(MemoryType memory) {
    if (memory == MemoryType::kSystemMemory) return " on the host";
    return is_in_l1(memory) ? " per core" : " per bank";
}

Json difference_json(const Difference& it) {
    Json json{{"kind", name_of(it.kind)}, {"operation", it.path}, {"before", it.before}, {"after", it.after}};
    json["memory"] = it.memory ? Json(name_of(*it.memory)) : Json(nullptr);
    if (it.memory && it.kind != Difference::Kind::kOnlyRecorded) {
        const std::string unit = std::string("_bytes_") + internal::unit_of(*it.memory);
        json["before" + unit] = it.before_bytes ? Json(*it.before_bytes) : Json(nullptr);
        json["after" + unit] = it.after_bytes ? Json(*it.after_bytes) : Json(nullptr);
    }
    json["count"] = it.count;
    return json;
}

Json side_json(const Judgement& judgement, const std::string& file, const std::string& mode) {
    Json json{{"file", file}};
    json.update(verdict_json(judgement));
    json["device"] = judgement.device.empty() ? Json(nullptr) : Json(judgement.device);
    json["run_mode"] = mode.empty() ? Json(nullptr) : Json(mode);
    json["l1"] = use_json(judgement.l1, "per_core");
    json["dram"] = use_json(judgement.dram, "per_bank");
    return json;
}

Json change_json(const MemoryUse& before, const MemoryUse& after, const std::string& unit) {
    const bool comparable = is_comparable(before, after);
    Json json{{"comparable", comparable}};
    json["before_peak_bytes_" + unit] = before.peak_bytes;
    json["after_peak_bytes_" + unit] = after.peak_bytes;
    json["growth_bytes_" + unit] =
        comparable
            ? Json(static_cast<std::int64_t>(after.peak_bytes) - static_cast<std::int64_t>(before.peak_bytes))
            : Json(nullptr);
    return json;
}

std::string signed_bytes(std::uint64_t before, std::uint64_t after) {
    return after >= before ? "+" + bytes_text(after - before) : "-" + bytes_text(before - after);
}

std::string difference_text(const Difference& it) {
    std::string kind = name_of(it.kind);
    std::replace(kind.begin(), kind.end(), '_', ' ');
    std::string text = kind + (it.path.empty() ? "" : "  " + it.path);
    if (it.kind == Difference::Kind::kOnlyRecorded) {
        text += ": program memory " + it.before + " before, " + it.after + " after";
    } else if (it.before_bytes && it.after_bytes) {
        const bool program = it.before.empty() && it.after.empty();
        if (program)
            text += ":";
        else
            text += ": " + it.before + (it.before == it.after ? "," : " -> " + it.after + ",");
        text += " " + bytes_text(*it.before_bytes) + " -> " + bytes_text(*it.after_bytes) +
                unit_text(*it.memory) + " (" + signed_bytes(*it.before_bytes, *it.after_bytes) + ")";
    } else if (it.before_bytes) {
        text += ": " + it.before + ", -" + bytes_text(*it.before_bytes) + unit_text(*it.memory);
    } else if (it.after_bytes) {
        text += ": " + it.after + ", +" + bytes_text(*it.after_bytes) + unit_text(*it.memory);
    }
    if (it.count > 1) text += "  x" + grouped(it.count);
    return text;
}

}  // namespace

Json diff_json(const Comparison& comparison, const std::string& before, const std::string& after,
               bool accept_incomplete) {
    Json differences = Json::array();
    for (const Difference& it : comparison.differences)
        differences.push_back(difference_json(it));
    return {{"answer", name_of(comparison.answer(accept_incomplete))},
            {"before", side_json(comparison.before, before, comparison.before_mode)},
            {"after", side_json(comparison.after, after, comparison.after_mode)},
            {"l1", change_json(comparison.before.l1, comparison.after.l1, "per_core")},
            {"dram", change_json(comparison.before.dram, comparison.after.dram, "per_bank")},
            {"differences", std::move(differences)},
            {"notes", comparison.notes()}};
}

std::string change_text(const MemoryUse& before, const MemoryUse& after) {
    std::string text = figure_text(before) + " -> " + figure_text(after);
    if (!is_comparable(before, after)) return text + ": cannot be subtracted";
    if (before.peak_bytes == after.peak_bytes) return text + ", unchanged";
    text += " (" + signed_bytes(before.peak_bytes, after.peak_bytes);
    if (before.peak_bytes != 0) {
        const bool more = after.peak_bytes > before.peak_bytes;
        const std::uint64_t change =
            more ? after.peak_bytes - before.peak_bytes : before.peak_bytes - after.peak_bytes;
        text += std::string(more ? ", +" : ", -") + percent_text(change, before.peak_bytes);
    }
    return text + ")";
}

std::string diff_text(const Comparison& comparison, const std::string& before, const std::string& after) {
    const auto side = [](const char* which, const std::string& file, const Judgement& judgement,
                         const std::string& mode) {
        return std::string(which) + file + "  (" + words_of(judgement.verdict) +
               (judgement.device.empty() ? "" : ", " + judgement.device) + (mode.empty() ? "" : ", " + mode) +
               ")\n";
    };
    std::string text = side("before         ", before, comparison.before, comparison.before_mode) +
                       side("after          ", after, comparison.after, comparison.after_mode);
    text += "L1 per core    " + change_text(comparison.before.l1, comparison.after.l1) + "\n";
    text += "DRAM per bank  " + change_text(comparison.before.dram, comparison.after.dram) + "\n";
    for (const Difference& it : comparison.differences)
        text += difference_text(it) + "\n";
    switch (comparison.answer()) {
        case Comparison::Answer::kSame:
            text += "no difference\n";
            break;
        case Comparison::Answer::kDiffer:
            if (comparison.differences.empty())
                text += "the same operations and allocations; some are released at other times\n";
            break;
        case Comparison::Answer::kUnknown:
            text += comparison.differences.empty() ? "no difference in what is recorded\n"
                                                   : "whether they differ cannot be judged\n";
            break;
    }
    for (const std::string& note : comparison.notes())
        text += "note: " + note + "\n";
    return text;
}

}  // namespace tilemeter::analysis
