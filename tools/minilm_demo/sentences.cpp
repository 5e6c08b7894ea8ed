// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/minilm_demo/sentences.hpp"

#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace tilemeter::demo {

std::vector<Sentence> read_sentences(const std::filesystem::path& path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error(path.string() + ": cannot be opened");
    std::vector<Sentence> sentences;
    try {
        const nlohmann::json document = nlohmann::json::parse(in);
        for (const nlohmann::json& entry : document.at("sentences")) {
            sentences.push_back({entry.at("text"), entry.at("input_ids"), entry.at("embedding")});
        }
    } catch (const nlohmann::json::exception& error) {
        throw std::runtime_error(path.string() +
                                 ": expected sentences with text, input_ids and embedding: " + error.what());
    }
    return sentences;
}

}  // namespace tilemeter::demo
