// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/placement.hpp"

#include <deque>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "capture/record/internal/definition_codec.hpp"

namespace tilemeter::record {

namespace {

struct Placements {
    std::mutex mutex;
    std::deque<ShardPlacement> all;                           // a deque: references stay valid as it grows
    std::unordered_multimap<std::uint64_t, PlacementId> ids;  // by hash
};

Placements& placements() {
    static auto& the_placements = *new Placements;  // never destroyed, as the texts
    return the_placements;
}

std::uint64_t hash_of(const ShardPlacement& placement) {
    std::uint64_t hash = 0x9e3779b97f4a7c15;
    const auto mix = [&hash](std::uint64_t value) { hash = (hash ^ value) * 0xff51afd7ed558ccd; };
    mix(placement.page_rows);
    mix(placement.page_columns);
    mix(placement.shard_page_rows);
    mix(placement.shard_page_columns);
    for (const Core core : placement.cores)
        mix(std::uint64_t{core.y} << 16 | core.x);
    return hash;
}

void publish(PlacementId id, const ShardPlacement& placement) {
    internal::publish_definition(internal::DefinitionKind::kPlacement, static_cast<std::uint32_t>(id),
                                 internal::encode(placement));
}

}  // namespace

PlacementId intern(const ShardPlacement& placement) {
    const std::uint64_t hash = hash_of(placement);
    Placements& known = placements();
    const std::scoped_lock lock(known.mutex);
    const auto [first, last] = known.ids.equal_range(hash);
    for (auto each = first; each != last; ++each) {
        if (known.all[static_cast<std::size_t>(each->second) - 1] == placement) return each->second;
    }
    known.all.push_back(placement);
    const auto id = static_cast<PlacementId>(known.all.size());
    known.ids.emplace(hash, id);
    if (internal::definitions_wanted.load(std::memory_order_acquire)) publish(id, placement);
    return id;
}

const ShardPlacement& placement_of(PlacementId id) {
    static const auto& nothing = *new ShardPlacement;
    if (id == PlacementId::kNone) return nothing;
    Placements& known = placements();
    const std::scoped_lock lock(known.mutex);
    return known.all.at(static_cast<std::size_t>(id) - 1);
}

namespace internal {
void publish_placements() {
    Placements& known = placements();
    const std::scoped_lock lock(known.mutex);
    for (std::size_t i = 0; i < known.all.size(); ++i)
        publish(static_cast<PlacementId>(i + 1), known.all[i]);
}
}  // namespace internal

}  // namespace tilemeter::record
