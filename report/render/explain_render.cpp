// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/explain_render.hpp"

#include <algorithm>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "report/analysis/memory/failures.hpp"
#include "report/analysis/nodes/units.hpp"
#include "report/render/internal/json_values.hpp"

namespace tilemeter::analysis {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostLines = 24;  // of a list for people

std::string key(const char* what, MemoryType memory) {
    return std::string(what) + "_bytes_" + internal::unit_of(memory);
}

MemoryType memory_of(const Explanation& it) {
    return it.memory.value_or(MemoryType::kL1);
}

bool is_program(const Contributor& it) {
    return it.share == Share::kProgram;
}

Json owner_json(const Contributor& it) {
    Json json{{"kind", is_program(it) ? "program" : "tensor"},
              {"name", it.name},
              {"shape", it.shape},
              {"memory", name_of(it.memory)}};
    json[is_dram(it.memory) ? "bytes_per_bank" : "bytes_per_core"] = it.bytes;
    json["operation"] = it.made_by;
    json["source_line"] = internal::or_null(it.source_line);
    json["before_window"] = it.before_window;
    json["node"] = internal::node_or_null(it.node);
    json["address"] = it.address.value_or(0) > 0 ? Json(it.address.value_or(0)) : Json(nullptr);
    if (!it.core_ranges.empty()) json["core_ranges"] = it.core_ranges;
    return json;
}

Json request_json(const Explanation& it) {
    if (it.clash) {
        Json json{{"kind", "program"},
                  {"program_end", it.clash->program_end},
                  {"lowest_tensor_address", it.clash->tensor_address}};
        if (!it.clash->core_range.empty()) json["core_range"] = it.clash->core_range;
        return json;
    }
    if (it.program_too_large)
        return {{"kind", "program"},
                {"bytes_per_core", it.program_too_large->program_bytes},
                {"limit_bytes_per_core", it.program_too_large->l1_bytes}};
    if (!it.out_of_memory) return nullptr;
    const OutOfMemory& full = *it.out_of_memory;
    const MemoryType memory = memory_of(it);
    Json json{{"kind", "tensor"}, {"size_bytes", full.total_bytes}, {"banks", full.banks}};
    json[is_dram(memory) ? "bytes_per_bank" : "bytes_per_core"] = full.per_bank_bytes;
    json[key("limit", memory)] = internal::or_null(full.bank_size_bytes);
    json[key("allocated", memory)] = internal::or_null(full.allocated_bytes);
    json[key("free", memory)] = internal::or_null(full.free_bytes);
    json[key("largest_free", memory)] = internal::or_null(full.largest_free_bytes);
    if (it.refused) json["tensor"] = owner_json(*it.refused);
    return json;
}

Json map_json(const Explanation& it) {
    Json map = Json::array();
    for (const MapPart& part : it.map) {
        Json entry{{"kind", part.kind == MapPart::Kind::kHole      ? "free"
                            : part.kind == MapPart::Kind::kProgram ? "program"
                                                                   : "tensor"},
                   {"begin", part.begin},
                   {"end", part.end},
                   {"size_bytes", part.end - part.begin}};
        if (part.owner) {
            entry["name"] = part.owner->name;
            entry["shape"] = part.owner->shape;
            entry["operation"] = part.owner->made_by;
        }
        map.push_back(std::move(entry));
    }
    return map;
}

// Text.

/// All but the name: what equal tensors share.
std::string sort_text(const Contributor& it) {
    std::string text = it.shape.empty() ? "" : "  " + it.shape;
    if (it.before_window)
        text += "  (older than the capture)";
    else if (!it.made_by.empty() && !is_program(it))
        text += "  by " + it.made_by;
    if (const std::string line = it.source_line; !line.empty()) text += "  at " + line;
    return text;
}

std::string owner_text(const Contributor& it) {
    return (is_program(it) ? "program: " : "") + it.name + sort_text(it);
}

/// "3 x  Shape([1, 32]) ...: tensor 7, tensor 10, tensor 13"; many are not all named.
std::string group_text(const std::vector<const Contributor*>& group) {
    const Contributor& first = *group.front();
    if (group.size() == 1) return owner_text(first);
    std::string text = std::to_string(group.size()) + " x";
    if (is_program(first)) return text + " " + owner_text(first);
    text += sort_text(first) + ": ";
    constexpr std::size_t kMostNames = 6;
    const std::size_t named = group.size() <= kMostNames ? group.size() : kMostNames / 2;
    for (std::size_t at = 0; at < named; ++at)
        text += (at == 0 ? "" : ", ") + group[at]->name;
    return named < group.size() ? text + ", ... " + group.back()->name : text;
}

bool are_alike(const Contributor& a, const Contributor& b) {
    return is_program(a) == is_program(b) && a.memory == b.memory && a.bytes == b.bytes &&
           (!is_program(a) || a.name == b.name) && sort_text(a) == sort_text(b);
}

std::string padded(const std::string& text, std::size_t width) {
    return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

std::string unit_text(const Explanation& it) {
    return is_dram(memory_of(it)) ? " per bank" : " per core";
}

struct MapLine {
    const MapPart* part;
    std::uint64_t begin, end;
    std::vector<const Contributor*> owners;
};

/// From above. In a long map equal tensors beside each other are one line, and the middle is left out.
std::string map_text(const Explanation& it) {
    const bool is_long = it.map.size() > kMostLines;
    std::vector<MapLine> lines;
    for (auto part = it.map.rbegin(); part != it.map.rend(); ++part) {
        if (is_long && !lines.empty() && part->owner && part->kind == MapPart::Kind::kTensor) {
            MapLine& last = lines.back();
            if (!last.owners.empty() && last.begin == part->end &&
                are_alike(*last.owners.front(), *part->owner)) {
                last.begin = part->begin;
                last.owners.push_back(&*part->owner);
                continue;
            }
        }
        lines.push_back({&*part, part->begin, part->end, {}});
        if (part->owner) lines.back().owners.push_back(&*part->owner);
    }
    std::string text = std::string("  ") + name_of(memory_of(it)) + " from above" +
                       (it.addresses == AddressOrigin::kPlaced ? ", by our placement:\n" : ":\n");
    const std::size_t left_out = lines.size() > kMostLines ? lines.size() - kMostLines : 0;
    for (std::size_t at = 0; at < lines.size(); ++at) {
        if (left_out != 0 && at == kMostLines / 2) {
            text += "                 ... " + std::to_string(left_out) + " lines left out (--json has all)\n";
            at += left_out;
        }
        const MapLine& line = lines[at];
        text += padded(grouped(line.begin), 16) + " .. " + padded(grouped(line.end), 13) +
                padded(grouped(line.end - line.begin), 15) + "  ";
        if (line.part->kind == MapPart::Kind::kHole)
            text += "- free -";
        else if (!line.owners.empty())
            text += group_text(line.owners);
        else
            text += "program: its region (no record of the parts)";
        text += '\n';
    }
    return text;
}

struct Group {
    std::vector<const Contributor*> owners;
    std::uint64_t bytes;
};
/// Equal ones together, most bytes first.
std::vector<Group> groups_of(const std::vector<Contributor>& all) {
    std::vector<Group> groups;
    for (const Contributor& owner : all) {
        const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
            return are_alike(*group.owners.front(), owner);
        });
        if (same == groups.end()) {
            groups.push_back({{&owner}, owner.bytes});
        } else {
            same->owners.push_back(&owner);
            same->bytes += owner.bytes;
        }
    }
    std::stable_sort(groups.begin(), groups.end(),
                     [](const Group& a, const Group& b) { return a.bytes > b.bytes; });
    return groups;
}

