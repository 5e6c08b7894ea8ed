// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/verdict_render.hpp"

#include <nlohmann/json.hpp>

#include "report/analysis/answers/peak.hpp"
#include "report/analysis/nodes/units.hpp"
#include "report/render/internal/json_values.hpp"

namespace tilemeter::analysis {

using Json = nlohmann::ordered_json;

Json reason_json(const Reason& reason) {
    Json json{{"kind", name_of(reason.kind)}, {"text", text_of(reason)}};
    if (reason.count != 0) json["count"] = reason.count;
    if (reason.total != 0) json["total"] = reason.total;
    if (reason.bytes) json["bytes"] = *reason.bytes;
    if (reason.limit_bytes) json["limit_bytes"] = *reason.limit_bytes;
    if (reason.memory) json["memory"] = name_of(*reason.memory);
    if (reason.node != kNoIndex) json["node"] = reason.node;
    if (!reason.operation.empty()) json["operation"] = reason.operation;
    if (!reason.file.empty()) json["file"] = reason.file;
    if (!reason.detail.empty()) json["detail"] = reason.detail;
    return json;
}

Json verdict_json(const Judgement& judgement) {
    Json reasons = Json::array();
    for (const Reason& reason : judgement.reasons)
        reasons.push_back(reason_json(reason));
    return {{"verdict", name_of(judgement.verdict)}, {"reasons", std::move(reasons)}};
}

Json use_json(const MemoryUse& use, const char* unit) {
    const auto key = [unit](const char* what) { return std::string(what) + "_bytes_" + unit; };
    Json json;
    json[key("peak")] = use.peak_bytes;
    json["bound"] = name_of(use.bound);
    json[key("limit")] = internal::or_null(use.limit_bytes);
    json[key("physical")] = internal::or_null(use.physical_bytes);
    json[key("headroom")] =
        use.limit_bytes
            ? Json(static_cast<std::int64_t>(*use.limit_bytes) - static_cast<std::int64_t>(use.peak_bytes))
            : Json(nullptr);
    json["node"] = internal::node_or_null(use.node);
    json["operation"] = use.operation;
    if (use.first_beyond_node != kNoIndex) {
        json["first_beyond_node"] = use.first_beyond_node;
        json["first_beyond_operation"] = use.first_beyond_operation;
    }
    return json;
}

std::string figure_text(const MemoryUse& use) {
    return prefix_of(use.bound) + bytes_text(use.peak_bytes);
}

std::string use_text(const MemoryUse& use) {
    std::string text = prefix_of(use.bound) + both_sizes_text(use.peak_bytes);
    if (!use.limit_bytes) return text;
    text += ", " + percent_text(use.peak_bytes, *use.limit_bytes) + " of " + bytes_text(*use.limit_bytes);
    if (use.physical_bytes && *use.physical_bytes != *use.limit_bytes)
        text += " that can be allocated (" + bytes_text(*use.physical_bytes) + " physical)";
    return text;
}

std::string headroom_text(const MemoryUse& use, std::string (*amount)(std::uint64_t)) {
    if (!use.limit_bytes) return {};
    if (use.peak_bytes > *use.limit_bytes)
        return std::string("over by ") + (use.bound == Bound::kAtLeast ? "at least " : "") +
               amount(use.peak_bytes - *use.limit_bytes);
    return std::string("headroom ") +
           (use.bound == Bound::kAtLeast     ? "at most "
            : use.bound == Bound::kUncertain ? "about "
                                             : "") +
           amount(*use.limit_bytes - use.peak_bytes);
}

std::string verdict_text(const Judgement& judgement) {
    return std::string(words_of(judgement.verdict)) + ": " +
           (judgement.device.empty() ? "a device that is not described" : judgement.device) + "\n" +
           reasons_text(judgement, "  because ");
}

std::string reasons_text(const Judgement& judgement, const std::string& indent) {
    std::string text;
    for (const Reason& reason : judgement.reasons)
        text += indent + text_of(reason) + "\n";
    return text;
}

}  // namespace tilemeter::analysis
