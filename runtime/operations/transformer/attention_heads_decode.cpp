// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/attention_heads_decode.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/compute/rearrange.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/transformer/internal/heads_operations.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

constexpr std::uint32_t kMostUsers = 32;
constexpr std::array<std::uint32_t, 4> kEachRow = {1, 1, 1, 1};

void require_tiles(const TensorSpec& input, std::string_view operation) {
    require(input.layout == Layout::TILE && input.shape.rank() == 4 &&
                (input.dtype == DataType::FLOAT32 || input.dtype == DataType::BFLOAT16 ||
                 input.dtype == DataType::BFLOAT8_B),
            operation, ": input: expected floating point tiles of 4 dimensions, got ", input.shape, " ",
            name_of(input.dtype), " ", name_of(input.layout));
}

/// `count` cores of the grid from the one at `first`, rectangle by rectangle along rows; in TT-NN's order, by
/// column, then row.
CoreRangeSet cores_from(const CoreRangeSet& grid, std::uint32_t first, std::uint32_t count) {
    const std::vector<CoreCoord> all = cores_of(grid);
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(first, all.size()));
    const auto taken = std::min<std::ptrdiff_t>(count, all.end() - begin);
    return merge_cores_by_column({begin, begin + taken});
}

struct CreateHeadsDecode {
    static constexpr std::string_view kName = "NLPCreateQKVHeadsDecodeDeviceOperation";
    static constexpr std::string_view kAttributesName = "NlpCreateQkvHeadsDecodeParams";

    /// memory_config: of the results; its shard spec says which cores they may lie on.
    std::uint32_t num_heads;
    std::uint32_t num_kv_heads;
    std::uint32_t head_dim;
    bool overlap;
    bool on_some_cores;  ///< the input's shards are not one rectangle from the first core
    MemoryConfig memory_config;

    auto attributes() const {
        using std::string_view_literals::operator""sv;
        return std::make_tuple(num_heads, num_kv_heads, head_dim, overlap, on_some_cores, "std::nullopt"sv,
                               memory_config);
    }

    void validate(SpecsView inputs) const {
        require_tiles(inputs[0], "nlp_create_qkv_heads_decode");
        const Shape& shape = inputs[0].shape;
        require(shape[0] == 1 && shape[1] == 1 && shape[2] <= kMostUsers,
                "nlp_create_qkv_heads_decode: input: expected [1, 1, at most 32, width], got ", shape);
        require(num_heads >= num_kv_heads, "num_q_heads=", num_heads,
                " must be greater than or equal to num_kv_heads=", num_kv_heads);
        require(head_dim > 0 && head_dim % kTileWidth == 0 &&
                    shape[3] == (num_heads + 2 * num_kv_heads) * head_dim,
                "nlp_create_qkv_heads_decode: input: expected whole heads of whole tiles, got ", shape);
        if (inputs[0].memory_config.is_sharded()) validate_shards(inputs[0]);
        const std::uint64_t cores = std::uint64_t{shape[2]} * (keys_apart(inputs[0]) ? 2 : 1);
        require(cores <= memory_config.shard_spec->grid.num_cores(),
                "nlp_create_qkv_heads_decode: expected a grid of at least ", cores, " cores, got ",
                memory_config.shard_spec->grid);
    }

