// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/kv_cache.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/device/buffer_geometry.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

enum class CacheOperation : std::uint8_t { kFill, kUpdate };

// Inputs: the cache, what is written into it.
struct UpdateKvCache {
    static constexpr std::string_view kName = "UpdateKVCacheOperation";
    static constexpr std::string_view kAttributesName = "KvCacheParams";

    CacheOperation operation;
    std::uint32_t batch_index = 0;
    std::uint32_t position = 0;
    std::uint32_t batch_offset = 0;
    std::optional<DeviceComputeKernelConfig> config{};

    auto attributes() const {
        using std::string_view_literals::operator""sv;
        return std::make_tuple(
            batch_index, position, batch_offset,
            operation == CacheOperation::kFill ? "UpdateCacheOpType::FILL"sv : "UpdateCacheOpType::UPDATE"sv,
            config ? attribute_text(*config) : std::string("std::nullopt"));
    }

    /// One program serves all positions: a loop that decodes builds none.
    void append_program_key(ProgramKey& key, const KeyedCall& call) const {
        key.append(operation);
        key.append(call.inputs);
    }

    void validate(SpecsView inputs) const {
        const TensorSpec& cache = inputs[0];
        const TensorSpec& input = inputs[1];
        for (const TensorSpec& each : inputs) {
            require(each.layout == Layout::TILE, "Inputs to update_cache must be tilized");
            require(each.dtype == DataType::FLOAT32 || each.dtype == DataType::BFLOAT16 ||
                        each.dtype == DataType::BFLOAT8_B,
                    "update_cache: expected FLOAT32, BFLOAT16 or BFLOAT8_B, got ", name_of(each.dtype));
            require(each.shape.rank() == 4, "update_cache: expected 4 dimensions, got ", each.shape);
        }
        require(!cache.memory_config.is_sharded(), "update_cache: cache: expected INTERLEAVED");
        require(!input.memory_config.is_sharded() ||
                    (input.memory_config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED &&
                     input.memory_config.shard_spec->shape[1] == input.padded_shape()[3]),
                "update_cache: input: expected shards to be HEIGHT_SHARDED, got ",
                name_of(input.memory_config.memory_layout));
        require(cache.shape[3] == input.shape[3] && cache.shape[1] == input.shape[1] && input.shape[0] == 1,
                "update_cache: input: expected [1, ", cache.shape[1], ", n, ", cache.shape[3], "], got ",
                input.shape);
        if (operation == CacheOperation::kFill) {
            validate_fill(cache, input);
        } else {
            validate_update(cache, input);
        }
    }

    TensorSpecs infer(SpecsView inputs) const { return {inputs[0]}; }

    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        // One core for each row of tiles of what is written, or those that hold its shards.
        const bool in_shards = inputs[1].memory_config.is_sharded();
        const CoreRangeSet cores =
            in_shards ? inputs[1].memory_config.shard_spec->grid
                      : split_work(inputs[1].tile_rows(), device.compute_grid, CoreWalk::kAlongRows).cores;
        const ProgramMemory shard =
            borrowed_buffer(buffer_geometry(inputs[1], device).size_per_bank_bytes, cores, 1);
        if (operation == CacheOperation::kFill) {
            return {{"ttnn::prim::FillCacheMultiCoreProgramFactory", 1},
                    {in_shards ? shard : dataflow_buffer(2 * tile_size(inputs[1].dtype), cores)}};
        }
        ProgramPlan plan = plan_update(inputs[0], inputs[1], cores);
        if (in_shards) plan.memory[1] = shard;
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        std::vector<float> cache = inputs[0]->to_floats();
        const std::vector<float> input = inputs[1]->to_floats();
        const Shape& shape = inputs[0]->shape();
        const std::uint64_t heads = shape[1];
        const std::uint64_t length = shape[2];
        const std::uint64_t width = shape[3];
        const std::uint64_t rows = inputs[1]->shape()[2];
        const auto copy = [&](std::uint64_t batch, std::uint64_t head, std::uint64_t to, std::uint64_t from,
                              std::uint64_t count) {
            std::copy_n(&input[(head * rows + from) * width], count * width,
                        &cache[((batch * heads + head) * length + to) * width]);
        };
        for (std::uint64_t head = 0; head < heads; ++head) {
            if (operation == CacheOperation::kFill) {
                copy(batch_index, head, position, 0, rows);
                continue;
            }
            for (std::uint64_t user = 0; user < shape[0] && batch_offset + user < rows; ++user)
                copy(user, head, position, batch_offset + user, 1);
        }
        return {HostArray::from_floats(cache, outputs[0].dtype, outputs[0].shape)};
    }

