// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/internal/attention_program.hpp"

#include <cmath>
#include <vector>

#include "runtime/operations/work/largest_divisor.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

constexpr std::uint64_t kBf16Tile = 2048;
constexpr std::uint64_t kFp32Tile = 4096;
constexpr std::uint64_t kBfp4Tile = 576;

// Two programs: one streams through the scores and keeps masks as a few tiles that stand for all of one kind;
// the other, where sums are kept in 32 bits, has whole blocks of the mask.
class Sizes {
public:
    Sizes(const AttentionProblem& problem, const DeviceDescription& device)
        : problem_(problem),
          dram_alignment_(device.dram_alignment),
          blackhole_(device.arch == "BLACKHOLE"),
          streams_(!problem.fp32_sums),
          rows_(problem.q_chunk / kTileHeight),
          columns_(problem.k_chunk / kTileHeight),
          width_(ceil_div(problem.q->shape[3], kTileWidth)),
          value_width_(problem.value_width / kTileWidth),
          q_chunks_(ceil_div(problem.q->shape[2], problem.q_chunk)),
          k_chunks_(ceil_div(problem.k->shape[2], problem.k_chunk)) {}

    std::vector<std::uint64_t> in_order() const {
        const std::uint64_t forwarding = forwarding_bytes();
        const std::uint64_t keys = (forwarding == kDeepForwarding ? 3 : 2) * columns_;
        std::vector<std::uint64_t> sizes = {
            rows_ * width_ * (many_chunks_per_core() ? 2 : 1) * tile_size(problem_.q->dtype),
            keys * width_ * tile_size(problem_.k->dtype), keys * value_width_ * tile_size(problem_.v->dtype)};
        if (forwarding > 0) sizes.push_back(forwarding);
        if (const std::uint64_t mask = mask_bytes(); mask > 0) sizes.push_back(mask);
        if (problem_.windows) sizes.insert(sizes.end(), {kFp32Tile, kFp32Tile, kWindowBytes});
        sizes.insert(sizes.end(), {kBf16Tile, kBf16Tile});
        if (problem_.page_table != nullptr) {
            const std::uint64_t row = problem_.page_table->shape[1] * sizeof(std::int32_t);
            sizes.push_back(problem_.start_in_tensor ? row : round_up(row, dram_alignment_));
        }
        if (problem_.start_in_tensor) sizes.insert(sizes.end(), 2, kStartBytes);
        if (problem_.sink != nullptr)
            sizes.push_back((streams_ ? 1 : rows_) * tile_size(problem_.sink->dtype));
        if (streams_) sizes.push_back(kBf16Tile);
        const std::uint64_t sum = streams_ ? kBf16Tile : kFp32Tile;
        const std::uint64_t out = rows_ * value_width_ * kBf16Tile;
        const std::uint64_t statistic = rows_ * kBf16Tile;
        sizes.insert(sizes.end(), {rows_ * columns_ * sum, out, out, statistic, statistic, rows_ * sum,
                                   rows_ * sum, statistic});
        sizes.push_back((streams_ ? 2 * rows_written_at_once() : rows_) * value_width_ *
                        tile_size(problem_.out_dtype));
        return sizes;
    }

private:
    static constexpr std::uint64_t kWindowBytes = 32;  ///< bounds of windows at a time
    static constexpr std::uint64_t kStartBytes = 32;   ///< the tensor of a start, for each of two kernels
    static constexpr std::uint64_t kForwarding = 96;
    static constexpr std::uint64_t kDeepForwarding = 128;

    // On Blackhole cores that work on one head forward its keys and values to each other, where short and
    // long chunks come in pairs and end where chunks of keys do. The place for what they agree on; with large
    // chunks the keys and values get a third place.
    std::uint64_t forwarding_bytes() const {
        const std::uint64_t cores = std::uint64_t{problem_.grid.x} * problem_.grid.y;
        const bool aligned = columns_ <= rows_ || columns_ % rows_ == 0;
        if (!blackhole_ || !problem_.is_causal || problem_.page_table != nullptr || problem_.windowed ||
            q_chunks_ % 2 != 0 || cores < 64 || rows_ > 4 || !aligned ||
            (problem_.sink != nullptr && !streams_)) {
            return 0;
        }
        return rows_ >= 3 && columns_ <= 8 ? kDeepForwarding : kForwarding;
    }

    // Chunks of q are dealt out one by one; causal ones in pairs, a short one with a long one, where they
    // come in pairs.
    bool many_chunks_per_core() const {
        const std::uint64_t cores = std::uint64_t{problem_.grid.x} * problem_.grid.y;
        const std::uint64_t chunks = std::uint64_t{problem_.q->shape[0]} * problem_.q->shape[1] * q_chunks_;
        return (problem_.is_causal && q_chunks_ % 2 == 0) || chunks > cores;
    }

