// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/minilm_demo/batch.hpp"

#include <stdexcept>

#include "runtime/operations/creation/creation.hpp"
#include "tools/minilm_demo/encoder.hpp"

namespace tilemeter::demo {

Batch make_batch(const std::vector<Sentence>& sentences, DataType dtype) {
    constexpr std::uint32_t kLength = Encoder::kSequence;
    constexpr float kPadding = -1e9F;  // softmax makes it 0
    const auto count = static_cast<std::uint32_t>(sentences.size());
    std::vector<std::int64_t> tokens(std::size_t{count} * kLength, 0);
    std::vector<float> mask(tokens.size(), kPadding);
    for (std::size_t s = 0; s < sentences.size(); ++s) {
        if (sentences[s].tokens.size() > kLength) {
            throw std::runtime_error("sentence '" + sentences[s].text + "': expected at most " +
                                     std::to_string(kLength) + " tokens, found " +
                                     std::to_string(sentences[s].tokens.size()));
        }
        for (std::size_t i = 0; i < sentences[s].tokens.size(); ++i) {
            tokens[s * kLength + i] = sentences[s].tokens[i];
            mask[s * kLength + i] = 0;
        }
    }
    return {from_vector(tokens, {count, kLength}, uint32, ROW_MAJOR_LAYOUT),
            from_vector(mask, {count, 1, 1, kLength}, dtype, TILE_LAYOUT)};
}

}  // namespace tilemeter::demo
