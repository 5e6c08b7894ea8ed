// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "capture/events/ids.hpp"
#include "capture/record/detail.hpp"

namespace tilemeter::graph {

/// Stacks as reports have them, one text per frame. Each address is looked up once, at the first stack that
/// has it.
class StackTexts {
public:
    StackTexts();
    ~StackTexts();

    std::span<const record::TextId> texts_of(record::StackId stack, record::FrameOrder order);

private:
    struct Known;
    std::unique_ptr<Known> known_;  // null until asked
};

}  // namespace tilemeter::graph
