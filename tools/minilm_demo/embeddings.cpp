// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/minilm_demo/embeddings.hpp"

#include <cmath>

#include "tools/minilm_demo/encoder.hpp"

namespace tilemeter::demo {

std::vector<std::vector<float>> pool(std::span<const float> hidden, const std::vector<Sentence>& sentences) {
    constexpr std::size_t kRow = Encoder::kHidden;
    std::vector<std::vector<float>> embeddings;
    for (std::size_t s = 0; s < sentences.size(); ++s) {
        const auto first = hidden.subspan(s * Encoder::kSequence * kRow, Encoder::kSequence * kRow);
        std::vector<double> sum(kRow, 0.0);
        for (std::size_t token = 0; token < sentences[s].tokens.size(); ++token) {
            for (std::size_t i = 0; i < kRow; ++i)
                sum[i] += first[token * kRow + i];
        }
        double square = 0;
        for (const double value : sum)
            square += value * value;
        std::vector<float> embedding;
        for (const double value : sum)
            embedding.push_back(static_cast<float>(value / std::sqrt(square)));
        embeddings.push_back(std::move(embedding));
    }
    return embeddings;
}

double cosine(std::span<const float> a, std::span<const float> b) {
    double product = 0;
    double a_square = 0;
    double b_square = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        product += double{a[i]} * b[i];
        a_square += double{a[i]} * a[i];
        b_square += double{b[i]} * b[i];
    }
    return product / std::sqrt(a_square * b_square);
}

std::size_t nearest(const std::vector<std::vector<float>>& embeddings, std::size_t to) {
    std::size_t best = to == 0 ? 1 : 0;
    for (std::size_t i = 0; i < embeddings.size(); ++i) {
        if (i != to && cosine(embeddings[i], embeddings[to]) > cosine(embeddings[best], embeddings[to]))
            best = i;
    }
    return best;
}

}  // namespace tilemeter::demo
