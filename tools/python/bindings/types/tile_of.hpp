// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tiles, as Python has them: rows and columns.

#pragma once

#include <array>
#include <cstdint>

#include "runtime/types/dtype.hpp"
#include "runtime/types/runtime_error.hpp"

namespace tilemeter::python {

/// Throws RuntimeError, as TT-NN says it, for other tiles than 32 x 32 of a tensor in rows.
inline Tile tile_of(const std::array<std::uint32_t, 2>& shape, Layout layout) {
    const Tile tile{shape[0], shape[1]};
    if (layout != Layout::TILE && tile != kWholeTile) {
        throw RuntimeError(
            "Configuring a ROW MAJOR page config with a custom tile configuration is not supported.");
    }
    return tile;
}

}  // namespace tilemeter::python
