// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The sentences that the demo embeds, as token ids, with the embeddings that the model's authors' code gives.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tilemeter::demo {

struct Sentence {
    std::string text;
    std::vector<std::uint32_t> tokens;
    std::vector<float> expected;  ///< embedding of unit length
};

/// Throws std::runtime_error: file, what was expected, what was found.
std::vector<Sentence> read_sentences(const std::filesystem::path& path);

}  // namespace tilemeter::demo
