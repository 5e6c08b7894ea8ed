// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// concat: tensors one after the other along a dimension.
//
// Shapes: equal in all other dimensions; dtype and layout: equal. dtype and layout of the result: those of
// the inputs (bfloat8_b becomes bfloat16 where its tiles have to be taken apart). Shards: side by side in HEIGHT
// or BLOCK shards, one below the other in WIDTH or BLOCK shards, on the same cores; else to interleaved memory.

#pragma once

#include <cstdint>
#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct Concat {
    std::vector<Tensor> tensors{};  ///< at least one
    std::int64_t dim = 0;
    OptionalMemoryConfig memory_config{};  ///< none: DRAM interleaved
    NotModelled output_tensor{};
    /// The parts of each of two tensors in HEIGHT shards, taken in turn from the first and the second. Without effect
    /// on others, as in TT-NN.
    std::int64_t groups = 1;
    OptionalCores sub_core_grids{};

    static constexpr OperationInfo kOperation{"concat", "One after the other along dim."};
    static constexpr auto kParameters =
        parameters(required<&Concat::tensors>(), optional<&Concat::dim>(),
                   keyword<&Concat::memory_config, &Concat::output_tensor>(),
                   unrecorded_keyword<&Concat::groups, &Concat::sub_core_grids>());

    /// Throws RuntimeError (no tensor, unequal shapes, dtypes or layouts), OutOfMemoryError.
    Tensor call() const;
};

inline constexpr Operation<Concat> concat;

namespace unscoped {
Tensor concat(const std::vector<Tensor>& tensors, std::int64_t dim,
              const OptionalMemoryConfig& memory_config = std::nullopt,
              const OptionalCores& sub_core_grids = std::nullopt, std::uint32_t groups = 1);
}  // namespace unscoped

}  // namespace tilemeter
