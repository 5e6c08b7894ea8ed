// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/grouped_heads.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/compute/rearrange.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/transformer/internal/heads_operations.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

/// The parameters of both operations.
struct HeadCounts {
    std::uint32_t queries = 0;
    std::uint32_t keys = 0;  ///< as many values, as many groups
    std::uint32_t head_dim = 0;
    bool transpose_key = true;
    MemoryConfig memory_config;

    auto attributes() const { return std::tie(queries, keys, head_dim, transpose_key, memory_config); }
};

/// The numbers of batches and groups that the cores of a block-sharded input lie along.
struct GroupCores {
    std::uint32_t batches = 0;
    std::uint32_t groups = 0;
};

GroupCores cores_of(const ShardSpec& shard) {
    const CoreRange box = shard.grid.bounding_box();
    const std::uint32_t columns = box.end.x - box.start.x + 1;
    const std::uint32_t rows = box.end.y - box.start.y + 1;
    if (shard.orientation == ShardOrientation::ROW_MAJOR) return {rows, columns};
    return {columns, rows};
}

void require_groups(const TensorSpec& input, const HeadCounts& counts, std::uint32_t width) {
    require_heads_dtype_and_layout(input);
    require(input.memory_config.memory_layout == TensorMemoryLayout::BLOCK_SHARDED,
            "Input tensor memory layout must be BLOCK_SHARDED but got TensorMemoryLayout::",
            name_of(input.memory_config.memory_layout));
    require(input.shape[1] == 1, "create_qkv_heads: input: expected [batch, 1, rows, width], got ",
            input.shape);
    require(counts.keys > 0 && counts.queries % counts.keys == 0 && counts.head_dim > 0 &&
                counts.head_dim % kTileWidth == 0 && input.shape[3] == width,
            "create_qkv_heads: expected whole groups of heads of whole tiles of 32, got ", input.shape);
    const GroupCores cores = cores_of(*input.memory_config.shard_spec);
    require(counts.keys % cores.groups == 0, "create_qkv_heads: expected whole groups on each of ",
            cores.groups, " cores, got ", counts.keys);
}

void require_batches(const TensorSpec& input) {
    const GroupCores cores = cores_of(*input.memory_config.shard_spec);
    require(input.shape[0] == cores.batches, "Batch size ", input.shape[0], " must be equal to num cores ",
            cores.batches);
}

/// [b, heads, rows, columns] in shards of equal height on the cores of `input`.
TensorSpec in_shards_of(const TensorSpec& input, const MemoryConfig& asked, const Shape& shape) {
    ShardSpec shard = *input.memory_config.shard_spec;
    const std::uint64_t rows = std::uint64_t{shape[0]} * shape[1] * shape[2];
    shard.shape = {static_cast<std::uint32_t>(rows / shard.grid.num_cores()), shape[3]};
    MemoryConfig config = asked;
    config.shard_spec = shard;
    return {shape, input.dtype, Layout::TILE, config};
}

// The rows of tiles' padding count as part of the heads.
TensorSpecs heads_in_shards(const TensorSpec& input, const TensorSpec& input_kv, const HeadCounts& counts) {
    const std::uint32_t batch = input.shape[0];
    const std::uint32_t query_length = input.padded_shape()[2];
    const std::uint32_t key_length = input_kv.padded_shape()[2];
    const Shape value{batch, counts.keys, key_length, counts.head_dim};
    const Shape key = counts.transpose_key ? Shape{batch, counts.keys, counts.head_dim, key_length} : value;
    return {in_shards_of(input, counts.memory_config, {batch, counts.queries, query_length, counts.head_dim}),
            in_shards_of(input, counts.memory_config, key), in_shards_of(input, counts.memory_config, value)};
}

std::vector<HostArray> with_rows_of_padding(std::vector<HostArray> heads, SpecsView outputs) {
    static constexpr std::array<std::uint32_t, 4> kBegin = {0, 0, 0, 0};
    for (std::size_t i = 0; i < heads.size(); ++i) {
        if (heads[i].shape() != outputs[i].shape)
            heads[i] = compute::padded(heads[i], kBegin, outputs[i].shape, 0.0F);
    }
    return heads;
}

