// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Rotary position embeddings on the host, in float32.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/types/shape.hpp"

namespace tilemeter::compute {

/// x * cos + [-b a] * sin for each row x = [a b] of `width` elements, in matrices of `rows` rows. Row i of a
/// matrix takes row i of cos and sin, or all take row `only`. Matrices of the result have `out_rows` rows,
/// the added ones 0.
std::vector<float> rotate_halves(std::span<const float> values, std::span<const float> cos,
                                 std::span<const float> sin, std::uint64_t rows, std::uint64_t width,
                                 std::uint64_t out_rows, std::optional<std::uint32_t> only);

/// x * cos + (x . matrix) * sin for values [b, h, s, d]; each 32 columns times the 32 x 32 `matrix`. cos and
/// sin [1, 1 or h, t, d]: row i takes row i, 0 beyond t. by_user: [1, h, 1, d], each h has its own row.
std::vector<float> rotate_pairs(std::span<const float> values, const Shape& shape, std::span<const float> cos,
                                std::span<const float> sin, const Shape& angles,
                                std::span<const float> matrix, bool by_user);

}  // namespace tilemeter::compute
