// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The place where a convolution is carried out: on an input in L1 as it is (conv2d_shards.hpp), else from DRAM through
// L1 and back, in one piece or in slices (dram_slices.hpp).

#pragma once

#include "runtime/operations/sliding_window/internal/conv2d_plan.hpp"
#include "runtime/operations/sliding_window/internal/conv2d_shards.hpp"

namespace tilemeter {

/// The result [1, 1, pixels, channels]. Weights and bias are left in `prepared`; `input` is let go of where
/// TT-NN does. An input that goes through L1 in slices may have any rank, another one has four dimensions, of
/// which the last may have more channels than the arguments say. Throws RuntimeError for others.
Tensor carry_out(const Conv2dProblem& problem, Tensor& input, const Tensor& weight_tensor,
                 const OptionalTensor& bias_tensor, const PreparedConv2d& prepared);

/// Preparing weights or a bias for what goes through L1, TT-NN makes tensors of both on the device to find the slices, and
/// frees them; for a bias whatever slices are asked for; never for images of one row. Throws RuntimeError for block formats, of
/// which there are no rows.
void try_room_for_weights(Conv2dProblem problem, const Tensor& input, bool for_bias);

/// The layout of the weights for that; only the input's spec counts.
WeightMatrix carried_out_weights(const Conv2dProblem& problem, const Tensor& input);

}  // namespace tilemeter
