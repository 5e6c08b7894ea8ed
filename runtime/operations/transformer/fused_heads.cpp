// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/fused_heads.hpp"

#include <array>
#include <tuple>
#include <vector>

#include "runtime/compute/rearrange.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/device/query_shadow.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/transformer/internal/heads_operations.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter::experimental {

namespace {

constexpr std::uint32_t kTensors = 3;  // query, key, value

void require_fused_dtype(const TensorSpec& input) {
    require(input.dtype == DataType::BFLOAT16 || input.dtype == DataType::BFLOAT8_B,
            "Unsupported data format");
}

void require_fused_batches(std::uint32_t batches) {
    require(batches >= 7 && batches <= 9, "Input batch size must be between 7 to 9 for bert large TM ops!");
}

/// A core for each row of tiles, along x, of each batch, along y.
CoreRangeSet core_per_row(std::uint64_t tile_rows, std::uint32_t batches) {
    return CoreRange{{0, 0}, {static_cast<std::uint32_t>(tile_rows) - 1, batches - 1}};
}

void require_cores(std::uint64_t tile_rows, std::uint32_t batches, const DeviceDescription& device) {
    // Where nothing is placed, TT-NN does not go as far as to put the program on its cores.
    if (const QueryShadow* const query = QueryShadow::current())
        if (query->placing() == QueryShadow::Placing::kNowhere) return;
    const CoreCoord grid = device.compute_grid;
    // Below the grid of operations lie the cores that dispatch programs.
    require(batches <= grid.y, "Kernels cannot be placed on dispatch cores!");
    require(tile_rows <= grid.x, "Persistent L1 core ", grid.x, "-0 is outside the worker grid");
}

/// The numbers of cores of block shards along batches and along heads.
struct BlockCores {
    std::uint32_t batches = 0;
    std::uint32_t heads = 0;
};

BlockCores cores_of_blocks(const ShardSpec& shard) {
    const CoreCoord end = shard.grid.bounding_box().end;
    if (shard.orientation == ShardOrientation::ROW_MAJOR) return {end.y + 1, end.x + 1};
    return {end.x + 1, end.y + 1};
}

struct SplitFusedHeadsOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "SplitFusedQKVAndSplitHeadsDeviceOperation";
    static constexpr std::string_view kAttributesName = "SplitQueryKeyValueAndSplitHeadsParams";
    /// The program of shards has two heads of each tensor on a core, however many there are.
    static constexpr std::uint32_t kHeadsPerCore = 2;

    CoreCoord grid;
    MemoryConfig memory_config;
    std::uint32_t num_heads;

    auto attributes() const { return std::tie(grid, memory_config, num_heads); }

    void validate(SpecsView inputs, const DeviceDescription& device) const {
        const TensorSpec& input = inputs[0];
        require_fused_dtype(input);
        if (input.memory_config.is_sharded()) {
            validate_blocks(input);
            return;
        }
        require_fused_batches(input.shape[0]);
        require_cores(input.padded_shape()[2] / kTileHeight, input.shape[0], device);
    }

    TensorSpecs infer(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        const Shape padded = input.padded_shape();
        const std::uint32_t rows = padded[2], width = padded[3] / kTensors / num_heads;
        TensorSpec query{Shape{padded[0], num_heads, rows, width}, input.dtype, Layout::TILE, memory_config};
        TensorSpec key{Shape{padded[0], num_heads, width, rows}, input.dtype, Layout::TILE, memory_config};
        if (input.memory_config.is_sharded()) {
            require(memory_config.is_sharded(),
                    "split_query_key_value_and_split_heads: memory_config: expected a sharded one, got ",
                    memory_config);
            ShardSpec shard = *input.memory_config.shard_spec;
            const std::uint32_t heads = num_heads / cores_of_blocks(shard).heads;
            shard.shape = {heads * rows, width};
            query.memory_config.shard_spec = shard;
            shard.shape = {heads * width, rows};
            key.memory_config.shard_spec = shard;
        }
        return {query, key, query};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription&) const {
        const TensorSpec& input = inputs[0];
        if (input.memory_config.is_sharded()) return plan_blocks(input);
        const Shape padded = input.padded_shape();
        // Keys are transposed by way of two buffers; queries and values pass through one.
        const std::uint64_t tensor = padded[3] / kTileWidth / kTensors * tile_size(input.dtype);
        return {{"ttnn::experimental::prim::SplitFusedQKVAndSplitHeadsProgramFactory", 0},
                circular_buffers({2 * tensor, 4 * tensor, tensor},
                                 core_per_row(padded[2] / kTileHeight, padded[0]))};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::uint32_t width = outputs[0].shape[3];
        std::uint32_t groups = 1;
        if (outputs[0].memory_config.is_sharded())
            groups = cores_of_blocks(*outputs[0].memory_config.shard_spec).heads;
        const std::uint32_t heads = num_heads / groups;
        return {heads_of(*inputs[0], width, groups, 0, num_heads, false),
                heads_of(*inputs[0], width, groups, heads, num_heads, true),
                heads_of(*inputs[0], width, groups, 2 * heads, num_heads, false)};
    }

private:
    void validate_blocks(const TensorSpec& input) const {
        const ShardSpec& shard = *input.memory_config.shard_spec;
        const CoreCoord end = shard.grid.bounding_box().end;
        require(end.x < grid.x && end.y < grid.y, "Bounding box end coordinates (", end.x, ", ", end.y,
                ") must be less than grid size (", grid.x, ", ", grid.y, ")");
        require(shard.grid.ranges().size() == 1,
                "Input tensor shard spec must have exactly 1 grid range but got ",
                shard.grid.ranges().size());
        require(input.memory_config.memory_layout == TensorMemoryLayout::BLOCK_SHARDED,
                "Input tensor memory layout must be BLOCK_SHARDED but got TensorMemoryLayout::",
                name_of(input.memory_config.memory_layout));
    }

