// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "capture/log/log.hpp"
#include "runtime/device/device.hpp"
#include "runtime/tensor/tensor.hpp"
#include "runtime/types/rounding.hpp"
#include "tilemeter_ttnn/core_functions.hpp"
#include "tilemeter_ttnn/functions/collective_helpers.hpp"
#include "tools/compat/src/fatal.hpp"
#include "tools/compat/src/model.hpp"

namespace ttnn {

namespace {

namespace metal = tt::tt_metal;
using tilemeter::compat::refuse_as_fatal;

std::string bytes(std::uint64_t count) {
    return std::to_string(count) + " bytes";
}

}  // namespace

std::pair<bool, std::string> use_composite_all_gather(const Tensor& input_tensor, int dim,
                                                      const std::optional<MemoryConfig>& memory_config,
                                                      std::optional<std::uint32_t> cluster_axis) {
    if (is_cpu_tensor(input_tensor))
        refuse_as_fatal("use_composite_all_gather",
                        "use_composite_all_gather: expected a tensor on a device, found one on the host");
    const metal::Shape& shape = input_tensor.logical_shape();
    const int rank = static_cast<int>(shape.rank());
    if (dim < -rank || dim >= rank)
        refuse_as_fatal("use_composite_all_gather", "use_composite_all_gather: dim: expected one of " +
                                                        std::to_string(rank) + " dimensions, found " +
                                                        std::to_string(dim));
    // From the end: tiles may give the padded shape more dimensions.
    const int from_end = dim < 0 ? dim : dim - rank;
    const auto& mesh = input_tensor.device()->shape();
    const std::uint32_t chips =
        cluster_axis ? mesh[*cluster_axis] : static_cast<std::uint32_t>(mesh.mesh_size());

    metal::Shape gathered = input_tensor.padded_shape();
    if (shape[from_end] != gathered[from_end])
        return {true, "dimension " + std::to_string(from_end) + " has padding behind its " +
                          std::to_string(shape[from_end]) + " elements"};
    const metal::TensorSpec output =
        operations::ccl::compute_output_specs_helper(input_tensor, from_end, chips, memory_config);
    gathered[from_end] *= chips;
    if (output.padded_shape() != gathered) return {true, "the result's shards do not share it evenly"};

    const metal::Buffer* const buffer = input_tensor.buffer();
    if (buffer == nullptr)
        refuse_as_fatal("use_composite_all_gather",
                        "use_composite_all_gather: expected a tensor with memory, found one without");
    const std::uint64_t from = buffer->page_size(), aligned_from = buffer->aligned_page_size();
    const std::uint64_t to = output.compute_page_size_bytes();
    if (std::max(from, to) % std::min(from, to) != 0)
        return {true, "neither pages of " + bytes(from) + " nor those of " + bytes(to) +
                          " are a multiple of the others"};
    if (from != to && from != aligned_from)
        return {true, "pages of " + bytes(from) + " lie " + bytes(aligned_from) + " apart"};
    constexpr std::uint64_t kWriteAlignment = 16;
    if (from > to && to % kWriteAlignment != 0)
        return {true, "pages of " + bytes(to) + " are no multiple of " + bytes(kWriteAlignment)};
    const tilemeter::DeviceDescription& device = input_tensor.model().device().description();
    const std::uint64_t aligned_to = tilemeter::round_up(
        to, output.memory_config().buffer_type() == metal::BufferType::DRAM ? device.dram_alignment
                                                                            : device.l1_alignment);
    if (from <= to && aligned_to < aligned_from)
        return {true,
                "pages lie " + bytes(aligned_from) + " apart and those of the result " + bytes(aligned_to)};
    return {false, {}};
}

std::tuple<CoreRangeSet, std::vector<CoreCoord>> ar_choose_worker_cores(std::size_t num_links,
                                                                        std::size_t num_workers_per_link,
                                                                        const CoreRangeSet& available_cores) {
    const std::size_t wanted = num_links * num_workers_per_link;
    if (available_cores.num_cores() < wanted)
        tilemeter::logging::warn({"ar_choose_worker_cores: ", std::to_string(available_cores.num_cores()),
                                  " cores for ", std::to_string(wanted), " workers"});
    std::vector<CoreCoord> cores;
    std::vector<CoreRange> each_alone;
    for (const CoreRange& range : available_cores.ranges())
        for (const CoreCoord& core : corerange_to_cores(CoreRangeSet(range), std::nullopt, true)) {
            if (cores.size() == wanted) break;
            cores.push_back(core);
            each_alone.emplace_back(core, core);
        }
    return {CoreRangeSet(std::move(each_alone)).merge_ranges(), std::move(cores)};
}

std::vector<metal::TensorSpec> reduce_to_root_tensor_spec(
    const Tensor& input_tensor_l, const Tensor& input_tensor_s, const Tensor& input_tensor_m,
    const MeshCoordinate& /*root_coord*/, float /*scale_fp32*/, tt::tt_fabric::Topology /*topology*/,
    const std::optional<std::vector<CoreCoord>>& /*input_mux_cores*/) {
    for (const Tensor* each : {&input_tensor_l, &input_tensor_s, &input_tensor_m})
        if (!each->shard_spec())
            refuse_as_fatal("reduce_to_root_tensor_spec",
                            "reduce_to_root_tensor_spec: expected tensors in shards, found another");
    const metal::ShardSpec& shards = *input_tensor_l.shard_spec();
    const std::uint32_t height = shards.shape[0];
    const std::uint32_t width = shards.shape[1] + 2 * input_tensor_s.shard_spec()->shape[1];
    const MemoryConfig config(input_tensor_l.memory_config().memory_layout(),
                              input_tensor_l.memory_config().buffer_type(),
                              metal::ShardSpec(shards.grid, {height, width}, shards.orientation));
    const metal::TensorLayout& layout = input_tensor_l.tensor_spec().tensor_layout();
    return {
        metal::TensorSpec(metal::Shape({height, width * static_cast<std::uint32_t>(shards.grid.num_cores())}),
                          metal::TensorLayout(layout.get_data_type(), layout.get_page_config(), config))};
}

namespace operations::ccl {

metal::TensorSpec compute_output_specs_helper(const Tensor& input_tensor, int gather_dim_from_end,
                                              std::uint32_t num_devices,
                                              const std::optional<MemoryConfig>& memory_config) {
    MemoryConfig config = memory_config.value_or(input_tensor.memory_config());
    // Shards in two dimensions beside those of any number are the input's.
    if (config.created_with_nd_shard_spec())
        config = MemoryConfig(config.buffer_type(), config.nd_shard_spec());
    metal::Shape shape = input_tensor.logical_shape();
    shape[gather_dim_from_end] *= num_devices;
    const metal::TensorLayout& layout = input_tensor.tensor_spec().tensor_layout();
    return metal::TensorSpec(shape,
                             metal::TensorLayout(input_tensor.dtype(), layout.get_page_config(), config));
}

}  // namespace operations::ccl

}  // namespace ttnn