std::string contributors_text(const Explanation& it) {
    const std::vector<Group> groups = groups_of(it.contributors);
    std::string text = "  alive then:\n";
    for (std::size_t at = 0; at < groups.size() && at < kMostLines; ++at) {
        const Contributor& first = *groups[at].owners.front();
        text += padded(grouped(groups[at].bytes), 16) + " B per " +
                (is_dram(first.memory) ? "bank" : "core") + "  " + name_of(first.memory) + "  " +
                group_text(groups[at].owners) + '\n';
    }
    if (groups.size() > kMostLines)
        text += "                 ... " + std::to_string(groups.size() - kMostLines) +
                " lines left out (--json has all)\n";
    return text;
}

std::string request_text(const Explanation& it) {
    if (it.clash)
        return "  programs end at " + grouped(it.clash->program_end) + ", lowest tensor at " +
               grouped(it.clash->tensor_address) + ": overlap " + bytes_text(it.overlap_bytes) +
               (it.clash->core_range.empty() ? "" : ", cores " + it.clash->core_range) + '\n';
    if (it.program_too_large)
        return "  the program ends at " + grouped(it.program_too_large->program_bytes) + ", L1 has " +
               bytes_text(it.program_too_large->l1_bytes) + " per core: " + bytes_text(it.missing_bytes) +
               " too much\n";
    if (!it.out_of_memory)
        return it.missing_bytes == 0
                   ? ""
                   : "  more than there is by " + bytes_text(it.missing_bytes) + unit_text(it) + '\n';
    const OutOfMemory& full = *it.out_of_memory;
    const char* bank = is_dram(memory_of(it)) ? "bank" : "core";
    std::string text = "  wanted " + bytes_text(full.per_bank_bytes) + " of " + name_of(memory_of(it)) +
                       " per " + bank + " (" + bytes_text(full.total_bytes) + " over " +
                       std::to_string(full.banks) + " banks)";
    if (it.refused) text += " for " + owner_text(*it.refused);
    text += "\n  ";
    if (full.free_bytes)
        text += "free " + bytes_text(*full.free_bytes) + ", largest hole " +
                (full.largest_free_bytes ? bytes_text(*full.largest_free_bytes) : "not known") + "; ";
    return text + "missing " + bytes_text(it.missing_bytes) + '\n';
}

