// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// tril, triu: a tensor with zeros above or below a diagonal of its last two dimensions.
//
// Any shape of at least one dimension; floating point, TILE. As in TT-NN the input is multiplied with a mask
// of zeros and ones in bfloat16 that the host makes: it takes memory of the input's shape meanwhile.

#pragma once

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct Triangle {
    struct Row : OperationRow {
        bool lower;
    };

    const Row* row = nullptr;
    Tensor input_tensor{};
    std::int64_t diagonal = 0;             ///< 0: the main one, 1: the one above it
    OptionalMemoryConfig memory_config{};  ///< none: that of the input

    static constexpr auto kParameters = parameters(required<&Triangle::input_tensor>(),
                                                   keyword<&Triangle::diagonal, &Triangle::memory_config>());
    Tensor body() const;
};
inline constexpr OperationOf<Triangle> tril{"tril", "What lies on a diagonal and below it, else zeros.",
                                            true};
inline constexpr OperationOf<Triangle> triu{"triu", "What lies on a diagonal and above it, else zeros.",
                                            false};

}  // namespace tilemeter
