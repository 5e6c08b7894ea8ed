// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The memory config that a tensor gives: equal to the one it was made with, but it says its shards twice, as
// TT-NN's does.

#pragma once

#include <utility>

#include "runtime/types/memory_config.hpp"

namespace tilemeter::python {

struct ConfigOfTensor : MemoryConfig {
    explicit ConfigOfTensor(MemoryConfig config) : MemoryConfig(std::move(config)) {}
};

}  // namespace tilemeter::python