/// "at most" before the free bytes.
std::string at_most(const Explanation& it) {
    return it.bound == Bound::kExact ? "" : it.bound == Bound::kAtLeast ? "at most " : "about ";
}

std::string figures_text(const Explanation& it) {
    if (!it.memory || it.node == kNoIndex) return {};
    std::string text = "  ";
    if (!is_dram(memory_of(it))) text += "programs " + bytes_text(it.program_bytes) + ", ";
    text += "tensors " + bytes_text(it.tensor_bytes) + unit_text(it);
    if (it.core) text += ", core " + std::to_string(it.core->x) + "-" + std::to_string(it.core->y);
    if (it.free_bytes)
        text += "; free " + at_most(it) + bytes_text(*it.free_bytes) + ", largest hole " + at_most(it) +
                bytes_text(*it.largest_hole_bytes);
    return text + '\n';
}

std::string advice_text(const MoveCandidate& move) {
    const std::string copies = "moving it copies " + bytes_text(move.cost_bytes);
    switch (move.later) {
        case LaterUse::kUsed:
            return copies + "; it is still used";
        case LaterUse::kReleased:
            return "not used any more until it is released at node " + std::to_string(move.released_at) +
                   ": it can be released here; " + copies;
        case LaterUse::kAliveAtTheEnd:
            return copies + "; not used in what follows, but alive at the end: an output, perhaps";
        case LaterUse::kNotKnown:
            return copies + "; not used so far, later uses are not known";
    }
    return copies;
}

std::string clearing_text(const Explanation& it) {
    const std::vector<MoveCandidate>& set = it.clearing_set;
    std::string text =
        std::string("  would be cleared by moving") + (set.size() > 1 ? " all of" : "") + ":\n";
    std::uint64_t bytes = 0;
    std::uint64_t cost = 0;
    for (std::size_t at = 0; at < set.size(); ++at) {
        bytes += set[at].tensor.bytes;
        cost += set[at].cost_bytes;
        if (at >= kMostLines) continue;
        text += "    " + owner_text(set[at].tensor) + ": " + bytes_text(set[at].tensor.bytes) +
                unit_text(it) + "; " + advice_text(set[at]) + '\n';
    }
    if (set.size() > kMostLines)
        text += "    ... " + std::to_string(set.size() - kMostLines) + " tensors left out (--json has all)\n";
    if (set.size() > 1)
        text += "    together " + bytes_text(bytes) + unit_text(it) + ", copies " + bytes_text(cost) + '\n';
    return text;
}

