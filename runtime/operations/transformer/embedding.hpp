// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Rows of a table by index, with TT-NN's name, arguments and defaults.
//
// input_tensor: indices, [batch, n] or [n] or [batch, 1, 1, n]; UINT32 (or BFLOAT16 that holds whole
// numbers), ROW_MAJOR. weight: the table [rows, width], BFLOAT16, ROW_MAJOR. Result: [batch, n, width],
// BFLOAT16. layout of the result: that of the table unless given; TILE directly where n and width are whole
// tiles, else by way of ROW_MAJOR. memory_config: that of the indices unless given. padding_idx changes
// nothing in the values: its row is whatever the table holds there. Throws RuntimeError (shapes, dtypes,
// layouts, an index beyond the table), OutOfMemoryError.

#pragma once

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct Embedding {
    using Self = Embedding;
    Tensor input_tensor{};
    Tensor weight{};
    std::optional<int> padding_idx{};
    std::optional<Layout> layout{};
    Ignored embeddings_type{};
    Ignored dtype{};
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};

    static constexpr OperationInfo kOperation{"embedding",
                                              "The rows of weight that input_tensor (uint32) names."};
    static constexpr auto kParameters =
        parameters(required<&Self::input_tensor, &Self::weight>(),
                   keyword<&Self::padding_idx, &Self::layout, &Self::embeddings_type, &Self::dtype,
                           &Self::memory_config>(),
                   unrecorded_keyword<&Self::output_tensor>().output());
    Tensor body() const;
};
inline constexpr Operation<Embedding> embedding;

}  // namespace tilemeter