private:
    void validate_fill(const TensorSpec& cache, const TensorSpec& input) const {
        if (input.memory_config.is_sharded()) {
            require(input.padded_shape()[2] % input.memory_config.shard_spec->shape[0] == 0,
                    "Seq len must be divisible by shard height!");
        }
        require(input.dtype == cache.dtype, "Input and cache tensors must have same dtype!");
        require(batch_index < cache.shape[0], "fill_cache: batch_index: expected below ", cache.shape[0],
                ", got ", batch_index);
        require(position % kTileHeight == 0, "fill_cache: update_idx: expected a multiple of 32, got ",
                position);
        const std::uint32_t input_height = input.padded_shape()[-2];
        const std::uint32_t cache_height = cache.padded_shape()[-2];
        require(position <= cache_height && input_height <= cache_height - position &&
                    position + input.shape[-2] <= cache.shape[-2],
                "Fill update_idx (", position, ") + input tensor height (", input_height,
                ") must be <= cache tensor height (", cache_height, ")");
    }

    void validate_update(const TensorSpec& cache, const TensorSpec& input) const {
        const std::uint32_t users = cache.shape[0];
        const std::uint32_t height = input.padded_shape()[-2];
        require(users <= height, "Cache tensor batch size (", users, ") must be <= input tensor height (",
                height, ")");
        require(position < cache.shape[-2], "update_cache: update_index: expected below ", cache.shape[-2],
                ", got ", position);
        if (users < kTileHeight) {
            require(batch_offset + users <= height, "update_cache: batch_offset: expected at most ",
                    height - users, ", got ", batch_offset);
        } else {
            require(batch_offset == 0, "Batch offset must be 0 when cache tensor batch size >= 32");
        }
    }

    // Rows of tiles of the cache, of two users where these come in pairs, untilized, changed and tilized
    // again. In 32 bits what does not need two places has one.
    ProgramPlan plan_update(const TensorSpec& cache, const TensorSpec& input,
                            const CoreRangeSet& cores) const {
        const bool fp32 = cache.dtype == DataType::FLOAT32;
        const std::uint64_t width = cache.tile_columns();
        const std::uint64_t in_flight = 2 * (cache.shape[0] % 2 == 0 ? 2 : 1) * width;
        const std::uint64_t between = tile_size(fp32 ? DataType::FLOAT32 : DataType::BFLOAT16);
        return {{"ttnn::prim::UpdateCacheMultiCoreProgramFactory", 0},
                dataflow_buffers(
                    {in_flight * tile_size(cache.dtype), (fp32 ? 1 : 2) * width * tile_size(input.dtype),
                     in_flight * between, (fp32 ? width : in_flight) * between,
                     input.padded_shape()[-2] * width * tile_size(cache.dtype)},
                    cores)};
    }
};

template <typename Definition>
Tensor run_fill(const Definition& definition, const Tensor& cache, const Tensor& input, std::uint32_t user) {
    return in_operation(definition, [&] {
        const UpdateKvCache operation{CacheOperation::kFill, user, definition.update_idx};
        return launch_into(operation, {cache, input}, cache);
    });
}

template <typename Definition>
Tensor run_update(const Definition& definition, std::uint32_t position) {
    return in_operation(definition, [&] {
        const UpdateKvCache operation{
            .operation = CacheOperation::kUpdate,
            .position = position,
            .batch_offset = definition.batch_offset,
            .config = definition.compute_kernel_config.value_or(DeviceComputeKernelConfig{})};
        return launch_into(operation, {definition.cache, definition.input}, definition.cache);
    });
}

}  // namespace

Tensor FillCache::call() const {
    return run_fill(*this, cache_tensor, input_tensor, batch_idx);
}
Tensor UpdateCache::call() const {
    return run_update(*this, update_idx);
}
Tensor kv_cache::FillCacheForUser::call() const {
    return run_fill(*this, cache, input, batch_index);
}
Tensor kv_cache::UpdateCacheForToken::call() const {
    return run_update(*this, update_index);
}

}  // namespace tilemeter
