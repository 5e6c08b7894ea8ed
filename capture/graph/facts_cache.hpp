// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <vector>

#include "capture/record/tensor_facts.hpp"

namespace tilemeter::graph {

/// record::tensor_facts_of without its lock from the second time on: a graph mentions few types many times.
class FactsCache {
public:
    /// `spec`: a TensorSpecId as events carry it.
    const record::TensorFacts& of(std::uint32_t spec) {
        if (spec < known_.size() && known_[spec] != nullptr) return *known_[spec];
        if (spec >= known_.size()) known_.resize(spec + 1, nullptr);
        known_[spec] = &record::tensor_facts_of(static_cast<record::TensorSpecId>(spec));
        return *known_[spec];
    }

private:
    std::vector<const record::TensorFacts*> known_;
};

}  // namespace tilemeter::graph
