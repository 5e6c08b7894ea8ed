// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/functions/tensor_memory.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "runtime/device/device_description.hpp"
#include "runtime/tensor/tensor.hpp"
#include "runtime/types/rounding.hpp"
#include "tilemeter_ttnn/core_functions.hpp"
#include "tilemeter_ttnn/storage.hpp"
#include "tools/compat/src/fatal.hpp"
#include "tools/compat/src/model.hpp"

namespace ttnn {

namespace {

namespace metal = tt::tt_metal;
using tilemeter::ceil_div;
using tilemeter::compat::as_fatal;
using tilemeter::compat::from_model;
using tilemeter::compat::refuse_as_fatal;
using tilemeter::compat::to_model;

/// Another tensor in the memory of a device tensor.
Tensor beside(const tilemeter::Tensor& tensor, tilemeter::TensorSpec spec, bool is_view) {
    tilemeter::Tensor other = tilemeter::Tensor::on_device(std::move(spec), tensor.shared_buffer(), is_view);
    other.set_distribution(tensor.distribution());
    return from_model(std::move(other));
}

/// The cores of the grid that have a shard, in the order of the shards.
std::vector<CoreCoord> cores_of(const tilemeter::Tensor& tensor, const metal::MemoryConfig& config) {
    // A shard's first dimension stands for all outer ones of the tensor.
    std::vector<std::uint64_t> shard;
    metal::CoreRangeSet grid;
    metal::ShardOrientation orientation = metal::ShardOrientation::ROW_MAJOR;
    if (const auto& spec = config.shard_spec()) {
        shard.assign(spec->shape.begin(), spec->shape.end());
        grid = spec->grid;
        orientation = spec->orientation;
    } else {
        const metal::NdShardSpec& any = config.nd_shard_spec().value();
        shard.assign(any.shard_shape.begin(), any.shard_shape.end());
        grid = any.grid;
        orientation = any.orientation;
    }
    const bool by_rows = orientation == metal::ShardOrientation::ROW_MAJOR;

    const tilemeter::Shape padded = tensor.padded_shape();
    std::vector<std::uint64_t> sizes(padded.dimensions().begin(), padded.dimensions().end());
    while (sizes.size() < shard.size())
        sizes.insert(sizes.begin(), 1);
    while (sizes.size() > shard.size()) {
        sizes[1] *= sizes[0];
        sizes.erase(sizes.begin());
    }
    std::vector<std::uint64_t> counts;
    std::uint64_t count = 1;
    for (std::size_t axis = 0; axis < shard.size(); ++axis) {
        counts.push_back(ceil_div(sizes[axis], shard[axis]));
        count *= counts.back();
    }
    if (config.memory_layout() != metal::TensorMemoryLayout::BLOCK_SHARDED)
        return corerange_to_cores(grid, static_cast<std::uint32_t>(count), by_rows);
    // Blocks lie in a rectangle as they do in the tensor.
    const CoreCoord first = grid.bounding_box().start_coord;
    const auto down = by_rows ? counts[0] : counts[1];
    const auto across = by_rows ? counts[1] : counts[0];
    return corerange_to_cores(
        CoreRangeSet(CoreRange(first, CoreCoord(first.x + across - 1, first.y + down - 1))), std::nullopt,
        by_rows);
}

metal::distributed::MeshCommandQueue& queue_of(const char* function, QueueId queue, const Tensor& tensor,
                                               const std::vector<std::shared_ptr<void>>& bytes) {
    if (is_cpu_tensor(tensor))
        refuse_as_fatal(function,
                        std::string(function) + ": expected a tensor on a device, found one on the host");
    if (bytes.size() != 1 || bytes[0] == nullptr)
        refuse_as_fatal(function, std::string(function) + ": expected one pointer, found " +
                                      std::to_string(bytes.size()) + " of which some may be null");
    return tensor.device()->mesh_command_queue(*queue);
}

}  // namespace

ttsl::optional_reference<const metal::MeshTensor> as_optional_mesh_tensor(
    const std::optional<Tensor>& tensor) {
    if (!tensor) return std::nullopt;
    if (is_cpu_tensor(*tensor))
        refuse_as_fatal("as_optional_mesh_tensor",
                        "as_optional_mesh_tensor: expected a tensor on a device, found one on the host");
    return tensor->mesh_tensor();
}

Tensor set_tensor_id(const Tensor& tensor) {
    const tilemeter::Tensor& model = tensor.model();
    if (model.storage_type() == tilemeter::StorageType::DEVICE)
        return beside(model, model.spec(), model.is_view());
    if (!model.has_values()) return from_model(tilemeter::Tensor::planned_on_host(model.spec()));
    tilemeter::Tensor other = tilemeter::Tensor::on_host(model.spec(), *model.chip_values());
    other.set_distribution(model.distribution());
    return from_model(std::move(other));
}

Tensor unchecked_reinterpret_layout(const Tensor& tensor, Layout layout) {
    const tilemeter::Tensor& model = tensor.model();
    if (model.storage_type() != tilemeter::StorageType::DEVICE)
        refuse_as_fatal("unchecked_reinterpret_layout",
                        "unchecked_reinterpret_layout: expected a tensor on a device, found one on the host");
    tilemeter::TensorSpec spec = model.spec();
    spec.layout = to_model(layout);
    if (spec.padded_shape().volume() != model.spec().padded_shape().volume())
        refuse_as_fatal("unchecked_reinterpret_layout",
                        "unchecked_reinterpret_layout: expected as many elements in either layout, found " +
                            std::to_string(model.spec().padded_shape().volume()) + " and " +
                            std::to_string(spec.padded_shape().volume()));
    return beside(model, std::move(spec), true);
}

void write_buffer(QueueId queue, Tensor& to, std::vector<std::shared_ptr<void>> from,
                  const std::optional<metal::BufferRegion>& region) {
    metal::distributed::MeshCommandQueue& commands = queue_of("write_buffer", queue, to, from);
    copy_to_device(commands, static_cast<const std::byte*>(from[0].get()), to, region);
}

void read_buffer(QueueId queue, Tensor& from, std::vector<std::shared_ptr<void>> to,
                 const std::optional<metal::BufferRegion>& region, std::size_t offset, bool blocking) {
    if (offset != 0)
        refuse_as_fatal("read_buffer", "read_buffer: offset: expected 0, found " + std::to_string(offset));
    metal::distributed::MeshCommandQueue& commands = queue_of("read_buffer", queue, from, to);
    copy_to_host(commands, from, static_cast<std::byte*>(to[0].get()), region, blocking);
}

std::vector<CoreCoord> get_optimal_worker_cores_for_sharded_tensor(const Tensor& tensor, metal::NOC noc) {
    constexpr const char* kName = "get_optimal_worker_cores_for_sharded_tensor";
    if (is_cpu_tensor(tensor) || !tensor.is_sharded())
        refuse_as_fatal(kName, std::string(kName) + ": expected shards on a device, found others");
    std::vector<CoreCoord> cores = cores_of(tensor.model(), tensor.memory_config());
    if (tensor.memory_config().buffer_type() != metal::BufferType::DRAM) return cores;
    const std::vector<tilemeter::DramBankCores>& readers =
        to_model(tensor.device())->description().dram_bank_cores;
    for (CoreCoord& each : cores) {
        if (each.x >= readers.size())
            refuse_as_fatal(kName, std::string(kName) + ": the cores beside bank " + std::to_string(each.x) +
                                       " are not known");
        each = from_model(noc == metal::NOC::NOC_0 ? readers[each.x].noc_0 : readers[each.x].noc_1);
    }
    return cores;
}

namespace distributed {

Tensor combine_device_tensors(const std::vector<Tensor>& tensor_shards, int /*shard_dim*/) {
    const auto refuse = [](const std::string& text) { refuse_as_fatal("combine_device_tensors", text); };
    if (tensor_shards.empty()) refuse("At least one tensor shard must be provided");
    std::set<std::size_t> seen;
    const tilemeter::Tensor& first = tensor_shards[0].model();
    for (const Tensor& each : tensor_shards) {
        if (is_cpu_tensor(each)) refuse("All tensor shards must be on device");
        if (each.model().shared_buffer() != first.shared_buffer())
            refuse("tensor shards must be allocated on the same mesh buffer.");
        if (!seen.insert(each.model().chip().value_or(0)).second)
            refuse("Found a tensor shard at duplicate coordinate " +
                   std::to_string(each.model().chip().value_or(0)));
    }
    if (tensor_shards.size() == 1) return tensor_shards[0];
    const std::size_t chips = first.device().chips().size();
    if (seen.size() != chips)
        refuse("combine_device_tensors: expected the parts of all " + std::to_string(chips) +
               " chips, found " + std::to_string(seen.size()));
    return beside(first, first.spec(), first.is_view());
}

}  // namespace distributed

}  // namespace ttnn