    ProgramPlan plan_blocks(const TensorSpec& input) const {
        const ShardSpec& shard = *input.memory_config.shard_spec;
        const BlockCores cores = cores_of_blocks(shard);
        const Shape padded = input.padded_shape();
        const std::uint64_t wide = padded[3] / cores.heads, tall = padded[0] * padded[2] / cores.batches;
        const std::uint64_t tile = tile_size(input.dtype), tall_tiles = tall / kTileHeight;
        const std::uint64_t result =
            wide / kTensors / kHeadsPerCore / kTileWidth * tile * (tall * kHeadsPerCore / kTileHeight);
        const auto in_tensor = [&](int tensor, std::uint64_t bytes) {
            ProgramMemory memory = circular_buffer(bytes, shard.grid);
            memory.shared_with = tensor;
            return memory;
        };
        return {{"ttnn::experimental::prim::SplitFusedQKVAndSplitHeadsShardedProgramFactory", 1},
                {in_tensor(0, wide / kTileWidth * tall_tiles * tile),
                 circular_buffer(2 * tall_tiles * tile, shard.grid), in_tensor(1, result),
                 in_tensor(2, result), in_tensor(3, result)}};
    }
};

struct ConcatenateFusedHeadsOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "ConcatenateHeadsDeviceOperation";
    static constexpr std::string_view kAttributesName = "ConcatenateHeadsParams";
    static constexpr std::uint32_t kHeads = 16, kRows = 384, kWidth = 64;

    CoreCoord grid;
    MemoryConfig memory_config;

    auto attributes() const { return std::tie(grid, memory_config); }

    void validate(SpecsView inputs, const DeviceDescription& device) const {
        const TensorSpec& input = inputs[0];
        const std::uint32_t batches = input.shape[0];
        require_fused_batches(batches);
        require_fused_dtype(input);
        require(input.padded_shape() == Shape{batches, kHeads, kRows, kWidth}, "Unsupported input shape");
        require(grid.x <= device.compute_grid.x && grid.y <= device.compute_grid.y, "Unsupported grid shape");
        require_cores(kRows / kTileHeight, batches, device);
    }
    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{Shape{inputs[0].shape[0], 1, kRows, kHeads * kWidth}, inputs[0].dtype,
                           Layout::TILE, memory_config}};
    }
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription&) const {
        return {{"ttnn::device_operation::MeshDeviceOperationAdapter<ttnn::experimental::prim::"
                 "ConcatenateHeadsDeviceOperation>::DirectDescriptorFactory",
                 0},
                {circular_buffer(2 * (kHeads * kWidth / kTileWidth) * tile_size(inputs[0].dtype),
                                 core_per_row(kRows / kTileHeight, inputs[0].shape[0]))}};
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        static constexpr std::array<std::uint32_t, 4> kRowsFirst = {0, 2, 1, 3};
        return {compute::permuted(*inputs[0], kRowsFirst).reshaped(outputs[0].shape)};
    }
};

}  // namespace

AttentionHeads SplitFusedHeads::call() const {
    return in_order(in_operation(*this, [&] {
        constexpr const char* kCall = "split_query_key_value_and_split_heads";
        require_none(output_tensors, kCall, "output_tensors");
        require_on_device(input_tensor, kCall, "input_tensor");
        require(input_tensor.shape().rank() == 4 && input_tensor.layout() == Layout::TILE, kCall,
                ": input_tensor: expected 4 dimensions in TILE layout, got ", input_tensor.shape());
        const std::uint32_t width = input_tensor.padded_shape()[3];
        require(num_heads > 0 && width % (kTensors * num_heads * kTileWidth) == 0, kCall,
                ": num_heads: expected heads of whole tiles of 32 in three parts of ", width, ", got ",
                num_heads);
        return launch_all(
            SplitFusedHeadsOperation{compute_with_storage_grid_size,
                                     memory_config.value_or(input_tensor.memory_config()), num_heads},
            {input_tensor});
    }));
}

Tensor ConcatenateFusedHeads::body() const {
    require_none(output_tensor, "concatenate_heads", "output_tensor");
    require_on_device(input_tensor, "concatenate_heads", "input_tensor");
    return launch(ConcatenateFusedHeadsOperation{compute_with_storage_grid_size,
                                                 memory_config.value_or(input_tensor.memory_config())},
                  {input_tensor});
}

}  // namespace tilemeter::experimental
