// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/page_head.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <ctime>

#include <nlohmann/json.hpp>

#include "report/analysis/answers/explain.hpp"
#include "report/analysis/answers/peak.hpp"
#include "report/analysis/memory/l1_region.hpp"
#include "report/analysis/memory/operation_source.hpp"
#include "report/analysis/nodes/units.hpp"
#include "report/internal/build_info.hpp"
#include "report/markup.hpp"
#include "report/render/verdict_render.hpp"

namespace tilemeter::analysis {
namespace {

using nlohmann::json;

constexpr const char* kL1 = "l1";
constexpr const char* kDram = "dram";

const char* key_of(MemoryType memory) {
    return is_dram(memory) ? kDram : kL1;
}

std::string upper(std::string text) {
    for (char& c : text)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

json use_of_page(const NodeList& list, const MemoryLifetimes& lifetimes, const MemoryUse& use,
                 const char* memory, const char* title) {
    json it{{"memory", memory},
            {"title", title},
            {"bytes", use.peak_bytes},
            {"peak", use_text(use)},
            {"bound", name_of(use.bound)}};
    it["short"] = prefix_of(use.bound) + short_bytes_text(use.peak_bytes);
    it["percent"] = use.limit_bytes ? percent_text(use.peak_bytes, *use.limit_bytes) + " of " +
                                          short_bytes_text(*use.limit_bytes) + " that can be allocated"
                                    : "what can be allocated is not known";
    if (use.physical_bytes && use.limit_bytes && *use.physical_bytes != *use.limit_bytes)
        it["percent"] =
            it["percent"].get<std::string>() + " (" + short_bytes_text(*use.physical_bytes) + " physical)";
    it["headroom"] = headroom_text(use, &short_bytes_text);
    it["node"] = use.node == kNoIndex ? json() : json(use.node);
    it["operation"] = use.operation;
    it["line"] = use.node < lifetimes.scopes.of_node.size()
                     ? source_of(list, lifetimes.scopes, lifetimes.scopes.of_node[use.node])
                     : "";
    return it;
}

/// "2026-11-22 10:36 UTC"
std::string date_text(std::int64_t nanoseconds) {
    const std::time_t seconds = nanoseconds / 1'000'000'000;
    std::tm utc{};
    if (gmtime_r(&seconds, &utc) == nullptr) return {};
    std::array<char, 48> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M UTC", &utc)};
}

/// As the report says it, else what follows from its nodes: programs run in NORMAL only, and TT-NN gives
/// buffers no addresses in NO_DISPATCH.
std::string mode_text(const NodeList& list) {
    if (!list.source.run_mode.empty()) return list.source.run_mode;
    bool allocations = false, addresses = false;
    for (std::size_t node = 0; node < list.size(); ++node) {
        if (list.nodes[node].kind == NodeType::kProgramExecution) return "NORMAL";
        if (list.nodes[node].kind != NodeType::kBufferAllocate) continue;
        const NodeList::Buffer* buffer = list.buffer(node);
        allocations = true;
        addresses = addresses || (buffer != nullptr && buffer->address.size_bytes() != 0);
    }
    return allocations && !addresses ? "NO_DISPATCH" : "mode not recorded";
}

MemoryType memory_of(const RecordedFailure& failure) {
    if (failure.read.out_of_memory && !failure.read.out_of_memory->in_l1) return MemoryType::kDram;
    return MemoryType::kL1;
}

/// The meaning of the figures of a failure, a sentence each.
json lines_of(const Explanation& it) {
    json lines = json::array();
    if (it.clash)
        lines.push_back("programs end at " + grouped(it.clash->program_end) +
                        ", the lowest tensor begins at " + grouped(it.clash->tensor_address) +
                        ": they overlap by " + both_sizes_text(it.overlap_bytes) +
                        (it.clash->core_range.empty() ? "" : " on cores " + it.clash->core_range));
    if (it.out_of_memory) {
        const OutOfMemory& full = *it.out_of_memory;
        std::string line = "wanted " + both_sizes_text(full.per_bank_bytes) + " in each of " +
                           grouped(full.banks) + " banks of " + name_of(memory_of(full));
        if (full.free_bytes) line += "; free " + both_sizes_text(*full.free_bytes);
        if (full.largest_free_bytes) line += ", largest hole " + both_sizes_text(*full.largest_free_bytes);
        lines.push_back(std::move(line));
    }
    if (it.missing_bytes != 0) lines.push_back("missing: " + both_sizes_text(it.missing_bytes));
    return lines;
}

/// The refused request, to be drawn over what is there. A request for a buffer has no address yet: null.
json refused_by(const Explanation& it, std::uint64_t l1_begin) {
    json parts = json::array();
    if (it.out_of_memory) {
        parts.push_back(
            {{"name", "the request"}, {"bytes", it.out_of_memory->per_bank_bytes}, {"address", nullptr}});
    } else if (it.clash) {
        for (const MapPart& part : it.map)
            if (part.kind == MapPart::Kind::kProgram)
                parts.push_back({{"name", part.owner ? part.owner->name : "the program"},
                                 {"bytes", part.end - part.begin},
                                 {"address", part.begin}});
        if (parts.empty() && it.clash->program_end > l1_begin)
            parts.push_back({{"name", "the program"},
                             {"bytes", it.clash->program_end - l1_begin},
                             {"address", l1_begin}});
    }
    return parts;
}

/// What was allocated then and no node tells of, where its place is known.
json unlisted_of(const Explanation& it) {
    json parts = json::array();
    for (const MapPart& part : it.map)
        if (part.kind == MapPart::Kind::kTensor && part.owner && part.owner->before_window &&
            part.owner->buffer == kNoIndex)
            parts.push_back({{"bytes", part.end - part.begin}, {"address", part.begin}});
    return parts;
}

json moves_of(const Explanation& it) {
    json moves = json::array();
    for (const MoveCandidate& move : it.clearing_set)
        moves.push_back(
            {{"name", move.tensor.name},
             {"detail", move.tensor.shape + (move.tensor.before_window     ? "  older than the capture"
                                             : move.tensor.made_by.empty() ? ""
                                                                           : "  by " + move.tensor.made_by)},
             {"bytes", move.tensor.bytes},
             {"address", move.tensor.address.size_bytes()},
             {"cost", both_sizes_text(move.cost_bytes)}});
    return moves;
}

}  // namespace

json page_head(const NodeList& list, const MemoryLifetimes& lifetimes, const Judgement& judgement) {
    json reasons = json::array();
    for (const Reason& reason : judgement.reasons)
        reasons.push_back(text_of(reason));
    json uses = json::array();
    uses.push_back(use_of_page(list, lifetimes, judgement.l1, kL1, "L1 per core"));
    uses.push_back(use_of_page(list, lifetimes, judgement.dram, kDram, "DRAM per bank"));

    json facts = json::array();
    const ListSource& source = list.source;
    facts.push_back(judgement.device.empty() ? "device not described" : judgement.device);
    facts.push_back(mode_text(list));
    if (source.capture_time_ns.size_bytes() != 0)
        facts.push_back(date_text(source.capture_time_ns.value_or(0)));
    if (!source.producer.empty())
        facts.push_back("captured by " + source.producer);
    else if (!source.version.empty())
        facts.push_back("captured by TT-NN " + source.version);
    facts.push_back(std::string("page by tilemeter ") + report::internal::kBuildVersion);
    return {{"verdict", name_of(judgement.verdict)},
            {"words", upper(words_of(judgement.verdict))},
            {"reasons", std::move(reasons)},
            {"uses", std::move(uses)},
            {"facts", std::move(facts)}};
}

json page_failures(const NodeList& list, const MemoryLifetimes& lifetimes,
                   const ProgramLibrary* known_programs) {
    json rows = json::array();
    for (const RecordedFailure& failure : find_failures(list, lifetimes)) {
        const MemoryType memory = memory_of(failure);
        const std::uint16_t device = device_near(list, lifetimes, failure.node, memory);
        json row{{"node", failure.node},
                 {"scope", failure.scope},
                 {"operation", failure.operation},
                 {"line", source_of(list, lifetimes.scopes, failure.scope)},
                 {"cause", name_of(failure.cause())},
                 {"is_memory", is_lack_of_memory(failure.cause())},
                 {"memory", key_of(memory)},
                 {"device", device},
                 {"goes_on", goes_on_after(list, lifetimes.scopes, failure)},
                 {"message", short_message(failure.message)},
                 {"lines", json::array()},
                 {"refused", json::array()},
                 {"unlisted", json::array()},
                 {"moves", json::array()},
                 {"notes", json::array()}};
        if (is_lack_of_memory(failure.cause())) {
            const Explanation it =
                explain_failure(list, lifetimes, device, failure.node, failure.message, known_programs);
            row["lines"] = lines_of(it);
            row["refused"] = refused_by(it, l1_region_of(list, lifetimes, device).begin);
            row["unlisted"] = unlisted_of(it);
            row["moves"] = moves_of(it);
            // The page draws the map of DRAM itself.
            if (memory == MemoryType::kL1) row["notes"] = it.notes;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

json page_opening(const NodeList& list, const MemoryLifetimes& lifetimes, const Judgement& judgement) {
    const auto at = [&](MemoryType memory, std::uint32_t node) {
        return json{{"memory", key_of(memory)},
                    {"device", device_near(list, lifetimes, node, memory)},
                    {"node", node}};
    };
    const std::vector<RecordedFailure> failures = find_failures(list, lifetimes);
    for (const RecordedFailure& failure : failures)
        if (is_lack_of_memory(failure.cause())) return at(memory_of(failure), failure.node);
    for (const Reason& reason : judgement.reasons) {
        const bool too_little =
            reason.kind == Reason::Kind::kExceedsLimit || reason.kind == Reason::Kind::kFindsNoPlace;
        if (too_little && reason.node != kNoIndex)
            return at(reason.memory.value_or(MemoryType::kL1), reason.node);
    }
    if (!failures.empty()) return at(MemoryType::kL1, failures.front().node);
    const PeakAnswer peak = find_peak(list, lifetimes);
    for (const MemoryType memory : {MemoryType::kL1, MemoryType::kDram}) {
        const MemoryPeak* highest = memory == MemoryType::kL1 ? peak.l1() : peak.dram();
        for (std::uint16_t slot = 0; highest != nullptr && slot < peak.devices.size(); ++slot)
            if (&peak.devices[slot].l1 == highest || &peak.devices[slot].dram == highest)
                return {{"memory", key_of(memory)}, {"device", slot}, {"node", highest->node}};
    }
    return {{"memory", kL1}, {"device", 0}, {"node", 0}};
}

std::string page_answer(const Judgement& judgement, const PeakAnswer& peak, const std::string& memory) {
    const bool in_l1 = memory == kL1;
    const MemoryPeak* highest = in_l1 ? peak.l1() : peak.dram();
    const MemoryUse& use = in_l1 ? judgement.l1 : judgement.dram;
    std::string answer;
    const auto attribute = [&](const char* name, const std::string& value) {
        answer += std::string(" data-") + name + "=\"" + report::attribute_text(value) + '"';
    };
    attribute("verdict", name_of(judgement.verdict));
    attribute("memory", memory);
    attribute("peak-bytes", std::to_string(use.peak_bytes));
    attribute("bound", name_of(use.bound));
    attribute("node", use.node == kNoIndex ? "" : std::to_string(use.node));
    attribute("operation", use.operation);
    const bool has_owner = highest != nullptr && !highest->contributors.empty();
    attribute("top-owner", has_owner ? highest->contributors.front().name : "");
    attribute("source-line", highest != nullptr ? highest->source_line : "");
    return answer;
}

}  // namespace tilemeter::analysis
