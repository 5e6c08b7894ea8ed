// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "capture/record/tensor_info.hpp"

namespace tilemeter::graph {

/// record::tensor_info_of, but read once: a graph mentions few types many times.
class TensorInfoCache {
public:
    /// `spec`: a TensorSpecId as events carry it.
    const record::TensorInfo& of(std::uint32_t spec) {
        if (spec < known_.size() && known_[spec] != nullptr) return *known_[spec];
        if (spec >= known_.size()) known_.resize(spec + 1);
        known_[spec] = std::make_unique<const record::TensorInfo>(
            record::tensor_info_of(static_cast<record::TensorSpecId>(spec)));
        return *known_[spec];
    }

private:
    std::vector<std::unique_ptr<const record::TensorInfo>> known_;
};

}  // namespace tilemeter::graph
