// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The router of a mixture of experts in one program: a product, a bias, the largest and their softmax.

#pragma once

#include <cstdint>
#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter::experimental {

/// On the cores beside the banks of DRAM, at least eight.
struct TopkRouterGpt {
    Tensor input_tensor{};            ///< [32, K], bfloat16, TILE, as the next two; K a multiple of 32
    Tensor weight_tensor{};           ///< [K, 128]
    Tensor bias_tensor{};             ///< [32, 128]
    std::uint32_t k = 4;              ///< up to 32
    std::uint32_t num_experts = 128;  ///< nothing else is supported

    static constexpr OperationInfo kOperation{
        "experimental::topk_router_gpt",
        "[indices, weights] of the k largest of input * weight + bias in each row, the weights their softmax: "
        "[32, k], uint16 and bfloat16, ROW_MAJOR, in L1."};
    static constexpr auto kParameters =
        parameters(required<&TopkRouterGpt::input_tensor>(),
                   required_keyword<&TopkRouterGpt::weight_tensor, &TopkRouterGpt::bias_tensor>(),
                   keyword<&TopkRouterGpt::k, &TopkRouterGpt::num_experts>());

    /// The first of equal elements counts as the larger. Throws RuntimeError, OutOfMemoryError.
    std::vector<Tensor> body() const;
};

inline constexpr Operation<TopkRouterGpt> topk_router_gpt;

}  // namespace tilemeter::experimental
