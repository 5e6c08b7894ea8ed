// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// embedding_bw: the gradient of a table of embeddings.

#pragma once

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct EmbeddingGradient {
    Tensor input_tensor{};            ///< indices [batch, n], n in whole tiles; UINT32 or BFLOAT16, ROW_MAJOR
    Tensor weight_tensor{};           ///< the table; only its height counts
    Tensor output_gradient_tensor{};  ///< [1, 1, batch * n, width]; BFLOAT16 or BFLOAT8_B, TILE
    OptionalDataType dtype{};         ///< none: that of the gradient; others are refused
    OptionalMemoryConfig memory_config{};  ///< none: that of the gradient
    OptionalTensor output_tensor{};        ///< written to instead of a new tensor

    static constexpr OperationInfo kOperation{
        "embedding_bw",
        "The gradient of the table weight_tensor, [1, 1, rows, width], from that of the rows that input_tensor "
        "names: rows that it names several times are summed, others are 0. input_tensor: [batch, n], UINT32 or "
        "BFLOAT16, ROW_MAJOR, n in whole tiles. output_gradient_tensor: [1, 1, batch * n, width], BFLOAT16 or "
        "BFLOAT8_B, TILE."};
    static constexpr auto kParameters =
        parameters(required<&EmbeddingGradient::input_tensor, &EmbeddingGradient::weight_tensor,
                            &EmbeddingGradient::output_gradient_tensor>(),
                   keyword<&EmbeddingGradient::dtype, &EmbeddingGradient::memory_config>(),
                   keyword<&EmbeddingGradient::output_tensor>().output());

    /// Throws RuntimeError (shapes, dtypes, layouts, an index beyond the table), OutOfMemoryError.
    Tensor body() const;
};

inline constexpr Operation<EmbeddingGradient> embedding_bw;

}  // namespace tilemeter
