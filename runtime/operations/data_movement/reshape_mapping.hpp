// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The table that tells the tiled reshape program where each piece of an output tile comes from.
//
// A segment is a run of elements that lie side by side in an input tile and in the output tile (a tile is
// stored as four faces of 16 x 16). The table has one row per output tile, each with room for the same
// number of segments, four 32-bit words each. Recorded: per output tile, each of its input tiles takes as
// many segments as the one with the most; the longest row decides for all; n segments are followed by
// n % 16 empty ones.
//
// TT-NN after 0.81.1 does without the table where the segments of each core are few and small: each is read with the aligned
// window of the input tile that it lies in, and where from stands in the core's arguments. What the model plans is 0.81.1's;
// NotesOnLaterTtnn (later_ttnn.hpp) say which tables that one does not make.

#pragma once

#include <cstdint>
#include <optional>

#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/types/tensor_spec.hpp"

namespace tilemeter {

/// Words per row of the table. REQUIRES: shapes of three dimensions and equal volume.
std::uint64_t reshape_mapping_words(const Shape& input, const Shape& output);

/// The segments of the core that has the most, if windows of `alignment` bytes hold them; nothing where a table is needed.
/// `pages`: the output's tiles over cores. REQUIRES: shapes of three dimensions and equal volume.
std::optional<std::uint64_t> reshape_window_segments(const Shape& input, const Shape& output,
                                                     const WorkSplit& pages, std::uint64_t element_bytes,
                                                     std::uint64_t alignment);

}  // namespace tilemeter
