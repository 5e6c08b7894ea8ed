// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Matrix products on the host.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <span>
#include <vector>

#include "runtime/types/shape.hpp"

namespace tilemeter::compute {

struct MatrixOperand {
    std::span<const float> values;
    Shape shape;             ///< as stored; one dimension: a row on the left, a column on the right
    bool transpose = false;  ///< swap the last two dimensions
};

/// [..., M, K] x [..., K, N] -> [..., M, N] in float32; batch dimensions of 1 are repeated.
/// REQUIRES: they match.
std::vector<float> matmul(const MatrixOperand& a, const MatrixOperand& b);

}  // namespace tilemeter::compute
