// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The table that tells the tiled reshape program where each piece of an output tile comes from.
//
// A segment is a run of elements that lie side by side in an input tile and in the output tile (a tile is
// stored as four faces of 16 x 16). The table has one row per output tile, each with room for the same
// number of segments, four 32-bit words each. Recorded: per output tile, each of its input tiles takes as
// many segments as the one with the most; the longest row decides for all; n segments are followed by
// n % 16 empty ones.

#pragma once

#include <cstdint>

#include "runtime/types/tensor_spec.hpp"

namespace tilemeter {

/// Words per row of the table. REQUIRES: shapes of three dimensions and equal volume.
std::uint64_t reshape_mapping_words(const Shape& input, const Shape& output);

}  // namespace tilemeter