std::string head_text(const Explanation& it) {
    std::string place = it.node == kNoIndex ? "" : "node " + std::to_string(it.node);
    if (!it.operation.empty()) place += " in " + it.operation;
    place += place.empty() ? "" : ": ";
    switch (it.cause) {
        case FailureCause::kNone:
            if (it.free_bytes)
                return place +
                       (it.bound == Bound::kExact ? "nothing in conflict, " : "no conflict is known, ") +
                       at_most(it) + bytes_text(*it.free_bytes) + " of " + name_of(memory_of(it)) +
                       unit_text(it) + " free";
            return place + "no conflict is known";
        case FailureCause::kOther:
            return place + "failed, not for lack of memory: " + short_message(it.message);
        case FailureCause::kNotRecorded:
            return place + "failed, cause not recorded";
        default:
            return place + name_of(it.cause);
    }
}

}  // namespace

Json explanation_json(const Explanation& it) {
    const MemoryType memory = memory_of(it);
    Json contributors = Json::array();
    for (const Contributor& owner : it.contributors)
        contributors.push_back(owner_json(owner));
    Json moves = Json::array();
    for (const MoveCandidate& move : it.clearing_set) {
        Json entry = owner_json(move.tensor);
        entry["cost_bytes"] = move.cost_bytes;
        entry["later_use"] = name_of(move.later);
        entry["can_be_released"] = internal::or_null(move.can_be_released());
        moves.push_back(std::move(entry));
    }
    Json json{{"cause", name_of(it.cause)},
              {"node", internal::node_or_null(it.node)},
              {"operation", it.operation},
              {"message", short_message(it.message)},
              {"memory", it.memory ? Json(name_of(*it.memory)) : Json(nullptr)},
              {"core", it.core ? Json{it.core->x, it.core->y} : Json(nullptr)},
              {"request", request_json(it)}};
    json[key("program", memory)] = it.program_bytes;
    json[key("tensor", memory)] = it.tensor_bytes;
    json[key("free", memory)] = internal::or_null(it.free_bytes);
    json[key("largest_hole", memory)] = internal::or_null(it.largest_hole_bytes);
    json[key("overlap", memory)] = it.overlap_bytes;
    json[key("missing", memory)] = it.missing_bytes;
    json["bound"] = name_of(it.bound);
    json["addresses"] = name_of(it.addresses);
    json["region_begin"] = it.region_known() ? Json(it.region_begin) : Json(nullptr);
    json["region_end"] = it.region_known() ? Json(it.region_end) : Json(nullptr);
    json["map"] = map_json(it);
    json["contributors"] = std::move(contributors);
    json["clearing_set"] = std::move(moves);
    json["notes"] = it.notes;
    return json;
}

Json explanations_json(const std::vector<Explanation>& explanations) {
    Json json = Json::array();
    for (const Explanation& it : explanations)
        json.push_back(explanation_json(it));
    return json;
}

std::string explanation_text(const Explanation& it) {
    std::string text = head_text(it) + '\n' + request_text(it) + figures_text(it);
    const bool other = it.cause == FailureCause::kOther || it.cause == FailureCause::kNotRecorded;
    if (!it.map.empty() && !other) text += map_text(it);
    // A map has it all, but for what found no place on it; a bank of DRAM has more than one reads.
    const auto on_map = std::count_if(it.map.begin(), it.map.end(),
                                      [](const MapPart& part) { return part.owner.has_value(); });
    if (other || is_dram(memory_of(it)) || static_cast<std::size_t>(on_map) < it.contributors.size())
        if (!it.contributors.empty()) text += contributors_text(it);
    if (!it.clearing_set.empty()) text += clearing_text(it);
    for (const std::string& note : it.notes)
        text += "  note: " + note + '\n';
    return text;
}

}  // namespace tilemeter::analysis
