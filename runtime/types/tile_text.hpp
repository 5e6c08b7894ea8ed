// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// TT-NN's text of a tile: "Tile(tile_shape={16, 32},face_shape={16, 16},num_faces=2)".

#pragma once

#include <string>

#include "runtime/types/dtype.hpp"

namespace tilemeter {

std::string to_string(Tile tile);

}  // namespace tilemeter
