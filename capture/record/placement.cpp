// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/placement.hpp"

#include "capture/record/internal/definition_table.hpp"

namespace tilemeter::record {

namespace {

using Placements = internal::EncodedTable<ShardPlacement, PlacementId>;

Placements& placements() {
    static auto& the_placements = *new Placements(internal::DefinitionKind::kPlacement);  // as the texts
    return the_placements;
}

}  // namespace

PlacementId intern(const ShardPlacement& placement) {
    return placements().intern(placement);
}
ShardPlacement placement_of(PlacementId id) {
    return placements().of(id);
}

namespace internal {
void publish_placements() {
    placements().table().publish_all();
}
}  // namespace internal

}  // namespace tilemeter::record