    std::uint64_t mask_bytes() const {
        const std::uint64_t block = 2 * rows_ * columns_;
        const bool part_of_tile = problem_.k->shape[2] % kTileHeight != 0;
        if (problem_.windows) return block * kBf16Tile;
        if (problem_.mask != nullptr) return block * tile_size(problem_.mask->dtype);
        if (problem_.windowed) {
            if (!streams_) return block * kBfp4Tile;
            return (5 + (!problem_.is_causal && part_of_tile ? 1 : 0)) * kBf16Tile;
        }
        if (problem_.is_causal) return 2 * kBf16Tile;
        const bool padded = q_chunks_ * problem_.q_chunk != problem_.q->shape[2] ||
                            k_chunks_ * problem_.k_chunk != problem_.k->shape[2];
        if (!padded) return 0;
        return streams_ ? (part_of_tile ? 2 : 1) * kBf16Tile : block * kBfp4Tile;
    }

    // The tiles that a core computes at once: at most eight, one or two rows, whichever takes more of them.
    std::uint64_t rows_written_at_once() const {
        if (rows_ == 1) return 1;
        const std::uint64_t in_two_rows = 2 * largest_divisor(value_width_, 4);
        const std::uint64_t in_one_row = largest_divisor(value_width_, 8);
        const bool two = in_two_rows > in_one_row || (in_two_rows == in_one_row && rows_ % 2 == 0);
        return two ? 2 : 1;
    }

    const AttentionProblem& problem_;
    std::uint64_t dram_alignment_;
    bool blackhole_;
    bool streams_;
    std::uint64_t rows_;     ///< of tiles in a chunk of q
    std::uint64_t columns_;  ///< of tiles in the scores of a chunk: rows of tiles in a chunk of k
    std::uint64_t width_;    ///< of a head, in tiles
    std::uint64_t value_width_;
    std::uint64_t q_chunks_;
    std::uint64_t k_chunks_;
};

}  // namespace

bool is_attention_dtype(DataType dtype) {
    return dtype == DataType::BFLOAT16 || dtype == DataType::BFLOAT8_B || dtype == DataType::BFLOAT4_B;
}

float attention_scale(const std::optional<float>& given, const Tensor& q) {
    const std::uint32_t width = q.shape().rank() > 0 ? q.padded_shape()[-1] : 1;
    return given.value_or(1.0F / std::sqrt(static_cast<float>(width)));
}

std::string attribute_text(const SDPAProgramConfig& config) {
    return "SDPAProgramConfig(" + attribute_text(config.compute_with_storage_grid_size) + ", std::nullopt, " +
           std::to_string(config.q_chunk_size) + ", " + std::to_string(config.k_chunk_size) + ", " +
           attribute_text(config.exp_approx_mode) + ", " + std::to_string(config.max_cores_per_head_batch) +
           ", 1, std::nullopt, 0)";
}

ProgramPlan plan_attention(const AttentionProblem& problem, const DeviceDescription& device) {
    const CoreRangeSet cores = whole_grid(problem.grid);
    return {{"ttnn::prim::SDPAOperation::SDPAProgramFactory", 0},
            circular_buffers(Sizes(problem, device).in_order(), cores)};
}

// Whole blocks of the mask where a sequence ends within a chunk of keys.
ProgramPlan plan_joint_attention(const AttentionProblem& problem, std::uint32_t rows) {
    const CoreRangeSet cores = whole_grid(problem.grid);
    const std::uint64_t in_q = problem.q_chunk / kTileHeight;
    const std::uint64_t in_k = problem.k_chunk / kTileHeight;
    const std::uint64_t width = problem.q->shape[3] / kTileWidth;
    const std::uint64_t chunks =
        ceil_div(problem.q->shape[2], problem.q_chunk) + ceil_div(rows, problem.q_chunk);
    const bool many = std::uint64_t{problem.q->shape[0]} * problem.q->shape[1] * chunks >
                      std::uint64_t{problem.grid.x} * problem.grid.y;
    std::vector<std::uint64_t> sizes = {in_q * width * (many ? 2 : 1) * tile_size(problem.q->dtype),
                                        2 * in_k * width * tile_size(problem.k->dtype),
                                        2 * in_k * width * tile_size(problem.v->dtype)};
    if (problem.k->shape[2] % problem.k_chunk != 0 || rows % problem.k_chunk != 0)
        sizes.push_back(in_q * in_k * kBfp4Tile);
    sizes.insert(sizes.end(), {kBf16Tile, kBf16Tile, in_q * in_k * kBf16Tile});
    sizes.insert(sizes.end(), 2, in_q * width * kBf16Tile);
    sizes.insert(sizes.end(), 5, in_q * kBf16Tile);
    sizes.push_back(in_q * width * tile_size(problem.out_dtype));
    return {{"ttnn::prim::JointSDPADeviceOperation::JointSDPAProgramFactory", 0},
            circular_buffers(sizes, cores)};
}

}  // namespace tilemeter
