// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// all-MiniLM-L6-v2's encoder on a modelled device: embeddings, six layers of attention and feed-forward.
// Hidden size 384, 12 heads, feed-forward 1536, sequences of 128 tokens.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/tensor/tensor.hpp"
#include "runtime/types/memory_config.hpp"

namespace tilemeter::demo {

struct EncoderOptions {
    DataType dtype =
        DataType::BFLOAT16;  ///< of all but the word embeddings, which the devices take as BFLOAT16
    MemoryConfig activations = L1_MEMORY_CONFIG;
    std::uint32_t layers = 6;
};

class Encoder {
public:
    static constexpr std::uint32_t kHidden = 384;
    static constexpr std::uint32_t kHeads = 12;
    static constexpr std::uint32_t kIntermediate = 1536;
    static constexpr std::uint32_t kSequence = 128;
    static constexpr std::uint32_t kVocabulary = 30522;

    /// Makes one weight on the device. `name`: as the model's file has it, e.g.
    /// "encoder.layer.0.attention.self.query.weight"; `shape`: as it is wanted, [in, out] for matrices.
    using MakeWeight =
        std::function<Tensor(const std::string& name, const Shape& shape, Layout layout, DataType dtype)>;

    Encoder(const EncoderOptions& options, const MakeWeight& make_weight);

    /// tokens: [batch, 128] uint32, ROW_MAJOR. mask: [batch, 1, 1, 128], added to the attention scores.
    /// Gives the last layer's output, [batch, 128, 384].
    Tensor operator()(const Tensor& tokens, const Tensor& mask) const;

private:
    struct Layer {
        std::array<Tensor, 3> qkv_weight;
        std::array<Tensor, 3> qkv_bias;
        Tensor out_weight, out_bias;
        Tensor up_weight, up_bias;
        Tensor down_weight, down_bias;
        std::array<std::array<Tensor, 2>, 2> norms;  // attention's, feed-forward's: weight, bias
    };

    Layer make_layer(std::uint32_t number, const MakeWeight& make_weight) const;
    Tensor heads(const Tensor& x, const Tensor& weight, const Tensor& bias, bool transposed) const;
    /// `merged`: the heads' results side by side, in use until the caller frees it.
    Tensor attention(const Layer& layer, const Tensor& x, const Tensor& mask, Tensor& merged) const;
    Tensor run_layer(const Layer& layer, Tensor x, const Tensor& mask) const;

    EncoderOptions options_;
    std::vector<Layer> layers_;
    Tensor words_, positions_;
    std::array<Tensor, 2> norm_;
};

}  // namespace tilemeter::demo
