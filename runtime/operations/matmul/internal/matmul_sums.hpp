// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The place where the program of a matrix product keeps sums that are not final yet.
//
// Thread safety: const calls may run at the same time.

#pragma once

#include <cstdint>

#include "runtime/operations/matmul/internal/matmul_problem.hpp"

namespace tilemeter {

/// In the output's own buffer if the format is the same.
class Sums {
public:
    /// `packed_in_l1`: sums of several steps are added up.
    Sums(const MatmulProblem& problem, bool packed_in_l1)
        : dtype_(problem.accumulates_in_fp32             ? DataType::FLOAT32
                 : packed_in_l1 && problem.packs_into_l1 ? DataType::BFLOAT16
                                                         : problem.output_dtype),
          output_dtype_(problem.output_dtype),
          tile_(problem.output_tile()) {}

    bool need_own_buffer() const { return dtype_ != output_dtype_; }
    std::uint64_t tile_bytes() const { return tile_size(dtype_, tile_); }

private:
    DataType dtype_;
    DataType output_dtype_;
    Tile tile_;
};

}  // namespace tilemeter