// True if TT-NN makes the outputs before it refuses such inputs: it can, of rows in shards into shards.
bool made_first(SpecsView inputs, const HeadCounts& counts) {
    const auto has_rows = [](const TensorSpec& each) {
        return each.shape.rank() == 4 && each.memory_config.shard_spec.has_value();
    };
    return std::all_of(inputs.begin(), inputs.end(), has_rows) && counts.memory_config.is_sharded();
}

// Everything lies in the tensors; a key is transposed by way of a buffer as large as its shard.
std::vector<ProgramMemory> in_tensors(SpecsView inputs, SpecsView outputs, bool transposed,
                                      const DeviceDescription& device) {
    const CoreRangeSet& cores = inputs[0].memory_config.shard_spec->grid;
    std::vector<ProgramMemory> memory;
    const auto borrow = [&](std::uint64_t bytes) {
        ProgramMemory piece = circular_buffer(bytes, cores);
        piece.shared_with = static_cast<int>(memory.size());
        memory.push_back(piece);
    };
    for (const SpecsView tensors : {inputs, outputs}) {
        for (const TensorSpec& each : tensors)
            borrow(buffer_geometry(each, device).size_bytes / cores.num_cores());
    }
    if (transposed) memory.push_back(circular_buffer(memory[inputs.size() + 1].size_bytes, cores));
    return memory;
}

struct CreateQkvHeadsOperation {
    static constexpr std::string_view kName = "CreateQKVHeadsDeviceOperation";
    static constexpr std::string_view kAttributesName = "CreateQKVHeadsParams";

    HeadCounts counts;

    auto attributes() const { return counts.attributes(); }

    void validate(SpecsView inputs) const {
        require_groups(inputs[0], counts, (counts.queries + 2 * counts.keys) * counts.head_dim);
        require(counts.memory_config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED,
                "Output memory config layout must be HEIGHT_SHARDED but got TensorMemoryLayout::",
                name_of(counts.memory_config.memory_layout));
        require_batches(inputs[0]);
    }

    TensorSpecs infer(SpecsView inputs) const { return heads_in_shards(inputs[0], inputs[0], counts); }

    TensorSpecs outputs_when_refused(SpecsView inputs, const DeviceDescription&) const {
        return made_first(inputs, counts) ? infer(inputs) : TensorSpecs();
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        return {{"ttnn::experimental::prim::CreateQKVHeadsProgramFactory", 0},
                in_tensors(inputs, outputs, counts.transpose_key, device)};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const HostArray& rows = *inputs[0];
        const std::uint32_t ratio = counts.queries / counts.keys;
        return with_rows_of_padding(
            {heads_of(rows, counts.head_dim, counts.keys, 0, counts.queries, false),
             heads_of(rows, counts.head_dim, counts.keys, ratio, counts.keys, counts.transpose_key),
             heads_of(rows, counts.head_dim, counts.keys, ratio + 1, counts.keys, false)},
            outputs);
    }
};

std::uint64_t tiles_of_shard(const TensorSpec& spec) {
    const ShardSpec& shard = *spec.memory_config.shard_spec;
    return std::uint64_t{shard.shape[0] / kTileHeight} * (shard.shape[1] / kTileWidth);
}

struct CreateQkvHeadsSeparateOperation {
    static constexpr std::string_view kName = "CreateQKVHeadsSeparateTensorsDeviceOperation";
    static constexpr std::string_view kAttributesName = "CreateQKVHeadsFromSeparateTensorsParams";

    HeadCounts counts;

    auto attributes() const { return counts.attributes(); }

    void validate(SpecsView inputs, const DeviceDescription& device) const {
        for (const TensorSpec& input : inputs) {
            require(input.memory_config.memory_layout == TensorMemoryLayout::BLOCK_SHARDED,
                    "Q input tensor memory layout must be BLOCK_SHARDED but got TensorMemoryLayout::",
                    name_of(input.memory_config.memory_layout));
        }
        require_groups(inputs[0], counts, counts.queries * counts.head_dim);
        require_groups(inputs[1], counts, 2 * counts.keys * counts.head_dim);
        require(inputs[0].dtype == inputs[1].dtype && inputs[0].shape[0] == inputs[1].shape[0],
                "create_qkv_heads_from_separate_tensors: input_kv: expected the dtype and batch of input");
        // Half a shard of keys and values is keys.
        const std::uint64_t tile_bytes = tile_size(inputs[0].dtype);
        const std::uint64_t per_core = tiles_of_shard(inputs[0]) + 2 * (tiles_of_shard(inputs[1]) / 2);
        require(device.l1_size >= 2 * per_core * tile_bytes, "Workload exceeds L1 capacity");
        if (!counts.memory_config.is_sharded()) refuse_interleaved(inputs[0], device);
        const std::uint64_t tile_rows = inputs[0].tile_rows();
        require(tile_rows >= cores_of(*inputs[0].memory_config.shard_spec).groups, "0 height shards on Q");
        require_batches(inputs[0]);
    }

