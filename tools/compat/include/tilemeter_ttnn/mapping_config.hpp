// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// How a tensor is spread over the axes of a mesh, and put together again.

#pragma once

#include <optional>
#include <variant>

#include "tilemeter_ttnn/mesh.hpp"

namespace tt::tt_metal::distributed {

/// For each axis of the mesh: a copy of the tensor on each chip, or its parts along a dimension.
struct MeshMapperConfig {
    struct Replicate {
        bool operator==(const Replicate&) const = default;
    };
    struct Shard {
        int dim = 0;
        bool operator==(const Shard&) const = default;
    };
    using Placement = std::variant<Replicate, Shard>;
    ttsl::SmallVector<Placement> placements;
    std::optional<MeshShape> mesh_shape_override;
};

/// For each axis of the mesh: the dimension along which the parts are put together.
struct MeshComposerConfig {
    ttsl::SmallVector<int> dims;
    std::optional<MeshShape> mesh_shape_override;
};

}  // namespace tt::tt_metal::distributed
