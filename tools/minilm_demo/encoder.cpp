// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/minilm_demo/encoder.hpp"

#include <cmath>
#include <utility>

#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "runtime/operations/transformer/embedding.hpp"

namespace tilemeter::demo {

namespace {

constexpr std::uint32_t kHead = Encoder::kHidden / Encoder::kHeads;
constexpr float kEpsilon = 1e-12F;

}  // namespace

Encoder::Encoder(const EncoderOptions& options, const MakeWeight& make_weight) : options_(options) {
    for (std::uint32_t i = 0; i < options_.layers; ++i)
        layers_.push_back(make_layer(i, make_weight));
    words_ =
        make_weight("embeddings.word_embeddings.weight", {kVocabulary, kHidden}, ROW_MAJOR_LAYOUT, bfloat16);
    positions_ = make_weight("embeddings.position_embeddings.weight", {1, kSequence, kHidden}, TILE_LAYOUT,
                             options_.dtype);
    norm_ = {make_weight("embeddings.LayerNorm.weight", {1, kHidden}, TILE_LAYOUT, options_.dtype),
             make_weight("embeddings.LayerNorm.bias", {1, kHidden}, TILE_LAYOUT, options_.dtype)};
}

Encoder::Layer Encoder::make_layer(std::uint32_t number, const MakeWeight& make_weight) const {
    const std::string prefix = "encoder.layer." + std::to_string(number) + ".";
    const auto make = [&](const std::string& name, const Shape& shape) {
        return make_weight(prefix + name, shape, TILE_LAYOUT, options_.dtype);
    };
    Layer layer;
    const std::array<std::string, 3> parts = {"query", "key", "value"};
    for (std::size_t i = 0; i < 3; ++i) {
        layer.qkv_weight[i] = make("attention.self." + parts[i] + ".weight", {kHidden, kHidden});
    }
    for (std::size_t i = 0; i < 3; ++i)
        layer.qkv_bias[i] = make("attention.self." + parts[i] + ".bias", {1, kHidden});
    layer.out_weight = make("attention.output.dense.weight", {kHidden, kHidden});
    layer.out_bias = make("attention.output.dense.bias", {1, kHidden});
    layer.up_weight = make("intermediate.dense.weight", {kHidden, kIntermediate});
    layer.up_bias = make("intermediate.dense.bias", {1, kIntermediate});
    layer.down_weight = make("output.dense.weight", {kIntermediate, kHidden});
    layer.down_bias = make("output.dense.bias", {1, kHidden});
    const std::array<std::string, 2> norms = {"attention.output.LayerNorm", "output.LayerNorm"};
    for (std::size_t i = 0; i < 2; ++i) {
        layer.norms[i] = {make(norms[i] + ".weight", {1, kHidden}), make(norms[i] + ".bias", {1, kHidden})};
    }
    return layer;
}

Tensor Encoder::heads(const Tensor& x, const Tensor& weight, const Tensor& bias, bool transposed) const {
    const MemoryConfig& memory = options_.activations;
    Tensor y = linear(x, weight, bias, false, false, memory);
    Tensor y4 = reshape(y, Shape{x.shape()[0], kSequence, kHeads, kHead});
    const std::vector<std::int64_t> order =
        transposed ? std::vector<std::int64_t>{0, 2, 3, 1} : std::vector<std::int64_t>{0, 2, 1, 3};
    Tensor out = permute(y4, order, memory);
    deallocate(y);
    y4.deallocate();
    return out;
}

Tensor Encoder::attention(const Layer& layer, const Tensor& x, const Tensor& mask, Tensor& merged) const {
    const MemoryConfig& memory = options_.activations;
    Tensor q = heads(x, layer.qkv_weight[0], layer.qkv_bias[0], false);
    Tensor k = heads(x, layer.qkv_weight[1], layer.qkv_bias[1], true);
    Tensor scores = matmul(q, k, false, false, memory);
    deallocate(q);
    deallocate(k);
    Tensor scaled = multiply(scores, 1 / std::sqrt(static_cast<float>(kHead)), std::nullopt, memory);
    deallocate(scores);
    Tensor masked = add(scaled, mask, std::nullopt, memory);
    deallocate(scaled);
    Tensor weights = softmax(masked, -1, memory);
    deallocate(masked);
    Tensor v = heads(x, layer.qkv_weight[2], layer.qkv_bias[2], false);
    Tensor context = matmul(weights, v, false, false, memory);
    deallocate(weights);
    deallocate(v);
    merged = permute(context, {0, 2, 1, 3}, memory);
    deallocate(context);
    Tensor flat = reshape(merged, Shape{x.shape()[0], kSequence, kHidden});
    Tensor projected = linear(flat, layer.out_weight, layer.out_bias, false, false, memory);
    deallocate(flat);
    return projected;
}

Tensor Encoder::run_layer(const Layer& layer, Tensor x, const Tensor& mask) const {
    const MemoryConfig& memory = options_.activations;
    Tensor merged;
    Tensor projected = attention(layer, x, mask, merged);
    Tensor residual = add(projected, x, std::nullopt, memory);
    deallocate(projected);
    deallocate(x);
    Tensor h = layer_norm(residual, kEpsilon, layer.norms[0][0], layer.norms[0][1], std::nullopt, memory);
    deallocate(residual);
    Tensor up =
        linear(h, layer.up_weight, layer.up_bias, false, false, memory, std::nullopt, std::nullopt, "gelu");
    Tensor down = linear(up, layer.down_weight, layer.down_bias, false, false, memory);
    deallocate(up);
    residual = add(down, h, std::nullopt, memory);
    deallocate(down);
    deallocate(h);
    Tensor out = layer_norm(residual, kEpsilon, layer.norms[1][0], layer.norms[1][1], std::nullopt, memory);
    deallocate(residual);
    // As late as in the Python form, where a local variable lives until the layer returns.
    merged.deallocate();
    return out;
}

Tensor Encoder::operator()(const Tensor& tokens, const Tensor& mask) const {
    const MemoryConfig& memory = options_.activations;
    Tensor embedded = embedding(tokens, words_, std::nullopt, TILE_LAYOUT, {}, {}, memory);
    if (options_.dtype != bfloat16) embedded = typecast(embedded, options_.dtype, memory);
    Tensor summed = add(embedded, positions_, std::nullopt, memory);
    deallocate(embedded);
    Tensor x = layer_norm(summed, kEpsilon, norm_[0], norm_[1], std::nullopt, memory);
    deallocate(summed);
    for (const Layer& layer : layers_)
        x = run_layer(layer, std::move(x), mask);
    return x;
}

}  // namespace tilemeter::demo
