// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The memory that normalising the rows of an interleaved tensor occupies.

#pragma once

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

/// The operands of a norm of interleaved tensors.
struct NormOperands {
    const TensorSpec& input;
    const TensorSpec& output;
    const TensorSpec* residual;
    const TensorSpec* weight;
    const TensorSpec* bias;
};

/// Sizes of the buffers of one core. TT-NN's program keeps a whole row of tiles wherever it can.
class InterleavedNormSizes {
public:
    InterleavedNormSizes(NormKind kind, bool sums_in_fp32, bool use_welford, const NormOperands& operands,
                         bool is_blackhole, std::uint64_t free_l1_bytes)
        : layer_norm_(kind == NormKind::kLayerNorm),
          welford_(use_welford),
          input_in_fp32_(operands.input.dtype == DataType::FLOAT32),
          block_(sums_in_fp32 ? 4 : 8),
          sum_tile_(tile_size(sums_in_fp32 ? DataType::FLOAT32 : DataType::BFLOAT16)),
          in_tile_(tile_size(operands.input.dtype)),
          out_tile_(tile_size(operands.output.dtype)),
          residual_tile_(size_or_zero(operands.residual)),
          weight_tile_(size_or_zero(operands.weight)),
          bias_tile_(size_or_zero(operands.bias)),
          row_(round_up(operands.input.padded_shape()[-1] / kTileWidth, block_)),
          summed_row_(row_) {
        // A Blackhole takes Welford's method of FLOAT32, and of BFLOAT16 with weight and bias of one type, or neither.
        const bool takes_bfloat16 = operands.input.dtype == DataType::BFLOAT16 && weight_tile_ == bias_tile_;
        if (is_blackhole && !input_in_fp32_ && !takes_bfloat16) welford_ = false;
        const bool sticks = is_row_major(operands.weight) || is_row_major(operands.bias);
        // TT-NN leaves a twentieth of what is free.
        const auto available = static_cast<std::uint64_t>(static_cast<double>(free_l1_bytes) * 0.95);
        if (welford_ && !(input_in_fp32_ && residual_tile_ > 0)) {
            rows_ahead_ = residual_tile_ > 0 ? 2 : 3;
            if (total() <= available) return;
            rows_ahead_ = 0;
        }
        if (sticks || total() <= available) return;
        // Parts of rows: as much as fits, up to a bound found by trial in TT-NN that is half as high where
        // sums take twice the memory.
        large_ = true;
        const std::uint64_t whole_row = row_;
        const bool heavy = weight_tile_ > 0 || bias_tile_ > 0 || input_in_fp32_;
        row_ = summed_row_ = (heavy ? 56 : 112) / (sums_in_fp32 ? 2 : 1);
        while (row_ > block_ && total() > available)
            summed_row_ = row_ -= block_;
        if (total() > available)
            throw ProgramMemoryExhaustedError("LayerNorm streaming circular buffers require " +
                                              std::to_string(total()) + " bytes, but only " +
                                              std::to_string(available) +
                                              " bytes of the allocator's L1 span are available");
        // With weight and bias TT-NN keeps the sum of FLOAT32 with the residual whole even then, if there is room.
        if (!welford_ || !input_in_fp32_ || weight_tile_ == 0 || bias_tile_ == 0) return;
        summed_row_ = whole_row;
        if (total() > available) summed_row_ = row_;
    }

    /// True if Welford's method reads the table of reciprocals.
    bool takes_reciprocals() const { return welford_ && (large_ || (input_in_fp32_ && residual_tile_ > 0)); }

    std::vector<std::uint64_t> in_order() const {
        const std::uint64_t two_blocks = 2 * block_;
        const std::uint64_t constant = 2 * tile_size(DataType::BFLOAT16);
        std::vector<std::uint64_t> sizes = {ahead(row_) * in_tile_, two_blocks * out_tile_};
        if (layer_norm_) sizes.push_back(2 * sum_tile_);  // mean
        if (!welford_) sizes.push_back(constant);         // the factor of sums
        sizes.insert(sizes.end(), {constant, 2 * sum_tile_});
        if (layer_norm_) {
            const bool from_input = welford_ && input_in_fp32_ && residual_tile_ == 0 && !large_;
            if (!from_input) sizes.push_back(row_ * sum_tile_);  // differences from it
        } else if (large_ || residual_tile_ > 0) {
            sizes.push_back(row_ * sum_tile_);  // the sum with the residual
        }
        if (!welford_) sizes.push_back(row_ * sum_tile_);  // squares
        sizes.push_back(8 * sum_tile_);
        if (large_ && !welford_) sizes.push_back(sum_tile_);
        if (weight_tile_ > 0 || bias_tile_ > 0) sizes.push_back(two_blocks * sum_tile_);
        if (weight_tile_ > 0) sizes.push_back(row_ * weight_tile_);
        if (bias_tile_ > 0) sizes.push_back(row_ * bias_tile_);
        if (residual_tile_ > 0) {
            if (layer_norm_) sizes.push_back(summed_row_ * sum_tile_);
            sizes.push_back(ahead(two_blocks) * residual_tile_);
        }
        return sizes;
    }

private:
    static std::uint64_t size_or_zero(const TensorSpec* spec) {
        return spec != nullptr ? tile_size(spec->dtype) : 0;
    }
    static bool is_row_major(const TensorSpec* spec) {
        return spec != nullptr && spec->layout == Layout::ROW_MAJOR;
    }

    /// Tiles of an operand that are read ahead: whole rows, or `alone`; with a residual two blocks of each.
    std::uint64_t ahead(std::uint64_t alone) const {
        if (rows_ahead_ > 0) return rows_ahead_ * row_;
        return residual_tile_ > 0 ? 2 * block_ : alone;
    }

    std::uint64_t total() const {
        const std::vector<std::uint64_t> sizes = in_order();
        return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
    }

    bool layer_norm_;
    bool welford_;
    bool input_in_fp32_;
    std::uint64_t block_;  ///< tiles that are processed at a time
    std::uint64_t sum_tile_;
    std::uint64_t in_tile_;
    std::uint64_t out_tile_;
    std::uint64_t residual_tile_;
    std::uint64_t weight_tile_;
    std::uint64_t bias_tile_;
    std::uint64_t row_;
    std::uint64_t summed_row_;      ///< of the sum with the residual
    std::uint64_t rows_ahead_ = 0;  ///< 0: not whole rows
    bool large_ = false;
};

}  // namespace tilemeter
