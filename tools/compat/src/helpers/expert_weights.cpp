// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/functions/expert_weights.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "runtime/device/device.hpp"
#include "runtime/types/rounding.hpp"
#include "tilemeter_ttnn/core_functions.hpp"
#include "tools/compat/src/fatal.hpp"
#include "tools/compat/src/helpers/expert_ring.hpp"
#include "tools/compat/src/model.hpp"
#include "ttnn/operations/ccl/mesh_partition/mesh_partition.hpp"
#include "ttnn/operations/core/core.hpp"
#include "ttnn/operations/creation/creation.hpp"
#include "ttnn/operations/data_movement/concat/concat.hpp"
#include "ttnn/operations/data_movement/slice/slice.hpp"

namespace ttnn::experimental {

namespace {

namespace metal = tt::tt_metal;
using namespace tilemeter::compat::expert_ring;  // NOLINT: all of its rules
using tilemeter::ceil_div;
using tilemeter::compat::refuse_as_fatal;

const std::vector<tilemeter::DramBankCores>& bank_cores(metal::distributed::MeshDevice* device) {
    const auto& cores = tilemeter::compat::to_model(device)->description().dram_bank_cores;
    if (cores.empty())
        refuse_as_fatal("get_weight_core_shard_maps",
                        "get_weight_core_shard_maps: the cores beside the banks of this board are not known");
    return cores;
}

/// `part` along `axis` with each core's tiles in front of what it has of the whole.
Tensor packed_in_front(const Tensor& part, int axis, const std::vector<std::uint32_t>& whole,
                       const std::vector<std::uint32_t>& parts) {
    const Shape& shape = part.logical_shape();
    const auto at = static_cast<std::size_t>(axis + static_cast<int>(shape.rank()));
    std::vector<Tensor> pieces;
    std::uint32_t begin = 0;
    for (std::size_t core = 0; core < whole.size(); ++core) {
        if (parts[core] > whole[core])
            refuse_as_fatal("add_shared_expert_weights",
                            "add_shared_expert_weights: core " + std::to_string(core) + " would have " +
                                std::to_string(parts[core]) + " tiles of a part, and " +
                                std::to_string(whole[core]) + " of the whole");
        if (parts[core] > 0) {
            ttsl::SmallVector<std::int32_t> starts(shape.rank(), 0), ends, steps(shape.rank(), 1);
            for (const std::uint32_t size : shape)
                ends.push_back(static_cast<std::int32_t>(size));
            starts[at] = static_cast<std::int32_t>(begin * kTile);
            begin += parts[core];
            ends[at] = static_cast<std::int32_t>(begin * kTile);
            pieces.push_back(slice(part, starts, ends, steps));
        }
        if (parts[core] < whole[core]) {
            Shape lacking = shape;
            lacking[axis] = (whole[core] - parts[core]) * kTile;
            pieces.push_back(
                zeros(lacking, part.dtype(), part.layout(), *part.device(), part.memory_config()));
        }
    }
    return concat(pieces, static_cast<int>(at));
}

}  // namespace

WeightCoreShardMaps get_weight_core_shard_maps(metal::distributed::MeshDevice* mesh_device,
                                               std::uint32_t hidden_size, std::uint32_t intermediate_size) {
    const std::vector<tilemeter::DramBankCores>& beside = bank_cores(mesh_device);
    const auto cores = static_cast<std::uint32_t>(beside.size());
    std::vector<std::uint32_t> banks(cores);
    std::iota(banks.begin(), banks.end(), 0U);
    std::ranges::stable_sort(banks, [&](std::uint32_t a, std::uint32_t b) {
        const tilemeter::CoreCoord one = beside[a].noc_0, other = beside[b].noc_0;
        return std::pair(one.y, one.x) > std::pair(other.y, other.x);
    });
    const std::uint32_t hidden = hidden_size / kTile, intermediate = intermediate_size / kTile;
    const auto groups = static_cast<std::uint32_t>(ceil_div(ceil_div(hidden, cores), kBlockWidth));
    WeightCoreShardMaps maps;
    std::vector<CoreRange> ranges;
    for (std::uint32_t core = 0; core < cores; ++core) {
        ranges.emplace_back(CoreCoord(banks[core], 0), CoreCoord(banks[core], 0));
        maps.w0_w1_shard_map.push_back(tiles_of(intermediate, core, cores));
        const std::uint32_t tiles = w2_tiles_of(hidden, core, intermediate, cores);
        maps.w2_shard_map.emplace_back(tiles - (groups - 1) * kBlockWidth, groups * kBlockWidth - tiles);
    }
    maps.dram_core_range_set = CoreRangeSet(std::move(ranges));
    return maps;
}

WeightMemoryConfigs get_weight_mem_configs(metal::distributed::MeshDevice* mesh_device,
                                           std::uint32_t num_layers, std::uint32_t experts_per_device,
                                           std::uint32_t hidden_size, std::uint32_t intermediate_size,
                                           bool has_bias) {
    for (const auto& [name, size] :
         {std::pair("hidden_size", hidden_size), std::pair("intermediate_size", intermediate_size)})
        if (size % kTile != 0)
            refuse_as_fatal("get_weight_mem_configs", "get_weight_mem_configs: " + std::string(name) +
                                                          ": expected whole tiles of 32, found " +
                                                          std::to_string(size));
    const CoreRangeSet banks =
        get_weight_core_shard_maps(mesh_device, hidden_size, intermediate_size).dram_core_range_set;
    const auto cores = static_cast<std::uint32_t>(banks.num_cores());
    const std::uint32_t hidden = hidden_size / kTile, intermediate = intermediate_size / kTile;
    const std::uint32_t bias = has_bias ? 1 : 0;
    const Blocks blocks(hidden, intermediate, has_bias, cores);
    const std::uint32_t rows = num_layers * experts_per_device * blocks.height * kTile;
    const auto config = [&](std::uint32_t height) {
        return MemoryConfig(
            TensorMemoryLayout::HEIGHT_SHARDED, BufferType::DRAM,
            metal::ShardSpec(banks, {height, kBlockWidth * kTile}, ShardOrientation::ROW_MAJOR));
    };
    return {config(rows * bank_blocks(blocks, hidden + bias, intermediate, cores, cores)),
            config(rows * w2_core_blocks(blocks, hidden, intermediate + bias, cores))};
}

std::tuple<Tensor, Tensor, Tensor> add_shared_expert_weights(const Tensor& routed_w0, const Tensor& routed_w1,
                                                             const Tensor& routed_w2, const Tensor& shared_w0,
                                                             const Tensor& shared_w1, const Tensor& shared_w2,
                                                             std::uint32_t cluster_axis) {
    const std::uint32_t hidden = routed_w0.logical_shape()[-2];
    const std::vector<std::uint32_t> whole =
        get_weight_core_shard_maps(routed_w0.device(), hidden, routed_w0.logical_shape()[-1]).w0_w1_shard_map;
    std::vector<std::uint32_t> parts;
    const auto added = [&](const Tensor& routed, const Tensor& shared, int axis) {
        const Tensor part = mesh_partition(shared, axis, 1 - cluster_axis);
        const std::uint32_t size = part.logical_shape()[axis];
        if (size % kTile != 0)
            refuse_as_fatal("add_shared_expert_weights",
                            "add_shared_expert_weights: expected parts of whole tiles of 32, found " +
                                std::to_string(size));
        if (parts.empty())
            parts = get_weight_core_shard_maps(routed_w0.device(), hidden, size).w0_w1_shard_map;
        return concat(std::vector<Tensor>{routed, packed_in_front(part, axis, whole, parts)}, 1);
    };
    const Tensor w0 = added(routed_w0, shared_w0, -1);
    const Tensor w1 = added(routed_w1, shared_w1, -1);
    return {w0, w1, added(routed_w2, shared_w2, -2)};
}

Tensor quantize_weights_via_host(const Tensor& device_tensor, DataType dtype,
                                 const std::optional<MemoryConfig>& memory_config) {
    const Tensor cast = to_dtype(from_device(device_tensor), dtype);
    return memory_config ? to_device(cast, device_tensor.device(), *memory_config) : cast;
}

}  // namespace ttnn::experimental
