// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Programs as compilers write them for TT-NN: positional arguments, explicit memory configs, frees after the last use.

#pragma once

#include "ttnn/tensor/tensor.hpp"

namespace tilemeter::programs {

/// A transformer block of [1, 64, 128] with 4 heads: projections, attention, a feed-forward part, norms.
ttnn::Tensor attention(ttnn::MeshDevice* device);

/// A convolution of [1, 16, 16, 32] with 3 x 3 windows, a maximum over windows, the mean, the three largest.
ttnn::Tensor convolution(ttnn::MeshDevice* device);

/// Slices, permutations, reductions and casts of a [2, 3, 64, 96].
ttnn::Tensor movement(ttnn::MeshDevice* device);

/// A step of decoding for two users: caches in pages take a row, attention over them, projections.
ttnn::Tensor decoding(ttnn::MeshDevice* device);

}  // namespace tilemeter::programs
