// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/indexer_score.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <tuple>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/largest_divisor.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

struct IndexerScoreOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "IndexerScoreDeviceOperation";

    std::uint32_t chunk_start;
    std::uint32_t ratio;
    IndexerScoreProgramConfig config;
    DeviceComputeKernelConfig kernels;
    std::optional<std::uint32_t> slot;
    std::optional<std::uint32_t> kv_len;

    auto attributes() const {
        return std::make_tuple(chunk_start, ratio, config.q_chunk_size, config.k_chunk_size,
                               config.head_group_size, attribute_text(kernels), slot, kv_len);
    }
    // The other numbers are handed to each run.
    auto key_attributes() const {
        return std::make_tuple(ratio, config.q_chunk_size, config.k_chunk_size, config.head_group_size,
                               kernels, slot.has_value(), kv_len.has_value());
    }

    void validate(SpecsView inputs, const DeviceDescription& device) const {
        require(device.arch == "BLACKHOLE", "indexer_score is only supported on Blackhole, got ",
                device.arch == "WORMHOLE_B0" ? "wormhole_b0" : device.arch);
        const Shape &q = inputs[0].shape, &k = inputs[1].shape, &weights = inputs[2].shape;
        require_operand(inputs[0], "q");
        require_operand(inputs[1], "k");
        require(inputs[2].dtype == DataType::BFLOAT16,
                "weights must be bfloat16 (got DataType::", name_of(inputs[2].dtype), ")");
        require(k[1] == 1, "k must be single-head [B, 1, T, D], got ", k[1], " heads");
        require(slot || k[0] == 1, "indexer_score k batch must be 1 unless a cache slot is selected (got ",
                k[0], ")");
        require(q[0] == 1 && q[3] == k[3] && slot.value_or(0) < k[0],
                "indexer_score: expected q [1, h, s, d] and a slot of k [n, 1, t, d], got ", q, " and ", k);
        require(weights == Shape{q[0], 1, q[2], q[1]},
                "weights must be [B, 1, Sq, Hi] matching q [B, Hi, Sq, D]");
        const auto whole = [](std::uint32_t size) { return size % kTileHeight == 0; };
        require(whole(q[2]) && whole(k[2]) && whole(q[3]), "Sq ", q[2], ", T ", k[2], ", D ", q[3],
                " must be tile-aligned");
        require(chunk_start % kTileHeight == 0, "chunk_start_idx ", chunk_start, " must be tile-aligned");
        require_config(q, k[2]);
        require_places(k[2]);
    }

    TensorSpecs infer(SpecsView inputs) const {
        MemoryConfig place = inputs[0].memory_config;
        return {TensorSpec{{inputs[0].shape[0], 1, inputs[0].shape[2], inputs[1].shape[2]},
                           DataType::BFLOAT16,
                           Layout::ROW_MAJOR,
                           place}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const std::uint64_t heads = inputs[0].shape[1];
        const std::uint64_t group = config.head_group_size == 0 ? heads : config.head_group_size;
        const bool all_at_once = group == heads;
        const std::uint64_t rows = config.q_chunk_size / kTileHeight;
        const std::uint64_t columns = config.k_chunk_size / kTileHeight;
        const std::uint64_t width = inputs[0].shape[3] / kTileWidth;
        const std::uint64_t tile = tile_size(DataType::BFLOAT16);
        const std::vector<std::uint64_t> sizes = {
            group * rows * width * (all_at_once ? 1 : 2) * tile_size(inputs[0].dtype),
            2 * columns * width * tile_size(inputs[1].dtype),
            heads * rows * tile,
            (ratio + 1) * tile,
            group * (all_at_once ? columns : 1) * tile,
            2 * columns * tile,
            std::max(2 * columns, rows * columns) * tile};
        return {{"ttnn::operations::experimental::indexer_score::program::IndexerScoreProgramFactory"},
                circular_buffers(sizes, cores(inputs, device))};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const Shape &q = inputs[0]->shape(), &k = inputs[1]->shape();
        const std::vector<float> queries = inputs[0]->to_floats(), all_keys = inputs[1]->to_floats(),
                                 weights = inputs[2]->to_floats();
        const std::uint64_t heads = q[1], rows = q[2], columns = k[2], width = q[3];
        const float* const keys = all_keys.data() + slot.value_or(0) * columns * width;
        std::vector<float> scores(rows * columns, -std::numeric_limits<float>::infinity());
        for (std::uint64_t row = 0; row < rows; ++row) {
            const std::uint64_t seen =
                std::min({(chunk_start + row + 1) / ratio, columns, std::uint64_t{kv_len.value_or(k[2])}});
            for (std::uint64_t column = 0; column < seen; ++column) {
                double sum = 0;
                for (std::uint64_t head = 0; head < heads; ++head) {
                    const float* const query = &queries[(head * rows + row) * width];
                    double product = 0;
                    for (std::uint64_t i = 0; i < width; ++i)
                        product += double{query[i]} * double{keys[column * width + i]};
                    sum += std::max(product, 0.0) * double{weights[row * heads + head]};
                }
                scores[row * columns + column] = static_cast<float>(sum);
            }
        }
        return {HostArray::from_floats(scores, outputs[0].dtype, outputs[0].shape)};
    }

private:
    static void require_operand(const TensorSpec& spec, const char* name) {
        require(spec.dtype == DataType::BFLOAT16 || spec.dtype == DataType::BFLOAT8_B, name,
                " must be bfloat16 or bfloat8_b (got DataType::", name_of(spec.dtype), ")");
        require(spec.layout == Layout::TILE && spec.shape.rank() == 4 && !spec.memory_config.is_sharded(),
                "indexer_score: ", name, ": expected interleaved tiles of four dimensions, got ", spec.shape);
    }

    void require_config(const Shape& q, std::uint32_t keys) const {
        const std::uint32_t rows = config.q_chunk_size, columns = config.k_chunk_size;
        require(rows != 0 && columns != 0 && rows % kTileHeight == 0 && columns % kTileHeight == 0,
                "q_chunk_size ", rows, " / k_chunk_size ", columns, " must be tile-aligned");
        require(columns <= keys, "k_chunk_size ", columns, " out of range (T=", keys, ")");
        require(q[2] % rows == 0, "q_chunk_size ", rows, " must divide Sq ", q[2]);
        require(config.head_group_size == 0 || q[1] % config.head_group_size == 0, "head_group_size ",
                config.head_group_size, " must divide Hi ", q[1]);
    }

    void require_places(std::uint32_t columns) const {
        if (kv_len) {
            require(*kv_len % kTileHeight == 0, "indexer_score kv_len ", *kv_len, " must be tile-aligned");
            require(*kv_len > 0 && *kv_len <= columns, "indexer_score kv_len ", *kv_len,
                    " must be in (0, T=", columns, "] (the allocated k length)");
            require(chunk_start < std::uint64_t{*kv_len} * ratio, "chunk_start_idx ", chunk_start,
                    " starts at or past kv_len=", *kv_len, " compressed rows (ratio=", ratio,
                    "): nothing would be scored. The causal window may END past kv_len (pad query rows), but "
                    "the chunk must BEGIN inside it");
        }
        require(chunk_start < std::uint64_t{columns} * ratio, "chunk_start_idx ", chunk_start,
                " starts at or past query-token capacity ", columns * ratio, " (compressed T=", columns,
                ", ratio=", ratio, "): nothing would be scored");
    }

    // Chunks of q go along the rows of the grid, as many rows as divide them evenly, chunks of k along its columns. Rows that
    // are left take a part of the chunks of k.
    CoreRange cores(SpecsView inputs, const DeviceDescription& device) const {
        const std::uint64_t groups = inputs[0].shape[2] / config.q_chunk_size;
        const std::uint64_t bands = ceil_div(inputs[1].shape[2], config.k_chunk_size);
        const CoreCoord grid = device.compute_grid;
        const std::uint64_t rows = largest_divisor(groups, grid.y);
        const std::uint64_t columns = std::min<std::uint64_t>(bands, grid.x);
        const std::uint64_t blocks = std::max<std::uint64_t>(1, std::min(grid.y / rows, bands / columns));
        return {{0, 0},
                {static_cast<std::uint32_t>(columns - 1), static_cast<std::uint32_t>(rows * blocks - 1)}};
    }
};

}  // namespace

