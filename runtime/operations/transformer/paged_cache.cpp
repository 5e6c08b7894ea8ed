// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/paged_cache.hpp"

#include <string>
#include <tuple>
#include <utility>

#include "runtime/device/buffer_geometry.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/transformer/internal/paged_cache_values.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

// Inputs: the cache, what is written, then, where they are there, positions and page table.
struct PagedUpdate {
    static constexpr std::string_view kName = "PagedUpdateCacheDeviceOperation";
    static constexpr std::string_view kAttributesName = "PagedUpdateCacheParams";

    std::vector<std::int64_t> positions;
    bool positions_in_tensor;
    bool paged;
    bool share_cache;

    auto attributes() const {
        std::string list = "{";
        for (const std::int64_t position : positions)
            list += (list.size() > 1 ? ", " : "") + std::to_string(position);
        using std::string_view_literals::operator""sv;
        return std::make_tuple(list + "}", 0, attribute_text(DeviceComputeKernelConfig{}), share_cache,
                               "std::nullopt"sv, "std::nullopt"sv, "std::nullopt"sv, "std::nullopt"sv);
    }
    auto key_attributes() const {
        return std::tuple_cat(attributes(), std::make_tuple(positions_in_tensor, paged));
    }
    /// One program serves all positions.
    void append_program_key(ProgramKey& key, const KeyedCall& call) const {
        key.append(positions_in_tensor);
        key.append(paged);
        key.append(share_cache);
        key.append(call.inputs);
    }

    void validate(SpecsView inputs) const {
        const TensorSpec& cache = inputs[0];
        const TensorSpec& input = inputs[1];
        require(input.layout == Layout::TILE, "Input tensor in non-fused update_cache must be tilized");
        require_cache(cache, "paged_update_cache");
        require(input.shape.rank() == 4, "paged_update_cache: input: expected 4 dimensions, got ",
                input.shape);
        require(input.shape[0] == 1, "Dim 0 of input tensor must be 1");
        const std::uint32_t users = input.shape[1];
        require_width(cache, input);
        if (!paged && share_cache) {
            require(cache.shape[0] == 1, "Share cache feature expects cache tensor to have batch of 1");
        } else if (!paged) {
            require(users == cache.shape[0], "Expect batch in input tensor match the batch in cache tensor");
        } else {
            require_table(inputs.back(), cache, users);
        }
        require(positions_in_tensor == positions.empty(),
                "Only an update tensor or an update vector can be provided. Not both or neither.");
        std::uint64_t places = positions.size();
        if (positions_in_tensor) {
            require_integers(inputs[2], 1, "paged_update_cache: update_idxs_tensor");
            places = inputs[2].shape[0];
        }
        require(users == places, "Number of update_idxs (", places, ") should match batch size (", users,
                ")");
        require(input.memory_config.is_sharded(), "Expect input_tensor to be sharded");
        require(input.memory_config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED &&
                    input.shape[2] >= cache.shape[1],
                "paged_update_cache: input: expected [1, ", users, ", ", cache.shape[1], " or more, ",
                cache.shape[3], "] in HEIGHT shards, got ", input.shape);
        const std::uint64_t shards = input.memory_config.shard_spec->grid.num_cores();
        require(shards == users, "Input tensor shard grid must have num_cores (", shards,
                ") equal to the number of users / batch (", users, ").");
        require(input.dtype == DataType::BFLOAT16 || input.dtype == DataType::FLOAT32,
                "Data type of input tensor for update cache must be FLOAT32 or BFLOAT16");
    }

    TensorSpecs infer(SpecsView inputs) const { return {inputs[0]}; }

    // On the cores that hold the users' shards: rows of tiles of the cache, untilized, changed and tilized
    // again.
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const TensorSpec& cache = inputs[0];
        const TensorSpec& input = inputs[1];
        const CoreRangeSet& cores = input.memory_config.shard_spec->grid;
        const std::uint64_t width = cache.tile_columns();
        const std::uint64_t tile = tile_size(cache.dtype);
        const std::uint64_t between =
            2 * width * tile_size(cache.dtype == DataType::FLOAT32 ? DataType::FLOAT32 : DataType::BFLOAT16);
        ProgramPlan plan{{"ttnn::experimental::prim::PagedUpdateCacheProgramFactory", 0},
                         {dataflow_buffer(2 * width * tile, cores),
                          borrowed_buffer(buffer_geometry(input, device).size_per_bank_bytes, cores, 1),
                          dataflow_buffer(between, cores), dataflow_buffer(between, cores),
                          dataflow_buffer(input.shape[1] * width * tile, cores)}};
        if (positions_in_tensor) plan.memory.push_back(dataflow_buffer(tile_size(DataType::INT32), cores));
        if (paged)
            plan.memory.push_back(dataflow_buffer(inputs.back().shape[1] * sizeof(std::int32_t), cores));
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        return {with_tokens(*inputs[0], *inputs[1],
                            {positions_in_tensor ? inputs[2]->to_integers() : positions,
                             paged ? inputs.back() : nullptr, share_cache},
                            outputs[0])};
    }