    // TT-NN's program lays the queries of a core, a whole shard, into the buffer of the result.
    [[noreturn]] void refuse_interleaved(const TensorSpec& input, const DeviceDescription& device) const {
        const Shape heads{input.shape[0], counts.queries, input.shape[2], counts.head_dim};
        const TensorSpec result{heads, input.dtype, Layout::TILE, counts.memory_config};
        const std::uint64_t wanted = tiles_of_shard(input) * tile_size(input.dtype);
        const std::uint64_t room = buffer_geometry(result, device).size_per_bank_bytes;
        require(result.memory_config.buffer_type != BufferType::L1 || wanted <= room,
                "Cannot set circular buffer size to ", wanted,
                ". This is larger than the associated dynamically allocated L1 buffer bank size of ", room,
                " B");
        refuse_with("create_qkv_heads_from_separate_tensors: memory_config: expected HEIGHT_SHARDED, got ",
                    name_of(counts.memory_config.memory_layout));
    }

    TensorSpecs infer(SpecsView inputs) const { return heads_in_shards(inputs[0], inputs[1], counts); }

    TensorSpecs outputs_when_refused(SpecsView inputs, const DeviceDescription&) const {
        return made_first(inputs, counts) ? infer(inputs) : TensorSpecs();
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        ProgramPlan plan{
            {"ttnn::device_operation::MeshDeviceOperationAdapter<ttnn::experimental::prim::"
             "CreateQKVHeadsSeparateTensorsDeviceOperation>::DirectDescriptorFactory",
             0}};
        plan.memory = in_tensors(inputs, outputs, counts.transpose_key, device);
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        return with_rows_of_padding(
            {heads_of(*inputs[0], counts.head_dim, 1, 0, counts.queries, false),
             heads_of(*inputs[1], counts.head_dim, counts.keys, 0, counts.keys, counts.transpose_key),
             heads_of(*inputs[1], counts.head_dim, counts.keys, 1, counts.keys, false)},
            outputs);
    }
};

}  // namespace

namespace experimental {

AttentionHeads CreateQkvHeads::call() const {
    return in_order(in_operation(*this, [&] {
        return unscoped::create_qkv_heads(input, num_heads, num_kv_heads.value_or(num_heads),
                                          transpose_k_heads, memory_config);
    }));
}

AttentionHeads CreateQkvHeadsFromSeparateTensors::call() const {
    return in_order(in_operation(*this, [&] {
        require_on_device(input, "create_qkv_heads_from_separate_tensors", "input");
        const std::uint32_t head_dim = num_heads == 0 ? 0 : input.shape()[-1] / num_heads;
        return launch_all(CreateQkvHeadsSeparateOperation{HeadCounts{
                              num_heads, num_kv_heads.value_or(num_heads), head_dim, transpose_k_heads,
                              memory_config.value_or(input.memory_config())}},
                          {input, input_kv});
    }));
}

}  // namespace experimental

namespace unscoped {

std::vector<Tensor> create_qkv_heads(const Tensor& input, std::uint32_t num_heads, std::uint32_t num_kv_heads,
                                     bool transpose_k_heads, const OptionalMemoryConfig& memory_config) {
    require_on_device(input, "create_qkv_heads", "input");
    const std::uint32_t sections = num_heads + 2 * num_kv_heads;
    const std::uint32_t head_dim = sections == 0 ? 0 : input.shape()[-1] / sections;
    return launch_all(CreateQkvHeadsOperation{HeadCounts{num_heads, num_kv_heads, head_dim, transpose_k_heads,
                                                         memory_config.value_or(input.memory_config())}},
                      {input});
}

}  // namespace unscoped

}  // namespace tilemeter
