// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A BERT-style encoder with embeddings and pooler: hidden size 128, 2 heads, 2 layers.

#include <array>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "runtime/operations/transformer/attention_heads.hpp"
#include "runtime/operations/transformer/embedding.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/workloads/models.hpp"

namespace tilemeter::workloads {

namespace {

constexpr std::uint32_t kBertHidden = 128;
constexpr std::uint32_t kBertHeads = 2;
constexpr std::uint32_t kInner = 512;
constexpr std::uint32_t kVocabulary = 30528;
constexpr std::uint32_t kSequence = 128;
constexpr std::uint32_t kBatch = 2;

Tensor with_bias(const Tensor& a, const Tensor& b, const Tensor& bias,
                 const OptionalMemoryConfig& memory_config = L1_MEMORY_CONFIG,
                 const std::optional<std::string>& activation = std::nullopt) {
    return linear(a, b, bias, false, false, memory_config, std::nullopt, std::nullopt, activation);
}

class EncoderLayer {
public:
    explicit EncoderLayer(const std::shared_ptr<Device>& device)
        : qkv_(weight(device, {kBertHidden, 3 * kBertHidden})),
          qkv_bias_(weight(device, {1, 3 * kBertHidden})),
          out_(weight(device, {kBertHidden, kBertHidden})),
          out_bias_(weight(device, {1, kBertHidden})),
          norms_{weight(device, {1, kBertHidden}), weight(device, {1, kBertHidden}),
                 weight(device, {1, kBertHidden}), weight(device, {1, kBertHidden})},
          inner_(weight(device, {kBertHidden, kInner})),
          inner_bias_(weight(device, {1, kInner})),
          outer_(weight(device, {kInner, kBertHidden})),
          outer_bias_(weight(device, {1, kBertHidden})) {}

    Tensor operator()(const Tensor& x, const Tensor& mask) const {
        const Tensor qkv = with_bias(x, qkv_, qkv_bias_);
        const auto [q, k, v] =
            transformer::split_query_key_value_and_split_heads(qkv, std::nullopt, kBertHeads);
        give_back(qkv);
        const Tensor scores = matmul(q, k, false, false, L1_MEMORY_CONFIG);
        give_back(q);
        give_back(k);
        const Tensor probabilities = transformer::attention_softmax_(scores, kBertHidden / kBertHeads, mask);
        Tensor heads = matmul(probabilities, v, false, false, L1_MEMORY_CONFIG);
        give_back(probabilities);
        give_back(v);
        const Tensor context = transformer::concatenate_heads(heads);
        drop(std::move(heads));
        const Tensor attention = with_bias(context, out_, out_bias_);
        give_back(context);
        const Tensor y = layer_norm(attention, 1e-12F, norms_[0], norms_[1], x);
        give_back(attention);
        const Tensor f = with_bias(y, inner_, inner_bias_, L1_MEMORY_CONFIG, "gelu");
        const Tensor g = with_bias(f, outer_, outer_bias_);
        give_back(f);
        Tensor z = layer_norm(g, 1e-12F, norms_[2], norms_[3], y);
        give_back(g);
        give_back(y);
        return z;
    }

private:
    Tensor qkv_, qkv_bias_, out_, out_bias_;
    std::array<Tensor, 4> norms_;
    Tensor inner_, inner_bias_, outer_, outer_bias_;
};

}  // namespace

Model bert_tiny(const std::shared_ptr<Device>& device, const Sizes&) {
    const Tensor table = zeros({kVocabulary, kBertHidden}, bfloat16, ROW_MAJOR_LAYOUT, device);
    const Tensor places = zeros({512, kBertHidden}, bfloat16, ROW_MAJOR_LAYOUT, device);
    const Tensor ids = zeros({kBatch, kSequence}, uint32, ROW_MAJOR_LAYOUT, device);
    const Tensor positions = zeros({kBatch, kSequence}, uint32, ROW_MAJOR_LAYOUT, device);
    const Tensor mask = weight(device, {kBatch, 1, 1, kSequence});
    const std::vector<EncoderLayer> layers = {EncoderLayer(device), EncoderLayer(device)};
    const Tensor pool = weight(device, {kBertHidden, kBertHidden});
    const Tensor pool_bias = weight(device, {1, kBertHidden});
    const Tensor classes = weight(device, {kBertHidden, 32});
    return [=] {
        const Tensor e = embedding(ids, table, std::nullopt, Layout::TILE);
        const Tensor p = embedding(positions, places, std::nullopt, Layout::TILE);
        Tensor x = add(e, p, std::nullopt, L1_MEMORY_CONFIG);
        give_back(e);
        give_back(p);
        for (const EncoderLayer& layer : layers) {
            Tensor y = layer(x, mask);
            give_back(x);
            x = std::move(y);
        }
        Tensor first = in_scope(record::intern("ttnn.Tensor.__getitem__"), std::tie(x), [&] {
            return slice(x, {0, 0, 0}, {kBatch, 1, kBertHidden});
        });
        Tensor pooled = with_bias(first, pool, pool_bias, std::nullopt);
        Tensor activated = tanh(pooled);
        drop(std::move(pooled));
        Tensor out = linear(activated, classes);
        drop(std::move(x));
        drop(std::move(first));
        drop(std::move(activated));
        return out;
    };
}

}  // namespace tilemeter::workloads
