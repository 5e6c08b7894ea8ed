// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The chips of a system that a mesh of a given shape gets. The rules, found by opening meshes of all shapes with TT-NN
// 0.81.1 on T3000, Galaxy and smaller systems: a rectangle is the one at `offset`, as it is or turned over its
// diagonal. A line runs right as far as it can, then down, left, up. On a Galaxy an even one ends beside its beginning.

#pragma once

#include <cstdint>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/device/device_description.hpp"

namespace tilemeter {

/// The chips' ids, row by row of `shape`. Throws RuntimeError with TT-NN's words where the shape does not fit.
std::vector<std::uint16_t> chips_of_mesh(const SystemMesh& system, MeshShape shape, MeshPlace offset = {});

}  // namespace tilemeter
