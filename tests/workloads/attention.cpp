// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Multi-head attention: by the attention program, and by matrix products.

#include "runtime/operations/transformer/attention.hpp"

#include <tuple>
#include <utility>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "runtime/operations/transformer/attention_heads.hpp"
#include "runtime/operations/work/core_grid.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/workloads/models.hpp"

namespace tilemeter::workloads {

namespace {

constexpr std::uint32_t kHidden = 1024;
constexpr std::uint32_t kHeads = 16;

struct Weights {
    explicit Weights(const std::shared_ptr<Device>& device)
        : x(weight(device, {1, 128, kHidden})),
          qkv(weight(device, {kHidden, 3 * kHidden})),
          qkv_bias(weight(device, {1, 3 * kHidden})),
          out(weight(device, {kHidden, kHidden})),
          out_bias(weight(device, {1, kHidden})) {}
    Tensor x, qkv, qkv_bias, out, out_bias;
};

Tensor on_whole_wormhole(const Tensor& a, const Tensor& b, const Tensor& bias) {
    return linear(a, b, bias, false, false, L1_MEMORY_CONFIG, std::nullopt, std::nullopt, std::nullopt,
                  std::nullopt, CoreGrid{8, 8});
}

Tensor merged(const Tensor& context, const Weights& weights) {
    const Tensor y = transformer::concatenate_heads(context, L1_MEMORY_CONFIG);
    give_back(context);
    Tensor out = on_whole_wormhole(y, weights.out, weights.out_bias);
    give_back(y);
    return out;
}

}  // namespace

Model attention_sdpa(const std::shared_ptr<Device>& device, const Sizes&) {
    return [weights = Weights(device)] {
        const Tensor fused = on_whole_wormhole(weights.x, weights.qkv, weights.qkv_bias);
        const Tensor in_four = unsqueeze_to_4D(fused);
        auto [q, k, v] = experimental::nlp_create_qkv_heads(in_four, std::nullopt, kHeads, kHeads, false,
                                                            false, DRAM_MEMORY_CONFIG);
        give_back(fused);
        Tensor out = merged(transformer::scaled_dot_product_attention(q, k, v), weights);
        // The view outlives its memory; Python lets go of it all the same.
        in_scope(record::intern("Tensor::deallocate"), std::tuple<>(), [] {});
        drop(std::move(q));
        drop(std::move(k));
        drop(std::move(v));
        return out;
    };
}

Model attention_mm(const std::shared_ptr<Device>& device, const Sizes&) {
    return [weights = Weights(device)] {
        const Tensor fused = on_whole_wormhole(weights.x, weights.qkv, weights.qkv_bias);
        const auto [q, k, v] = transformer::split_query_key_value_and_split_heads(
            fused, std::nullopt, kHeads, std::nullopt, true, L1_MEMORY_CONFIG);
        give_back(fused);
        Tensor scores = matmul(q, k, false, false, L1_MEMORY_CONFIG);
        give_back(q);
        give_back(k);
        scores = multiply_(scores, 1.0F / 8.0F);
        const Tensor probabilities = softmax_in_place(scores);
        const Tensor context = matmul(probabilities, v, false, false, L1_MEMORY_CONFIG);
        give_back(probabilities);
        give_back(v);
        return merged(context, weights);
    };
}

}  // namespace tilemeter::workloads
