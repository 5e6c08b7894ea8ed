// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/internal/heads_operations.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "runtime/compute/rearrange.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

std::uint64_t tile_rows_of_batch(const TensorSpec& spec) {
    const Shape padded = spec.padded_shape();
    return std::uint64_t{padded[0]} * (padded[2] / kTileHeight);
}

std::uint64_t shard_bytes(const TensorSpec& spec, const DeviceDescription& device) {
    return buffer_geometry(spec, device).size_per_bank_bytes;
}

std::string layout_text(const MemoryConfig& config) {
    return "TensorMemoryLayout::" + std::string(name_of(config.memory_layout));
}

}  // namespace

HostArray heads_of(const HostArray& rows, std::uint32_t head_dim, std::uint32_t groups, std::uint32_t first,
                   std::uint32_t count, bool transposed) {
    static constexpr std::array<std::uint32_t, 4> kHeadsFirst = {0, 2, 1, 3};
    static constexpr std::array<std::uint32_t, 4> kTransposed = {0, 2, 3, 1};
    static constexpr std::array<std::uint32_t, 4> kEach = {1, 1, 1, 1};
    const std::uint32_t batch = rows.shape()[0];
    const std::uint32_t length = rows.shape()[2];
    const std::uint32_t in_group = rows.shape()[3] / head_dim / groups;
    const HostArray parts = rows.reshaped({batch * length, groups, in_group, head_dim});
    const std::array<std::uint32_t, 4> begin = {0, 0, first, 0};
    const HostArray chosen =
        compute::sliced(parts, begin, kEach, {batch * length, groups, count / groups, head_dim});
    return compute::permuted(chosen.reshaped({batch, length, count, head_dim}),
                             transposed ? kTransposed : kHeadsFirst);
}

void require_heads_dtype_and_layout(const TensorSpec& input) {
    require(input.dtype == DataType::FLOAT32 || input.dtype == DataType::BFLOAT16 ||
                input.dtype == DataType::BFLOAT8_B,
            "Unsupported data format");
    require(input.layout == Layout::TILE,
            "Input tensor layout must be TILE but got Layout::", name_of(input.layout));
    require(input.shape.rank() == 4, "expected heads of 4 dimensions, got ", input.shape);
}

void NlpCreateHeadsOperation::validate(SpecsView inputs, const DeviceDescription& device) const {
    const TensorSpec& input = inputs[0];
    require_heads_dtype_and_layout(input);
    require(input.shape[1] == 1, "Unsupported input sequence length ", input.shape[1], " is not equal to 1");
    if (inputs.size() > 1) {
        const TensorSpec& kv = inputs[1];
        require(kv.dtype == input.dtype, "KV tensor dtype must be same as Q tensor dtype!");
        require_heads_dtype_and_layout(kv);
        require(kv.shape[0] == input.shape[0], "KV tensor batch dim must be same as Q tensor batch!");
        require(kv.shape[2] == input.shape[2], "KV tensor seq_len dim must be same as Q tensor seq_len!");
    }
    if (input.memory_config.is_sharded()) {
        validate_shards(inputs);
    } else {
        require(!memory_config.is_sharded(), "Output memory config layout must be INTERLEAVED but got ",
                name_of(memory_config.memory_layout));
        require(inputs.size() == 1 || !inputs[1].memory_config.is_sharded(),
                "nlp_create_qkv_heads: input_kv: expected INTERLEAVED, as the input is");
    }
    if (!memory_config.is_sharded()) return;
    const std::uint64_t cores = device.num_compute_cores();
    for (const std::uint32_t heads : {num_q_heads, num_kv_heads}) {
        require(heads <= cores, "nlp_create_qkv_heads: expected at most ", cores,
                " heads, one to a core, got ", heads);
    }
}