    TensorSpecs infer(SpecsView inputs) const {
        const std::uint32_t users = inputs[0].shape[2];
        const auto heads = [&](std::uint32_t count, std::uint32_t first) {
            const auto rows = static_cast<std::uint32_t>(round_up(count, kTileHeight));
            MemoryConfig config = memory_config;
            config.shard_spec = ShardSpec{cores_from(memory_config.shard_spec->grid, first, users),
                                          {rows, head_dim},
                                          ShardOrientation::ROW_MAJOR};
            return TensorSpec{{1, users, count, head_dim}, inputs[0].dtype, Layout::TILE, config};
        };
        return {heads(num_heads, 0), heads(num_kv_heads, keys_apart(inputs[0]) ? users : 0),
                heads(num_kv_heads, 0)};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const TensorSpec& input = inputs[0];
        ProgramPlan plan{{"ttnn::experimental::prim::NLPCreateQKVHeadsDecodeInterleavedProgramFactory", 0}};
        if (input.memory_config.is_sharded()) {
            plan.factory = {
                on_some_cores
                    ? "ttnn::experimental::prim::NLPCreateQKVHeadsDecodeShardedSubcoregridProgramFactory"
                    : "ttnn::experimental::prim::NLPCreateQKVHeadsDecodeShardedProgramFactory",
                on_some_cores ? 2U : 1U};
        }
        for (int i = 0; i < 3; ++i) {
            const TensorSpec& output = outputs[static_cast<std::size_t>(i)];
            plan.memory.push_back(borrowed_buffer(buffer_geometry(output, device).size_per_bank_bytes,
                                                  output.memory_config.shard_spec->grid, 1 + i));
        }
        if (input.memory_config.is_sharded()) return plan;
        // Lines of a tile's faces that memory does not align are read with what surrounds them.
        const std::uint64_t alignment =
            input.memory_config.buffer_type == BufferType::DRAM ? device.dram_alignment : device.l1_alignment;
        constexpr std::uint64_t kFaceWidth = 16;
        if (kFaceWidth * element_size(input.dtype) % alignment != 0) {
            const std::uint64_t bytes = head_dim * element_size(input.dtype) + alignment;
            plan.memory.insert(plan.memory.end(), 2,
                               dataflow_buffer(bytes, outputs[0].memory_config.shard_spec->grid));
        }
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::uint32_t users = inputs[0]->shape()[2];
        const HostArray heads = inputs[0]->reshaped({1, users, inputs[0]->shape()[3] / head_dim, head_dim});
        std::uint32_t first = 0;
        std::vector<HostArray> parts;
        for (const TensorSpec& output : outputs) {
            const std::array<std::uint32_t, 4> begin = {0, 0, first, 0};
            parts.push_back(compute::sliced(heads, begin, kEachRow, output.shape));
            first += output.shape[2];
        }
        return parts;
    }

private:
    bool keys_apart(const TensorSpec& input) const { return !overlap && input.memory_config.is_sharded(); }

    void validate_shards(const TensorSpec& input) const {
        require(input.dtype == DataType::FLOAT32 || input.dtype == DataType::BFLOAT16,
                "Unsupported data format");
        const ShardSpec& shard = *input.memory_config.shard_spec;
        require(input.memory_config.memory_layout == TensorMemoryLayout::WIDTH_SHARDED &&
                    shard.shape[0] == kTileHeight,
                "nlp_create_qkv_heads_decode: input: expected WIDTH_SHARDED in shards of 32 rows, got ",
                name_of(input.memory_config.memory_layout), " in shards of ", shard.shape[0]);
        require(overlap || head_dim % shard.shape[1] == 0,
                "We don't support partial heads in shards when q and k heads are not overlapping coregrid");
    }
};

struct ConcatHeadsDecode {
    static constexpr std::string_view kName = "NLPConcatHeadsDecodeDeviceOperation";
    static constexpr std::string_view kAttributesName = "NlpConcatHeadsDecodeParams";

    std::uint32_t num_heads;

    auto attributes() const {
        using std::string_view_literals::operator""sv;
        return std::make_tuple(num_heads, false, "std::nullopt"sv);
    }

