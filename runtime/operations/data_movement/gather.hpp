// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// gather: elements picked along a dimension.
//
// The result has the index's shape and the input's dtype and layout. A dimension other than the last is
// exchanged with it before and after.

#pragma once

#include <cstdint>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct Gather {
    Tensor input{};
    std::int64_t dim = 0;
    Tensor index{};  ///< UINT32 or UINT16, the input's rank, no larger than it in the other dimensions
    bool sparse_grad = false;              ///< has no effect
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    OptionalTensor out{};
    NotModelled sub_core_grids{};

    static constexpr OperationInfo kOperation{"gather",
                                              "Elements picked along dim: result has the shape of index."};
    static constexpr auto kParameters = parameters(
        required<&Gather::input, &Gather::dim, &Gather::index>(), unrecorded_keyword<&Gather::sparse_grad>(),
        keyword<&Gather::memory_config, &Gather::out, &Gather::sub_core_grids>());

    /// Throws RuntimeError (ranks, dtype of the index, an index beyond the dimension), OutOfMemoryError.
    Tensor call() const;
};

inline constexpr Operation<Gather> gather;

}  // namespace tilemeter
