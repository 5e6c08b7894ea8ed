// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/reduction/variance_hw.hpp"

#include <vector>

#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/eltwise/bcast.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/reduction/reduction.hpp"

namespace tilemeter {
namespace {

Tensor variance_of_images(const Tensor& input, const OptionalMemoryConfig& memory_config) {
    const std::vector<int> dims{2, 3};
    const ScopedTensor means(unscoped::reduce(input, ReduceOpMath::AVG, dims, std::nullopt));
    const ScopedTensor deviations(
        unscoped::bcast(input, *means, BcastOpMath::SUB, BcastOpDim::HW, input.memory_config()));
    const ScopedTensor squares(unscoped::unary({UnaryOpType::SQUARE, {}}, *deviations, memory_config));
    const Shape padded = input.padded_shape();
    const float scalar = 1.0F / static_cast<float>(padded[2] * padded[3]);
    return unscoped::reduce(*squares, ReduceOpMath::SUM, dims, std::nullopt, scalar);
}

}  // namespace

Tensor VarianceHw::body() const {
    return variance_of_images(input_tensor, memory_config);
}

Tensor StandardDeviationHw::body() const {
    const ScopedTensor variances(variance_of_images(input_tensor, memory_config));
    return unscoped::unary({UnaryOpType::SQRT, {}}, *variances);
}

}  // namespace tilemeter
