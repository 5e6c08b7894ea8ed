// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Slices of a tensor replaced by those of another, and rows filled where they are asked to be.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

/// input_tensor_a with slice batch_id[i] along dim replaced by slice i of input_tensor_b. batch_id: UINT32,
/// ROW_MAJOR, [1, 1, 1, B]; dim other than 0: ROW_MAJOR. memory_config: that of a unless given. Throws
/// RuntimeError, OutOfMemoryError.
Tensor indexed_fill(const Tensor& batch_id, const Tensor& input_tensor_a, const Tensor& input_tensor_b,
                    const OptionalMemoryConfig& memory_config = std::nullopt, std::int64_t dim = 0);

/// [n, c, h, w] of BFLOAT16, ROW_MAJOR: `high` in the first h_high rows and w_high columns, else `low`. any:
/// a tensor on the device, whose memory_config the result has unless one is given. Throws RuntimeError,
/// OutOfMemoryError.
struct FilledCorner {
    Shape shape;
    std::uint32_t h_high = 0;
    std::uint32_t w_high = 0;
    float high = 1;
    float low = 0;
};
Tensor fill_rm(const FilledCorner& corner, const Tensor& any,
               const OptionalMemoryConfig& memory_config = std::nullopt);
Tensor fill_ones_rm(const FilledCorner& corner, const Tensor& any,
                    const OptionalMemoryConfig& memory_config = std::nullopt);

}  // namespace tilemeter