void NlpCreateHeadsOperation::validate_shards(SpecsView inputs) const {
    const ShardSpec& shard = *inputs[0].memory_config.shard_spec;
    const Shape padded = inputs[0].padded_shape();
    const std::uint64_t rows = padded.volume() / padded[-1];
    require(shard.shape[0] == rows, "Shard spec shape[0] (", shard.shape[0],
            ") must equal physical volume / padded shape[-1] (", rows, ")");
    require(memory_config.is_sharded() && memory_config.memory_layout != TensorMemoryLayout::WIDTH_SHARDED,
            [&] {
                return "Output memory config must be sharded and not WIDTH_SHARDED but got memory_layout: " +
                       layout_text(memory_config);
            });
    const std::uint64_t cores = shard.grid.num_cores();
    require(num_kv_heads > 0 && num_q_heads >= num_kv_heads, "Number of Q heads (", num_q_heads,
            ") must be >= number of KV heads (", num_kv_heads, "), which must be greater than 0");
    const auto require_whole_heads = [&](std::uint32_t heads, const char* which) {
        require(heads % cores == 0, "Number of ", which, " heads (", heads,
                ") must be divisible by number of cores (", cores, ")");
    };
    require_whole_heads(num_q_heads, "Q");
    const std::uint32_t queries = num_q_heads / num_kv_heads;
    if (inputs.size() == 1) {
        require_whole_heads(num_kv_heads, "KV");
        const std::uint32_t width = (queries + 2) * head_dim;
        require(shard.shape[1] == width, "Shard spec shape[1] (", shard.shape[1],
                ") must equal (num_q_heads / num_kv_heads + 2) * head_dim (", width, ")");
    } else {
        const std::optional<ShardSpec>& kv = inputs[1].memory_config.shard_spec;
        require(kv.has_value(), "Input tensor KV must be sharded");
        require(kv->grid == shard.grid, "Input tensor and KV tensor must have the same shard grid");
        const std::uint32_t width = queries * head_dim;
        require(shard.shape[1] == width, "Shard spec shape[1] (", shard.shape[1],
                ") must equal (num_q_heads / num_kv_heads) * head_dim (", width, ")");
    }
    require(!transpose_k_heads, "Transpose K heads must be false");
    require(rows == kTileHeight && memory_config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED &&
                num_q_heads % num_kv_heads == 0,
            "nlp_create_qkv_heads: input: expected a single row of tiles into HEIGHT shards, got ",
            inputs[0].shape);
}

TensorSpecs NlpCreateHeadsOperation::infer(SpecsView inputs, const DeviceDescription& device) const {
    const TensorSpec& input = inputs[0];
    const std::uint32_t batch = input.shape[0];
    const std::uint32_t length = input.shape[2];
    const auto heads = [&](const Shape& shape) {
        MemoryConfig config = memory_config;
        if (config.is_sharded()) {
            config.shard_spec = ShardSpec{first_cores(shape[1], device.compute_grid, true),
                                          {kTileHeight, head_dim},
                                          ShardOrientation::ROW_MAJOR};
        }
        return TensorSpec{shape, input.dtype, Layout::TILE, config};
    };
    const Shape kv{batch, num_kv_heads, length, head_dim};
    const Shape key = transpose_k_heads ? Shape{batch, num_kv_heads, head_dim, length} : kv;
    return {heads({batch, num_q_heads, length, head_dim}), heads(key), heads(kv)};
}

ProgramPlan NlpCreateHeadsOperation::plan(SpecsView inputs, SpecsView outputs,
                                          const DeviceDescription& device) const {
    if (!inputs[0].memory_config.is_sharded()) return plan_rows(inputs, device);
    ProgramPlan plan{
        {"ttnn::operations::experimental::transformer::NlpCreateHeadsDeviceOperation::Sharded", 1}};
    for (const TensorSpec& output : outputs) {
        plan.memory.push_back(borrowed_buffer(shard_bytes(output, device),
                                              output.memory_config.shard_spec->grid,
                                              static_cast<int>(inputs.size() + plan.memory.size())));
    }
    return plan;
}

// Whole rows of tiles, or, where no tile is transposed and all heads are in one tensor, the part of a
// head in such a row. Four tiles in flight; whole parts of a head twice, where a power of two divides it.
ProgramPlan NlpCreateHeadsOperation::plan_rows(SpecsView inputs, const DeviceDescription& device) const {
    constexpr std::uint64_t kTilesInFlight = 4;
    const std::uint64_t rows = tile_rows_of_batch(inputs[0]);
    const std::uint64_t heads = num_q_heads + 2 * std::uint64_t{num_kv_heads};
    const bool by_heads = !transpose_k_heads && inputs.size() == 1;
    const CoreRangeSet cores =
        split_work(by_heads ? rows * heads : rows, device.compute_grid, CoreWalk::kDownColumns).cores;
    const std::uint64_t tile = tile_size(inputs[0].dtype);
    ProgramPlan plan{
        {"ttnn::operations::experimental::transformer::NlpCreateHeadsDeviceOperation::Interleaved", 0}};
    if (transpose_k_heads) {
        plan.memory.assign(3, dataflow_buffer(kTilesInFlight * tile, cores));
        return plan;
    }
    const std::uint64_t width = head_dim / kTileWidth;
    std::uint64_t block = 8;
    while (width % block != 0)
        block /= 2;
    plan.memory = {dataflow_buffer(std::max(kTilesInFlight, 2 * block) * tile, cores)};
    return plan;
}

