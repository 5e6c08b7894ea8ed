// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A Llama-style decoder: RMSNorm, fused QKV, causal attention, SwiGLU.

#include <memory>
#include <utility>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/transformer/attention.hpp"
#include "runtime/operations/transformer/attention_heads.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/workloads/models.hpp"

namespace tilemeter::workloads {

namespace {

class Layer {
public:
    Layer(const std::shared_ptr<Device>& device, const Sizes& sizes) : heads_(size_or(sizes, "heads", 16)) {
        const std::uint32_t hidden = size_or(sizes, "hidden", 1024);
        const std::uint32_t inner = size_or(sizes, "ffn", 2816);
        norm1_ = weight(device, {1, hidden});
        norm2_ = weight(device, {1, hidden});
        qkv_ = weight(device, {hidden, 3 * hidden});
        out_ = weight(device, {hidden, hidden});
        gate_ = weight(device, {hidden, inner});
        up_ = weight(device, {hidden, inner});
        down_ = weight(device, {inner, hidden});
    }

    Tensor operator()(const Tensor& x) const {
        const Tensor a = attention(x);
        const Tensor r = add(x, a, std::nullopt, L1_MEMORY_CONFIG);
        give_back(a);
        const Tensor m = mlp(r);
        const Tensor y = add(r, m, std::nullopt, DRAM_MEMORY_CONFIG);
        give_back(r);
        give_back(m);
        return y;
    }

private:
    static Tensor product(const Tensor& a, const Tensor& b,
                          const std::optional<std::string>& activation = std::nullopt) {
        return linear(a, b, std::nullopt, false, false, L1_MEMORY_CONFIG, std::nullopt, std::nullopt,
                      activation);
    }

    Tensor attention(const Tensor& x) const {
        const Tensor n = rms_norm(x, 1e-5F, norm1_, std::nullopt, std::nullopt, L1_MEMORY_CONFIG);
        const Tensor qkv = product(n, qkv_);
        give_back(n);
        const auto [q, k, v] = experimental::nlp_create_qkv_heads(qkv, std::nullopt, heads_, heads_, false,
                                                                  false, DRAM_MEMORY_CONFIG);
        give_back(qkv);
        const Tensor context = transformer::scaled_dot_product_attention(q, k, v);
        give_back(q);
        give_back(k);
        give_back(v);
        const Tensor merged = experimental::nlp_concat_heads(context, L1_MEMORY_CONFIG);
        give_back(context);
        const Tensor y = product(merged, out_);
        give_back(merged);
        return y;
    }

    Tensor mlp(const Tensor& x) const {
        const Tensor n = rms_norm(x, 1e-5F, norm2_, std::nullopt, std::nullopt, L1_MEMORY_CONFIG);
        const Tensor gate = product(n, gate_, "silu");
        const Tensor up = product(n, up_);
        give_back(n);
        const Tensor both = multiply(gate, up, std::nullopt, L1_MEMORY_CONFIG);
        give_back(gate);
        give_back(up);
        const Tensor y = product(both, down_);
        give_back(both);
        return y;
    }

    std::uint32_t heads_;
    Tensor norm1_, norm2_, qkv_, out_, gate_, up_, down_;
};

}  // namespace

// In one script the input is made after the weights and nothing but its name refers to it, which moves on; in
// the reports' script (`input_first`) it is made before them and kept.
Model decoder(const std::shared_ptr<Device>& device, const Sizes& sizes) {
    const bool kept = size_or(sizes, "input_first", 0) != 0;
    const Shape shape{1, 1, size_or(sizes, "sequence", 128), size_or(sizes, "hidden", 1024)};
    const auto input = std::make_shared<Tensor>();
    if (kept) *input = weight(device, shape);
    std::vector<Layer> layers;
    for (std::uint32_t i = 0; i < size_or(sizes, "layers", 2); ++i)
        layers.emplace_back(device, sizes);
    if (!kept) *input = weight(device, shape);
    return [layers, input, kept] {
        Tensor x = kept ? *input : std::exchange(*input, Tensor());
        for (std::size_t i = 0; i < layers.size(); ++i) {
            Tensor y = layers[i](x);
            if (i != 0) {
                give_back(x);
            } else {
                drop(std::move(x));
            }
            x = std::move(y);
        }
        return x;
    };
}

}  // namespace tilemeter::workloads