    void validate(SpecsView inputs, const DeviceDescription& device) const {
        require_tiles(inputs[0], "nlp_concat_heads_decode");
        const Shape& shape = inputs[0].shape;
        require(inputs[0].memory_config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED,
                "nlp_concat_heads_decode: input: expected HEIGHT_SHARDED, got ",
                name_of(inputs[0].memory_config.memory_layout));
        require(shape[0] == 1 && shape[1] <= kMostUsers && num_heads > 0 && num_heads <= shape[2] &&
                    shape[3] % kTileWidth == 0,
                "nlp_concat_heads_decode: input: expected [1, at most 32, at least ", num_heads,
                ", whole tiles], got ", shape);
        const std::uint32_t cores = device.compute_grid.x * device.compute_grid.y;
        require(num_heads <= cores, "nlp_concat_heads_decode: num_heads: expected at most ", cores, ", got ",
                num_heads);
    }

    TensorSpecs infer(SpecsView inputs, const DeviceDescription& device) const {
        const std::uint32_t width = inputs[0].shape[3];
        const MemoryConfig config{TensorMemoryLayout::WIDTH_SHARDED, BufferType::L1,
                                  ShardSpec{first_cores(num_heads, device.compute_grid, true),
                                            {kMostUsers, width},
                                            ShardOrientation::ROW_MAJOR}};
        return {{{1, 1, kMostUsers, num_heads * width}, inputs[0].dtype, Layout::TILE, config}};
    }

    ProgramPlan plan(SpecsView, SpecsView outputs, const DeviceDescription& device) const {
        return {{"ttnn::experimental::prim::NLPConcatHeadsDecodeProgramFactory", 0},
                {borrowed_buffer(buffer_geometry(outputs[0], device).size_per_bank_bytes,
                                 outputs[0].memory_config.shard_spec->grid, 1)}};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        static constexpr std::array<std::uint32_t, 4> kFirst = {0, 0, 0, 0};
        const Shape& shape = inputs[0]->shape();
        const HostArray rows =
            compute::sliced(*inputs[0], kFirst, kEachRow, {1, shape[1], num_heads, shape[3]})
                .reshaped({1, 1, shape[1], num_heads * shape[3]});
        return {compute::padded(rows, kFirst, outputs[0].shape, 0.0F)};
    }
};

// True if its shards lie elsewhere than on one rectangle of cores from the first one on.
bool lies_on_some_cores(const MemoryConfig& config) {
    if (!config.shard_spec) return false;
    const auto ranges = config.shard_spec->grid.ranges();
    return ranges.size() != 1 || ranges[0].start != CoreCoord{0, 0};
}

}  // namespace

namespace experimental {

AttentionHeads NlpCreateQkvHeadsDecode::call() const {
    return in_order(in_operation(*this, [&] {
        require_on_device(input_tensor, "nlp_create_qkv_heads_decode", "input");
        require(input_tensor.shape().rank() == 4,
                "nlp_create_qkv_heads_decode: input: expected 4 dimensions, got ", input_tensor.shape());
        const std::uint32_t kv_heads = num_kv_heads.value_or(num_heads);
        const std::uint32_t sections = num_heads + 2 * kv_heads;
        const std::uint32_t head_dim = sections == 0 ? 0 : input_tensor.shape()[3] / sections;
        // As TT-NN: of the config only the cores of its shards count, the results are HEIGHT_SHARDED in L1 whatever it says.
        const bool cores_given = memory_config && memory_config->shard_spec;
        const MemoryConfig config{
            TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
            ShardSpec{cores_given ? memory_config->shard_spec->grid
                                  : whole_grid(input_tensor.device().description().compute_grid),
                      {0, 0},
                      ShardOrientation::ROW_MAJOR}};
        return launch_all(CreateHeadsDecode{num_heads, kv_heads, head_dim, overlaps(),
                                            lies_on_some_cores(input_tensor.memory_config()), config},
                          {input_tensor});
    }));
}

Tensor NlpConcatHeadsDecode::body() const {
    require_on_device(input_tensor, "nlp_concat_heads_decode", "input");
    // TT-NN's words where it reads cores that are not given.
    require(sub_core_grids || !lies_on_some_cores(input_tensor.memory_config()), "bad optional access");
    return launch(ConcatHeadsDecode{num_heads}, {input_tensor});
}

}  // namespace experimental

}  // namespace tilemeter
