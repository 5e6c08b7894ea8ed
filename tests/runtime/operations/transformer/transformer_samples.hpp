// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Values and memory configs that several tests of transformers' operations use.

#pragma once

#include <cstdint>
#include <vector>

#include "runtime/types/memory_config.hpp"
#include "tests/runtime/operations/numerics.hpp"

namespace tilemeter::test {

/// Some values between -2 and 2, for tests that look at places, not at many values.
inline std::vector<float> some_values(const Shape& shape) {
    std::vector<float> values;
    for (std::uint64_t i = 0; i < shape.volume(); ++i)
        values.push_back(static_cast<float>(i * 37 % 257) / 64.0F - 2.0F);
    return values;
}

inline MemoryConfig by_users(std::uint32_t users, std::uint32_t width) {
    return {TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
            ShardSpec{CoreRangeSet(std::vector<CoreRange>{{{0, 0}, {users - 1, 0}}}),
                      {32, width},
                      ShardOrientation::ROW_MAJOR}};
}

}  // namespace tilemeter::test