std::vector<HostArray> NlpCreateHeadsOperation::compute(ArraysView inputs, SpecsView) const {
    const std::uint32_t kv = num_kv_heads / groups;
    if (inputs.size() > 1) {
        return {heads_of(*inputs[0], head_dim, 1, 0, num_q_heads, false),
                heads_of(*inputs[1], head_dim, groups, 0, num_kv_heads, transpose_k_heads),
                heads_of(*inputs[1], head_dim, groups, kv, num_kv_heads, false)};
    }
    const std::uint32_t q = num_q_heads / groups;
    return {heads_of(*inputs[0], head_dim, groups, 0, num_q_heads, false),
            heads_of(*inputs[0], head_dim, groups, q, num_kv_heads, transpose_k_heads),
            heads_of(*inputs[0], head_dim, groups, q + kv, num_kv_heads, false)};
}

void NlpConcatHeadsOperation::validate(SpecsView inputs) const {
    const TensorSpec& input = inputs[0];
    require_heads_dtype_and_layout(input);
    require(input.shape[3] % kTileWidth == 0,
            "nlp_concat_heads: input: expected a head size of whole tiles of 32, got ", input.shape[3]);
    if (!input.memory_config.is_sharded()) {
        require(!memory_config.is_sharded(),
                "nlp_concat_heads: memory_config: expected INTERLEAVED, as the input is");
        return;
    }
    const ShardSpec& shard = *input.memory_config.shard_spec;
    const Shape padded = input.padded_shape();
    const std::uint32_t heads = shard.shape[0] / padded[2];
    require(heads == 0 || padded[1] % heads == 0, "Input tensor padded height (", padded[1],
            ") must be divisible by shard height / padded height (", shard.shape[0], " / ", padded[2], ")");
    require(memory_config.is_sharded(), [&] {
        return "Sharded input requires a sharded output memory config but got " + layout_text(memory_config);
    });
    require(memory_config.memory_layout != TensorMemoryLayout::HEIGHT_SHARDED, [&] {
        return "Output memory config layout must not be HEIGHT_SHARDED but got " + layout_text(memory_config);
    });
    require(shard.shape[1] == padded[3] && shard.shape[0] % padded[2] == 0,
            "nlp_concat_heads: input: expected whole heads in shards, got ", input.shape);
}

// TT-NN makes the outputs first.
TensorSpecs NlpConcatHeadsOperation::outputs_when_refused(SpecsView inputs, const DeviceDescription&) const {
    const TensorSpec& input = inputs[0];
    const std::optional<ShardSpec>& shard = input.memory_config.shard_spec;
    const bool cut = shard && (input.shape.rank() != 4 || shard->shape[0] < input.padded_shape()[2]);
    return cut || input.shape.rank() != 4 || (memory_config.is_sharded() && !shard) ? TensorSpecs()
                                                                                    : infer(inputs);
}

TensorSpecs NlpConcatHeadsOperation::infer(SpecsView inputs) const {
    const Shape& shape = inputs[0].shape;
    MemoryConfig config = memory_config;
    if (config.is_sharded()) {
        ShardSpec shard = *inputs[0].memory_config.shard_spec;
        const std::uint32_t heads = shard.shape[0] / inputs[0].padded_shape()[2];
        shard.shape = {shard.shape[0] / heads, shard.shape[1] * heads};
        config.shard_spec = shard;
    }
    return {TensorSpec{{shape[0], 1, shape[2], shape[1] * shape[3]}, inputs[0].dtype, Layout::TILE, config}};
}

ProgramPlan NlpConcatHeadsOperation::plan(SpecsView inputs, SpecsView outputs,
                                          const DeviceDescription& device) const {
    ProgramPlan plan{{"ttnn::experimental::prim::NLPConcatHeadsProgramFactory", 0}};
    if (inputs[0].memory_config.is_sharded()) {
        const CoreRangeSet& cores = inputs[0].memory_config.shard_spec->grid;
        plan.memory = {borrowed_buffer(shard_bytes(inputs[0], device), cores, 0),
                       borrowed_buffer(shard_bytes(outputs[0], device), cores, 1)};
        return plan;
    }
    const Shape& shape = inputs[0].shape;
    const CoreRangeSet cores =
        split_work(tile_rows_of_batch(inputs[0]) * shape[1], device.compute_grid, CoreWalk::kDownColumns)
            .cores;
    const std::uint64_t row_tiles = std::uint64_t{shape[1]} * (shape[3] / kTileWidth);
    plan.memory = {dataflow_buffer(2 * row_tiles * tile_size(inputs[0].dtype), cores)};
    return plan;
}

std::vector<HostArray> NlpConcatHeadsOperation::compute(ArraysView inputs, SpecsView outputs) const {
    static constexpr std::array<std::uint32_t, 4> kRowsFirst = {0, 2, 1, 3};
    return {compute::permuted(*inputs[0], kRowsFirst).reshaped(outputs[0].shape)};
}

}  // namespace tilemeter
