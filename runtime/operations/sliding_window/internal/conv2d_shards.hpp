// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A convolution in L1: its input is brought into shards, if it does not lie in them, and the result stays in
// shards, or goes where memory_config says.

#pragma once

#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/sliding_window/conv2d_tensors.hpp"
#include "runtime/operations/sliding_window/internal/conv2d_plan.hpp"

namespace tilemeter {

/// Tensors that live until the convolution is done; freed in this order, unless the caller wants it.
struct PreparedConv2d {
    ScopedTensor& weights;
    ScopedTensor& bias;
};

inline bool in_l1(const Tensor& tensor) {
    return tensor.memory_config().buffer_type != BufferType::DRAM;
}

/// The layout of the weights for such an input; only its spec counts.
WeightMatrix conv2d_weight_matrix(Conv2dProblem problem, const Tensor& input,
                                  std::uint32_t least_alignment = 1);

/// Weights and bias are left in `prepared`; what an earlier part has left there is taken.
Tensor conv2d_in_shards(Conv2dProblem problem, const Tensor& input_tensor, const Tensor& weight_tensor,
                        const OptionalTensor& bias_tensor, const PreparedConv2d& prepared);

}  // namespace tilemeter
