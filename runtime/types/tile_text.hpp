// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Texts of tiles.

#pragma once

#include <string>

#include "runtime/types/dtype.hpp"

namespace tilemeter {

/// TT-NN's: "Tile(tile_shape={16, 32},face_shape={16, 16},num_faces=2)".
std::string to_string(Tile tile);
/// Rows and columns, for messages: "16 x 32".
std::string size_text(Tile tile);

}  // namespace tilemeter
