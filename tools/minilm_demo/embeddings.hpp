// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// From the encoder's output to sentence embeddings, and what one does with them.

#pragma once

#include <span>
#include <vector>

#include "tools/minilm_demo/sentences.hpp"

namespace tilemeter::demo {

/// The mean of each sentence's token vectors, padding left out, scaled to unit length.
/// `hidden`: [sentences, 128, 384] in row-major order.
std::vector<std::vector<float>> pool(std::span<const float> hidden, const std::vector<Sentence>& sentences);

double cosine(std::span<const float> a, std::span<const float> b);

/// The other sentence whose embedding is closest. REQUIRES: at least two.
std::size_t nearest(const std::vector<std::vector<float>>& embeddings, std::size_t to);

}  // namespace tilemeter::demo
