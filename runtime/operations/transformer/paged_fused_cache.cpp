// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/device/buffer_geometry.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/transformer/internal/paged_cache_values.hpp"
#include "runtime/operations/transformer/paged_cache.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

/// The cores of both sets in as few rectangles as TT-NN makes of them, ordered by column, then row.
CoreRangeSet merged(const CoreRangeSet& first, const CoreRangeSet& second = {}) {
    std::vector<CoreCoord> cores = cores_of(first);
    const std::vector<CoreCoord> more = cores_of(second);
    cores.insert(cores.end(), more.begin(), more.end());
    return merge_cores_by_column(std::move(cores));
}

// Inputs: a cache and its tokens, the other and its, then, where they are there, positions and page table.
struct PagedFusedUpdate {
    static constexpr std::string_view kName = "PagedFusedUpdateCacheDeviceOperation";
    static constexpr std::string_view kAttributesName = "PagedFusedUpdateCacheParams";

    std::vector<std::int64_t> positions;
    bool positions_in_tensor;
    bool paged;
    bool share_cache;

    auto attributes() const {
        using std::string_view_literals::operator""sv;
        std::string list = "{";
        for (const std::int64_t position : positions)
            list += (list.size() > 1 ? ", " : "") + std::to_string(position);
        return std::make_tuple(list + "}", 0, attribute_text(DeviceComputeKernelConfig{}), share_cache,
                               "std::nullopt"sv);
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
        for (const std::size_t i : {std::size_t{0}, std::size_t{2}})
            validate_pair(inputs[i], inputs[i + 1]);
        require(inputs[0].shape == inputs[2].shape && inputs[0].dtype == inputs[2].dtype &&
                    inputs[1].shape == inputs[3].shape && inputs[1].dtype == inputs[3].dtype,
                "paged_fused_update_cache: expected caches and inputs alike, got ", inputs[0].shape, " and ",
                inputs[2].shape);
        require(!grid_of(inputs[1]).intersects(grid_of(inputs[3])),
                "input_tensor1 and input_tensor2 must not overlap");
        if (positions_in_tensor) {
            require_integers(inputs[4], 1, "paged_fused_update_cache: update_idxs_tensor");
        } else {
            require(positions.size() == inputs[1].shape[1],
                    "paged_fused_update_cache: update_idxs: expected ", inputs[1].shape[1], ", got ",
                    positions.size());
        }
        if (paged) require_integers(inputs.back(), 2, "paged_fused_update_cache: page_table");
    }

    TensorSpecs infer(SpecsView inputs) const { return {inputs[0], inputs[2]}; }

    // Rows of tiles of a cache, untilized, changed and tilized again, on the cores of the users' shards.
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const TensorSpec& cache = inputs[0];
        const CoreRangeSet cores = merged(grid_of(inputs[1]), grid_of(inputs[3]));
        const std::uint64_t width = cache.tile_columns();
        const std::uint64_t tile = tile_size(cache.dtype);
        const std::uint64_t between =
            2 * width * tile_size(cache.dtype == DataType::FLOAT32 ? DataType::FLOAT32 : DataType::BFLOAT16);
        const auto shard = [&](const TensorSpec& input, int tensor) {
            return borrowed_buffer(buffer_geometry(input, device).size_per_bank_bytes, merged(grid_of(input)),
                                   tensor);
        };
        const auto row_bytes = [&](std::uint32_t count) {
            return round_up(count * sizeof(std::int32_t), device.dram_alignment);
        };
        const bool rows = inputs[1].layout == Layout::ROW_MAJOR;
        ProgramPlan plan{
            {rows ? "ttnn::experimental::prim::PagedRowMajorFusedUpdateCacheProgramFactory"
                  : "ttnn::experimental::prim::PagedTiledFusedUpdateCacheProgramFactory",
             rows ? 1U : 0U},
            {dataflow_buffer(2 * width * tile, cores), shard(inputs[1], 1), shard(inputs[3], 3)}};
        // Tokens in rows need not be untilized.
        if (rows) {
            plan.memory.push_back(dataflow_buffer(2 * width * tile_size(DataType::BFLOAT16), cores));
        } else {
            plan.memory.insert(plan.memory.end(), 2, dataflow_buffer(between, cores));
        }
        plan.memory.push_back(dataflow_buffer(inputs[1].shape[1] * width * tile, cores));
        if (positions_in_tensor) plan.memory.push_back(dataflow_buffer(row_bytes(inputs[4].shape[0]), cores));
        if (paged) plan.memory.push_back(dataflow_buffer(row_bytes(inputs.back().shape[1]), cores));
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const CachePlaces places{positions_in_tensor ? inputs[4]->to_integers() : positions,
                                 paged ? inputs.back() : nullptr, share_cache};
        return {with_tokens(*inputs[0], *inputs[1], places, outputs[0]),
                with_tokens(*inputs[2], *inputs[3], places, outputs[1])};
    }

private:
    static const CoreRangeSet& grid_of(const TensorSpec& spec) { return spec.memory_config.shard_spec->grid; }

    void validate_pair(const TensorSpec& cache, const TensorSpec& input) const {
        require_cache(cache, "paged_fused_update_cache");
        require(input.memory_config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED &&
                    (input.dtype == DataType::BFLOAT16 || input.dtype == DataType::FLOAT32),
                "paged_fused_update_cache: input: expected BFLOAT16 or FLOAT32, HEIGHT_SHARDED");
        const std::uint32_t users = input.shape.rank() == 4 ? input.shape[1] : 0;
        const bool rows = input.layout == Layout::ROW_MAJOR;
        require(!rows || (users > 0 && input.shape[3] == 128 && input.shape[2] == 8),
                "when input_tensor1 and input_tensor2 are row major, only Llama70b tensor shapes are "
                "supported");
        require(users > 0 && input.shape[0] == 1 && input.shape[3] == cache.shape[3] &&
                    input.shape[2] >= cache.shape[1] &&
                    (paged || cache.shape[0] == (share_cache ? 1 : users)),
                "paged_fused_update_cache: input: expected [1, users, ", cache.shape[1], ", ", cache.shape[3],
                "], got ", input.shape);
    }
};

}  // namespace

namespace experimental {

std::pair<Tensor, Tensor> PagedFusedUpdateCache::call() const {
    std::vector<Tensor> caches = in_operation(*this, [&] {
        std::vector<Tensor> inputs = {cache_tensor1, input_tensor1, cache_tensor2, input_tensor2};
        for (const OptionalTensor* optional : {&update_idxs_tensor, &page_table}) {
            if (*optional) inputs.push_back(**optional);
        }
        return launch_all(PagedFusedUpdate{update_idxs, update_idxs_tensor.has_value(),
                                           page_table.has_value(), is_shared()},
                          std::move(inputs), {cache_tensor1, cache_tensor2});
    });
    return {std::move(caches.at(0)), std::move(caches.at(1))};
}

}  // namespace experimental

}  // namespace tilemeter