private:
    void require_width(const TensorSpec& cache, const TensorSpec& input) const {
        const Shape held = cache.padded_shape();
        const std::uint32_t width = input.padded_shape()[-1];
        if (!paged) {
            require(width == held[-1], "Last dim of input tensor (", width,
                    ") must match last dim of cache tensor (", held[-1], ") in non-paged mode");
            return;
        }
        const std::uint64_t rows = std::uint64_t{held[1]} * held[2];
        require(width == held[-1], [&] {
            const auto block = [&](std::uint32_t columns) { return std::to_string(rows * columns) + " "; };
            const auto sides = [&](std::uint32_t columns) {
                return "(kv_heads=" + std::to_string(held[1]) + ", block_size=" + std::to_string(held[2]) +
                       ", head_dim=" + std::to_string(columns) + ")";
            };
            return "paged_update_cache geometry mismatch: cache has " + block(held[-1]) + "elems/block " +
                   sides(held[-1]) + " but call view is " + block(width) + sides(width) + ".";
        });
    }

    void require_table(const TensorSpec& table, const TensorSpec& cache, std::uint32_t users) const {
        require(!share_cache, "share_cache not supported with paged cache");
        require(positions_in_tensor, "Paged cache requires update_idxs tensor");
        require_integers(table, 2, "paged_update_cache: page_table");
        require(table.shape[0] == users, "Batch size between page_table and input_tensor must match");
        require(table.shape[1] <= cache.shape[0],
                "max_num_blocks_per_seq must be less than max_num_blocks: max_num_blocks_per_seq=",
                table.shape[1], ", max_num_blocks=", cache.shape[0]);
    }
};

// Inputs: the cache, what is written, the page table, possibly the users.
struct PagedFill {
    static constexpr std::string_view kName = "PagedFillCacheDeviceOperation";
    static constexpr std::string_view kAttributesName = "PagedFillCacheParams";

    std::uint32_t user;

    auto attributes() const {
        using std::string_view_literals::operator""sv;
        return std::make_tuple(user, "std::nullopt"sv, false, "std::nullopt"sv, "std::nullopt"sv);
    }
    /// One program serves all users.
    void append_program_key(ProgramKey& key, const KeyedCall& call) const { key.append(call.inputs); }

    void validate(SpecsView inputs) const {
        const TensorSpec& cache = inputs[0];
        const TensorSpec& input = inputs[1];
        require_cache(cache, "paged_fill_cache");
        require(input.layout == Layout::TILE && !input.memory_config.is_sharded() &&
                    input.shape.rank() == 4 && (input.shape[0] == 1 || inputs.size() > 3) &&
                    input.shape[1] == cache.shape[1] && input.shape[3] == cache.shape[3],
                "paged_fill_cache: input: expected interleaved tiles [1, ", cache.shape[1], ", s, ",
                cache.shape[3], "], got ", input.shape);
        require(input.dtype == cache.dtype, "Input and cache tensors must have same dtype!");
        require_integers(inputs[2], 2, "paged_fill_cache: page_table");
        if (inputs.size() > 3) {
            const TensorSpec& users = inputs[3];
            require((users.dtype == DataType::INT32 || users.dtype == DataType::UINT32) &&
                        users.layout == Layout::ROW_MAJOR && users.shape.volume() == input.shape[0],
                    "paged_fill_cache: batch_idx_tensor: expected ", input.shape[0],
                    " INT32 or UINT32 in ROW_MAJOR, got ", users.shape, " ", name_of(users.dtype));
        }
        require(user < inputs[2].shape[0], "paged_fill_cache: batch_idx: expected below ", inputs[2].shape[0],
                ", got ", user);
        require(std::uint64_t{inputs[2].shape[1]} * cache.shape[2] >= input.shape[2], [&] {
            return "paged_fill_cache: input: expected at most " +
                   std::to_string(std::uint64_t{inputs[2].shape[1]} * cache.shape[2]) + " rows, got " +
                   std::to_string(input.shape[2]);
        });
    }

    TensorSpecs infer(SpecsView inputs) const { return {inputs[0]}; }

    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const CoreRangeSet cores =
            split_work(inputs[1].tile_rows(), device.compute_grid, CoreWalk::kAlongRows).cores;
        ProgramPlan plan{
            {"ttnn::experimental::prim::PagedFillCacheProgramFactory", 0},
            dataflow_buffers({2 * inputs[0].tile_columns() * tile_size(inputs[0].dtype),
                              round_up(inputs[2].shape[1] * sizeof(std::int32_t), device.dram_alignment)},
                             cores)};
        if (inputs.size() > 3)
            plan.memory.push_back(dataflow_buffer(inputs[3].shape.volume() * sizeof(std::int32_t), cores));
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<std::int64_t> users =
            inputs.size() > 3 ? inputs[3]->to_integers() : std::vector<std::int64_t>{user};
        return {with_rows(*inputs[0], *inputs[1], *inputs[2], users, outputs[0])};
    }
};

}  // namespace

namespace experimental {

Tensor PagedUpdateCache::call() const {
    require_none(block_size, "paged_update_cache", "block_size");
    require_none(num_kv_heads, "paged_update_cache", "num_kv_heads");
    require_none(cache_position_modulo, "paged_update_cache", "cache_position_modulo");
    return in_operation(*this, [&] {
        std::vector<Tensor> inputs = {cache_tensor, input_tensor};
        for (const OptionalTensor* optional : {&update_idxs_tensor, &page_table}) {
            if (*optional) inputs.push_back(**optional);
        }
        return launch_into(
            PagedUpdate{update_idxs, update_idxs_tensor.has_value(), page_table.has_value(), is_shared()},
            std::move(inputs), cache_tensor);
    });
}

Tensor PagedFillCache::call() const {
    require_none(block_size, "paged_fill_cache", "block_size");
    require_none(cache_position_modulo, "paged_fill_cache", "cache_position_modulo");
    require_none(valid_seq_len_tensor, "paged_fill_cache", "valid_seq_len_tensor");
    return in_operation(*this, [&] {
        std::vector<Tensor> inputs = {cache_tensor, input_tensor, page_table};
        if (batch_idx_tensor) inputs.push_back(*batch_idx_tensor);
        return launch_into(PagedFill{batch_idx}, std::move(inputs), cache_tensor);
    });
}

}  // namespace experimental

}  // namespace tilemeter
