// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/graph/stack_texts.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "capture/graph/symbolizer.hpp"
#include "capture/record/stack.hpp"
#include "capture/record/text.hpp"

namespace tilemeter::graph {

using record::StackId;
using record::TextId;

struct StackTexts::Known {
    struct FrameText {
        TextId text;
        bool is_users;
    };

    const std::vector<FrameText>& frames_at(std::uint64_t address) {
        const auto [entry, is_new] = frames.try_emplace(address);
        if (!is_new) return entry->second;
        if (const std::optional<TextId> text = record::text_of_frame(address)) {
            entry->second.push_back({*text, true});
        } else {
            for (const Frame& frame : symbolizer.frames_at(address))
                entry->second.push_back({record::intern(frame.to_text()), frame.is_users()});
        }
        return entry->second;
    }

    Symbolizer symbolizer;
    std::unordered_map<std::uint64_t, std::vector<FrameText>> frames;
    std::unordered_map<StackId, std::vector<TextId>> stacks;
};

StackTexts::StackTexts() = default;
StackTexts::~StackTexts() = default;

std::span<const TextId> StackTexts::texts_of(StackId stack, record::FrameOrder order) {
    if (!known_) known_ = std::make_unique<Known>();
    const auto [entry, is_new] = known_->stacks.try_emplace(stack);
    if (!is_new) return entry->second;
    std::vector<Known::FrameText> frames;
    for (const std::uint64_t address : record::stack_of(stack)) {
        const auto& here = known_->frames_at(address);
        frames.insert(frames.end(), here.begin(), here.end());
    }
    if (order == record::FrameOrder::kUserFramesFirst) {
        std::stable_partition(frames.begin(), frames.end(),
                              [](const Known::FrameText& frame) { return frame.is_users; });
    }
    for (const Known::FrameText& frame : frames)
        entry->second.push_back(frame.text);
    return entry->second;
}

}  // namespace tilemeter::graph
