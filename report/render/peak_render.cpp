// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/peak_render.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "report/analysis/nodes/units.hpp"
#include "report/render/internal/json_values.hpp"
#include "report/render/verdict_render.hpp"

namespace tilemeter::analysis {
namespace {

using Json = nlohmann::ordered_json;

MemoryUse use_of(const MemoryPeak& peak) {
    MemoryUse use;
    use.peak_bytes = peak.bytes;
    use.bound = peak.bound;
    use.limit_bytes = peak.limit_bytes;
    use.physical_bytes = peak.physical_bytes;
    use.node = peak.bytes != 0 ? peak.node : kNoIndex;
    use.operation = peak.path;
    return use;
}

const char* json_name(GroupBy by) {
    switch (by) {
        case GroupBy::kAlike:
            return "name";
        case GroupBy::kLine:
            return "source_line";
        case GroupBy::kOperation:
            return "operation";
        case GroupBy::kShape:
            return "shape";
    }
    return "";
}

Json contributor_json(const Contributor& it, const std::string& unit) {
    Json json{{"bytes_" + unit, it.bytes}, {"share", name_of(it.share)}};
    json["memory"] = it.share == Share::kProgram ? name_of(it.kind) : name_of(it.memory);
    json["name"] = it.name;
    if (it.share != Share::kProgram) {
        json["tensor_id"] = internal::or_null(it.tensor_id);
        json["viewer_tensor_id"] = internal::or_null(it.viewer_tensor_id);
    }
    json["shape"] = internal::or_null(it.shape);
    json["operation"] = it.made_by;
    json["source_line"] = internal::or_null(it.source_line);
    json["node"] = internal::node_or_null(it.node);
    json["address"] = internal::or_null(it.address);
    json["before_window"] = it.before_window;
    if (!it.core_ranges.empty()) json["core_ranges"] = it.core_ranges;
    return json;
}

Json memory_json(const MemoryPeak& peak, const char* unit_name, const PeakView& view) {
    const std::string unit = unit_name;
    const auto key = [&unit](const char* what) { return std::string(what) + "_bytes_" + unit; };
    Json json = use_json(use_of(peak), unit_name);
    json["source_line"] = internal::or_null(peak.source_line);
    if (unit == "per_core") {
        json["core"] = peak.core ? Json{peak.core->x, peak.core->y} : Json(nullptr);
        json["chip"] = peak.chip ? Json(*peak.chip) : Json(nullptr);
        json[key("program")] = peak.program_bytes;
    } else {
        json["peak_bytes_all_banks"] = peak.total_bytes;
    }
    json[key("temporary")] = peak.temporary_bytes;
    json[key("persistent")] = peak.persistent_bytes;
    json[key("stale")] = peak.stale_bytes;
    Json contributors = Json::array();
    for (const Contributor& it : peak.contributors) {
        if (contributors.size() >= view.top) break;
        contributors.push_back(contributor_json(it, unit));
    }
    json["contributors_left_out"] = peak.contributors.size() - contributors.size();
    json["contributors"] = std::move(contributors);
    if (view.by == GroupBy::kAlike) return json;
    Json groups = Json::array();
    const auto all = grouped_contributors(peak.contributors, view.by);
    for (const ContributorGroup& group : all) {
        if (groups.size() >= view.top) break;
        const Contributor& first = peak.contributors[group.members.front()];
        groups.push_back({{json_name(view.by), internal::or_null(group_key(first, view.by))},
                          {"bytes_" + unit, group.bytes},
                          {"count", group.members.size()},
                          {"before_window", first.before_window}});
    }
    json["groups_left_out"] = all.size() - groups.size();
    json["groups"] = std::move(groups);
    return json;
}

/// "  by ttnn.relu > ... at model.py:51"; where it comes from, as far as it is known.
std::string origin(const Contributor& it) {
    if (it.before_window) return "  (older than the capture)";
    std::string text;
    if (!it.made_by.empty()) text = "  by " + it.made_by;
    if (!it.source_line.empty()) text += (text.empty() ? "  at " : " at ") + it.source_line;
    return text;
}

std::string padded(std::string text, std::size_t width, bool left) {
    if (text.size() >= width) return text;
    text.insert(left ? text.size() : 0, width - text.size(), ' ');
    return text;
}

/// A share of the peak in eighths of a column, with the blanks behind it.
std::string bar_text(std::uint64_t bytes, std::uint64_t peak, const PeakView& view) {
    if (view.bar_columns == 0 || peak == 0) return {};
    constexpr std::array<const char*, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const double share = std::min(1.0, static_cast<double>(bytes) / static_cast<double>(peak));
    const auto eighths = static_cast<std::size_t>(share * static_cast<double>(view.bar_columns) * 8 + 0.5);
    std::string bar;
    for (std::size_t i = 0; i < eighths / 8; ++i)
        bar += "█";
    bar += kEighths[eighths % 8];
    const std::size_t used = (eighths + 7) / 8;
    return view.bar_colour + bar + view.bar_end + std::string(view.bar_columns - used + 2, ' ');
}

std::string alike_line(const MemoryPeak& peak, const ContributorGroup& group, const PeakView& view) {
    const Contributor& first = peak.contributors[group.members.front()];
    std::string line = "  " + padded(grouped(group.bytes), 15, false) + "  " +
                       bar_text(group.bytes, peak.bytes, view) + padded(name_of(first.share), 11, true) +
                       title_of(group, peak.contributors);
    if (group.members.size() > 1)
        line += "  " + grouped(first.bytes) + " each, " + short_bytes_text(group.bytes) + " in all";
    return line + origin(first) + "\n";
}

std::string group_line(const MemoryPeak& peak, const ContributorGroup& group, const PeakView& view) {
    const GroupBy by = view.by;
    const Contributor& first = peak.contributors[group.members.front()];
    std::string key = group_key(first, by);
    if (key.empty())
        key = first.before_window     ? "(older than the capture)"
              : by == GroupBy::kLine  ? "(line not recorded)"
              : by == GroupBy::kShape ? "(shape not recorded)"
                                      : "(outside of all operations)";
    const bool of_programs = std::ranges::all_of(group.members, [&](std::uint32_t member) {
        return peak.contributors[member].share == Share::kProgram;
    });
    const std::string one = of_programs ? "piece of a program" : "buffer";
    const std::string many = of_programs ? "pieces of programs" : "buffers";
    return "  " + padded(grouped(group.bytes), 15, false) + "  " + bar_text(group.bytes, peak.bytes, view) +
           key + "  (" + std::to_string(group.members.size()) + " " +
           (group.members.size() == 1 ? one : many) + ")\n";
}

std::string contributors_text(const MemoryPeak& peak, const PeakView& view) {
    std::string text;
    std::size_t shown = 0;
    std::size_t members = 0;
    const auto groups = grouped_contributors(peak.contributors, view.by);
    for (const ContributorGroup& group : groups) {
        if (shown == view.top) break;
        ++shown;
        members += group.members.size();
        text += view.by == GroupBy::kAlike ? alike_line(peak, group, view) : group_line(peak, group, view);
    }
    if (const std::size_t left = peak.contributors.size() - members; left != 0)
        text += "  ... " + std::to_string(left) + " more\n";
    const auto has_line = [](const Contributor& it) { return !it.source_line.empty(); };
    if (view.by == GroupBy::kLine && std::ranges::none_of(peak.contributors, has_line))
        text +=
            "  no line was recorded: capture with ttnn.graph.enable_python_stack_traces(), and keep the "
            "report's .python_io.json beside it\n";
    return text;
}

/// True if nothing beside the list's own mentions can have been there.
bool is_whole(const Judgement& judgement) {
    using Kind = Reason::Kind;
    return std::ranges::none_of(judgement.reasons, [](const Reason& it) {
        switch (it.kind) {
            case Kind::kNoGraph:
            case Kind::kNothingCaptured:
            case Kind::kNodesMissing:
            case Kind::kEventsDropped:
            case Kind::kProcessDied:
            case Kind::kMemoryNotSeen:
            case Kind::kCutShort:
            case Kind::kFailureNotInList:
            case Kind::kProgramsNotRecorded:
                return true;
            default:
                return false;
        }
    });
}

}  // namespace

Json peak_json(const PeakAnswer& answer, const PeakView& view) {
    const Judgement& judgement = answer.judgement;
    Json json{{"device", internal::or_null(judgement.device)}};
    if (view.with_l1) json["l1"] = use_json(judgement.l1, "per_core");
    if (view.with_dram) json["dram"] = use_json(judgement.dram, "per_bank");
    Json devices = Json::array();
    for (const DevicePeak& device : answer.devices) {
        Json entry{{"device_id", internal::or_null(device.device)}, {"chips", device.chips}};
        if (view.with_l1) {
            entry["l1"] = memory_json(device.l1, "per_core", view);
            entry["l1"]["window_only_peak_bytes_per_core"] = device.window_only_l1_bytes;
        }
        if (view.with_dram) entry["dram"] = memory_json(device.dram, "per_bank", view);
        devices.push_back(std::move(entry));
    }
    json["devices"] = std::move(devices);
    json["programs"] = answer.programs;
    json["filled_in_programs"] = answer.filled_in_programs;
    json["programs_from_other_capture"] = answer.programs_from_library;
    json["unknown_programs"] = answer.unknown_program_count;
    json["unknown_program_operations"] = answer.unknown_programs;
    json["notes"] = answer.caveats;
    return json;
}

std::string memory_text(const std::string& title, const MemoryPeak& peak, const PeakView& view) {
    const MemoryUse use = use_of(peak);
    std::string text = title + "  " + use_text(use);
    if (peak.total_bytes != 0) text += ", all banks " + bytes_text(peak.total_bytes);
    if (const std::string headroom = headroom_text(use); !headroom.empty()) text += ", " + headroom;
    text += "\n";
    if (peak.bytes == 0) return text;
    text += "  at node " + std::to_string(peak.node);
    if (!peak.path.empty()) text += " in " + peak.path;
    if (!peak.source_line.empty()) text += " at " + peak.source_line;
    if (peak.core) text += ", core " + std::to_string(peak.core->x) + "-" + std::to_string(peak.core->y);
    text += "\n  programs " + grouped(peak.program_bytes) + "  temporary " + grouped(peak.temporary_bytes) +
            "  persistent " + grouped(peak.persistent_bytes) + "  stale " + grouped(peak.stale_bytes) + "\n";
    return text + contributors_text(peak, view);
}

std::string peak_text(const PeakAnswer& answer, const PeakView& view) {
    std::string text = verdict_text(answer.judgement);
    if (answer.devices.empty() && is_whole(answer.judgement)) text += "No device memory was touched.\n";
    for (const DevicePeak& device : answer.devices) {
        text += "device " + (device.device.given() ? std::to_string(device.device.value_or(0)) : "unknown");
        if (device.chips.size() > 1)
            text += " (" + std::to_string(device.chips.size()) + " chips, figures per chip)";
        text += "\n";
        if (view.with_l1) text += memory_text("L1 peak per core  ", device.l1, view);
        if (view.with_dram) text += memory_text("DRAM peak per bank", device.dram, view);
    }
    for (const std::string& caveat : answer.caveats)
        text += "note: " + caveat + "\n";
    return text;
}

std::string peak_line(const MemoryPeak& peak) {
    std::string text = use_text(use_of(peak));
    if (peak.bytes == 0) return text;
    if (!peak.path.empty()) text += " in " + peak.path;
    if (!peak.source_line.empty()) text += " at " + peak.source_line;
    return text + " (node " + std::to_string(peak.node) + ")";
}

std::string contributor_line(const Contributor& contributor) {
    std::string text =
        bytes_text(contributor.bytes) + "  " + name_of(contributor.share) + "  " + contributor.name;
    if (!contributor.shape.empty()) text += "  " + contributor.shape;
    return text + origin(contributor);
}

}  // namespace tilemeter::analysis
