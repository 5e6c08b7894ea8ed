// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A tensor side by side with itself.
//
// Any shape, dtype and layout. memory_config of the result: that of the input unless given. Throws
// RuntimeError (fewer repetitions than dimensions), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <vector>

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// times[i] along dimension i; more numbers than dimensions: leading dimensions of 1 are added.
Tensor repeat(const Tensor& input, const std::vector<std::uint32_t>& times,
              const OptionalMemoryConfig& memory_config = std::nullopt);

/// Dimensions of 1 repeated up to `sizes`, leading ones added; -1 leaves a dimension as it is.
Tensor expand(const Tensor& input, const std::vector<std::int64_t>& sizes,
              const OptionalMemoryConfig& memory_config = std::nullopt);

namespace unscoped {
Tensor repeat(const Tensor& input, const std::vector<std::uint32_t>& times,
              const OptionalMemoryConfig& memory_config = std::nullopt);
}  // namespace unscoped

}  // namespace tilemeter
