// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Types of optional arguments.

#pragma once

#include <optional>

#include "runtime/tensor/tensor.hpp"
#include "runtime/types/core_range.hpp"

namespace tilemeter {

using OptionalMemoryConfig = std::optional<MemoryConfig>;
using OptionalDataType = std::optional<DataType>;
using OptionalTensor = std::optional<Tensor>;
using OptionalCores = std::optional<CoreRangeSet>;

}  // namespace tilemeter
