// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/timeline_render.hpp"

#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "report/analysis/answers/peak.hpp"
#include "report/analysis/memory/operation_source.hpp"
#include "report/analysis/nodes/list_source.hpp"
#include "report/render/internal/json_values.hpp"

namespace tilemeter::analysis {

using Json = nlohmann::ordered_json;

namespace {

Json text_json(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

/// The id the list gives the device; null where it names none.
Json device_json(const MemoryLifetimes& lifetimes, std::uint16_t device) {
    return device < lifetimes.devices.size() ? internal::or_null(lifetimes.devices[device].id)
                                             : Json(nullptr);
}

}  // namespace

const char* name_of(Placement placement) {
    return placement == Placement::kFirstFit ? "first_fit" : "best_fit";
}

const char* bytes_member(MemoryType memory) {
    return is_in_l1(memory) ? "bytes_per_core" : "bytes_per_bank";
}

Json buffer_json(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint32_t buffer) {
    const Contributor it = describe_buffer(list, lifetimes, buffer);
    return {{"name", it.name},
            {"shape", it.shape},
            {"memory", name_of(it.memory)},
            {bytes_member(it.memory), it.bytes},
            {"size_bytes", lifetimes.buffers[buffer].size_bytes},
            {"address", internal::or_null(it.address)},
            {"operation", it.made_by},
            {"source_line", text_json(it.source_line)},
            {"before_window", it.before_window},
            {"node", it.node}};
}

Json timeline_json(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint16_t device) {
    Json events = Json::array();
    for (const TimelineRow& row : timeline(list, lifetimes, device))
        events.push_back({{"node", row.node},
                          {"operation", lifetimes.scopes.path(list, row.scope)},
                          {"source_line", text_json(source_of(list, lifetimes.scopes, row.scope))},
                          {"event", row.event},
                          {"program_bytes_per_core", row.total_cb},
                          {"buffers_size_bytes", row.total_buffer},
                          {"l1_bytes_per_core", row.l1_per_core},
                          {"dram_bytes_per_bank", row.dram_per_bank},
                          {"l1_largest_free_bytes_per_core",
                           row.l1_largest_free != 0 ? Json(row.l1_largest_free) : Json(nullptr)}});
    return {{"device_id", device_json(lifetimes, device)}, {"events", std::move(events)}};
}

Json live_json(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint32_t node) {
    Json buffers = Json::array();
    for (const std::uint32_t buffer : live_at(lifetimes, node))
        buffers.push_back(buffer_json(list, lifetimes, buffer));
    return {{"node", node}, {"buffers", std::move(buffers)}};
}

Json late_releases_json(const NodeList& list, const MemoryLifetimes& lifetimes, std::size_t most) {
    const auto found = late_releases(list, lifetimes);
    Json late = Json::array();
    for (const LateRelease& it : found) {
        if (late.size() >= most) break;
        const std::string line = source_of(list, lifetimes.scopes, it.last_user);
        Json entry = buffer_json(list, lifetimes, it.buffer);
        entry["operations_held"] = it.operations_held;
        entry["byte_operations"] = it.cost;
        entry["last_used_by"] = lifetimes.scopes.path(list, it.last_user);
        entry["last_used_source_line"] = internal::or_null(line);
        entry["released_by"] = lifetimes.scopes.path(list, it.releaser);
        late.push_back(std::move(entry));
    }
    const std::size_t left_out = found.size() - late.size();
    return {{"late_releases", std::move(late)}, {"late_releases_left_out", left_out}};
}

Json survivors_json(const NodeList& list, const MemoryLifetimes& lifetimes) {
    Json groups = Json::array();
    for (const Survivors& it : survivors(list, lifetimes))
        groups.push_back(
            {{"operation", it.made_by},
             {"shape", it.shape},
             {"memory", name_of(it.memory)},
             {"count", it.count},
             {bytes_member(it.memory), it.bytes},
             {"lowest_address", it.lowest_address != 0 ? Json(it.lowest_address) : Json(nullptr)},
             {"first_node", it.first_node},
             {"last_node", it.last_node},
             {"operations_between", it.operations_between}});
    return {{"survivors", std::move(groups)}};
}

Json placements_json(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint16_t device,
                     L1Region region) {
    Json placements = Json::array();
    for (const Placement placement : {Placement::kFirstFit, Placement::kBestFit}) {
        const PlacementAnswer it = replay_placement(lifetimes, device, region, placement);
        placements.push_back(
            {{"placement", name_of(placement)},
             {"fits", it.fits},
             {"first_failing", it.fits ? Json(nullptr) : buffer_json(list, lifetimes, it.failing_buffer)},
             {"lowest_address", it.lowest_address},
             {"left_to_programs_bytes_per_core", it.lowest_address - region.begin},
             {"gain_of_moving_bytes_per_core", it.gain_of_moving_bytes},
             {"gain_node", internal::node_or_null(it.gain_node)},
             {"free_bytes_per_core", it.free_bytes},
             {"largest_hole_bytes_per_core", it.largest_hole_bytes}});
    }
    return {{"device_id", device_json(lifetimes, device)}, {"placements", std::move(placements)}};
}

}  // namespace tilemeter::analysis
