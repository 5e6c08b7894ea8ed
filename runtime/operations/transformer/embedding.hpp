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
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

Tensor embedding(const Tensor& input_tensor, const Tensor& weight,
                 std::optional<int> padding_idx = std::nullopt, std::optional<Layout> layout = std::nullopt,
                 const OptionalMemoryConfig& memory_config = std::nullopt,
                 const OptionalTensor& output_tensor = std::nullopt);

}  // namespace tilemeter