Tensor experimental::IndexerScoreDsa::call() const {
    require_default(seq_shard_axes, "indexer_score_dsa: seq_shard_axes");
    require_none(block_cyclic_sp_axis, "indexer_score_dsa", "block_cyclic_sp_axis");
    require_none(block_cyclic_chunk_local, "indexer_score_dsa", "block_cyclic_chunk_local");
    require(!block_cyclic_cache_tp_sharded,
            "indexer_score_dsa: block_cyclic_cache_tp_sharded: expected False, True is not modelled");
    return in_operation(*this, [&] {
        require(key_compression_ratio == 1 || key_compression_ratio == 4,
                "indexer_score: key_compression_ratio must be 1 or 4 (got ", key_compression_ratio, ")");
        require_on_device(q, "indexer_score_dsa", "q");
        require(q.device().mesh_shape().size() == 1,
                "indexer_score_dsa: q: expected one chip, a mesh is not modelled");
        constexpr DeviceComputeKernelConfig kKernels{MathFidelity::HiFi2, false, false, false, false};
        const bool has_sizes = q.shape().rank() == 4 && k.shape().rank() == 4;
        const std::int64_t last =
            has_sizes ? std::int64_t{k.shape()[2]} * key_compression_ratio - std::int64_t{q.shape()[2]} : 0;
        const std::uint32_t start =
            chunk_start_idx.value_or(static_cast<std::uint32_t>(std::max<std::int64_t>(last, 0)));
        return launch(
            IndexerScoreOperation{start, key_compression_ratio, program_config,
                                  compute_kernel_config.value_or(kKernels), cache_batch_idx, kv_len},
            {q, k, weights});
    });
}

}  // namespace tilemeter
