// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/ccl/transfers.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>

#include "runtime/compute/rearrange.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/ccl/internal/rings.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

// Of a packet with its header.
std::uint64_t most_bytes_of_packet(DataType dtype) {
    constexpr std::uint64_t kMostBytes = kPacketBytes + kPacketHeaderBytes;
    return dtype == DataType::BFLOAT16 ? std::bit_floor(kMostBytes) : kMostBytes;
}

// A core for each link. Three packets are on their way: of whole tiles, or of at most two rows.
ProgramPlan plan_of_packets(StaticName factory, const TensorSpec& input, std::uint32_t links,
                            const Rings& rings, const DeviceDescription& device) {
    constexpr std::uint64_t kPackets = 3;
    const std::uint64_t page =
        round_up(buffer_geometry(input, device).page_size_bytes, page_alignment(input.memory_config, device));
    std::uint64_t pages = std::max<std::uint64_t>(kPacketBytes / page, 1);
    if (input.layout == Layout::ROW_MAJOR) pages = 2 * page <= most_bytes_of_packet(input.dtype) ? 2 : 1;
    const std::uint64_t packet = pages * page;
    return {{factory},
            {circular_buffer(kPackets * packet, CoreRange{{0, 0}, {links - 1, 0}})},
            {semaphore_spec(device), semaphore_spec(device)},
            rings.mesh.size()};
}

struct AllBroadcastOperation {
    static constexpr std::string_view kName = "AllBroadcastDeviceOperation";
    static constexpr std::string_view kAttributesName = "AllBroadcastParams";

    MemoryConfig memory_config;
    Rings rings;
    std::uint32_t links;

    auto attributes() const {
        return std::make_tuple(links, rings.size(), memory_config, rings.axis.value_or(-1));
    }

    void validate(SpecsView inputs) const { require_interleaved("all_broadcast", inputs[0], memory_config); }

    TensorSpecs infer(SpecsView inputs) const {
        TensorSpec out = inputs[0];
        out.memory_config = memory_config;
        return TensorSpecs(rings.size(), out);
    }

    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        return plan_of_packets("ttnn::prim::AllBroadcastProgramFactory", inputs[0], links, rings, device);
    }

    // On a mesh of several chips, as there is no other.
    std::vector<HostArray> compute(ArraysView, SpecsView) const { return {}; }

    std::vector<std::vector<HostArray>> compute_on_all_chips(ArraysView input_by_chip, SpecsView) const {
        std::vector<std::vector<HostArray>> outputs(rings.size());
        for (std::size_t place = 0; place < rings.size(); ++place) {
            outputs[place].resize(input_by_chip.size());
            for (std::size_t ring = 0; ring < rings.count(); ++ring) {
                for (std::size_t to = 0; to < rings.size(); ++to)
                    outputs[place][rings.chip(ring, to)] = *input_by_chip[rings.chip(ring, place)];
            }
        }
        return outputs;
    }
};

// A chip's row and column in the mesh. Throws RuntimeError.
MeshPlace place_in(MeshShape mesh, const std::vector<std::int64_t>& coordinate, const char* who) {
    const bool fits = coordinate.size() == 2 && coordinate[0] >= 0 && coordinate[0] < mesh.rows &&
                      coordinate[1] >= 0 && coordinate[1] < mesh.columns;
    require(fits, "Mesh device must contain ", who, " coordinate device");
    return {static_cast<std::uint32_t>(coordinate[0]), static_cast<std::uint32_t>(coordinate[1])};
}

std::size_t chip_at(MeshShape mesh, MeshPlace place) {
    return std::size_t{place.row} * mesh.columns + place.column;
}

struct BroadcastOperation {
    static constexpr std::string_view kName = "BroadcastDeviceOperation";
    static constexpr std::string_view kAttributesName = "BroadcastParams";

    MeshPlace sender;
    MemoryConfig memory_config;
    Rings rings;
    std::uint32_t links;

    auto attributes() const {
        return std::make_tuple(sender.row, sender.column, links, rings.size(), memory_config,
                               rings.axis.value_or(-1));
    }

    void validate(SpecsView inputs) const { require_interleaved("broadcast", inputs[0], memory_config); }

    TensorSpecs infer(SpecsView inputs) const {
        TensorSpec out = inputs[0];
        out.memory_config = memory_config;
        return {out};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        return plan_of_packets("ttnn::prim::BroadcastProgramFactory", inputs[0], links, rings, device);
    }

    // On a mesh of several chips, as there is no other.
    std::vector<HostArray> compute(ArraysView, SpecsView) const { return {}; }

    // Chips that the sender doesn't reach have nothing.
    std::vector<std::vector<HostArray>> compute_on_all_chips(ArraysView input_by_chip,
                                                             SpecsView outputs) const {
        std::vector<HostArray> result(input_by_chip.size(), HostArray(outputs[0].dtype, outputs[0].shape));
        const std::size_t from = chip_at(rings.mesh, sender);
        for (std::size_t ring = 0; ring < rings.count(); ++ring) {
            bool is_senders = false;
            for (std::size_t place = 0; place < rings.size(); ++place)
                is_senders = is_senders || rings.chip(ring, place) == from;
            for (std::size_t place = 0; is_senders && place < rings.size(); ++place)
                result[rings.chip(ring, place)] = *input_by_chip[from];
        }
        return {std::move(result)};
    }
};

/// A slice on each chip, of the same size from another place.
struct MeshPartitionOperation {
    static constexpr std::string_view kName = "MeshPartitionDeviceOperation";

    std::size_t dim;
    MemoryConfig memory_config;
    Rings rings;

    auto attributes() const { return std::make_tuple(dim, rings.axis, memory_config); }

    void validate(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        const std::uint32_t size = input.shape.dimensions()[dim];
        require(size % rings.size() == 0, "input shape ", input.shape,
                " must be divisible by cluster axis size ", rings.size());
        const bool is_whole = dim + 2 < input.shape.rank() || size / rings.size() % kTileHeight == 0;
        const auto in_tiles = [&](std::int64_t each) { return input.shape[each] % kTileHeight == 0; };
        require(input.layout != Layout::TILE || (is_whole && in_tiles(-1) && in_tiles(-2)),
                "mesh_partition: input_tensor: expected parts of whole tiles along dim ", dim, ", got ",
                input.shape, " for ", rings.size(), " chips");
    }

    TensorSpecs infer(SpecsView inputs) const {
        TensorSpec out = inputs[0];
        const auto axis = static_cast<std::int64_t>(dim);
        out.shape.set(axis, out.shape[axis] / rings.size());
        out.memory_config = memory_config;
        return {out};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device,
                     std::uint64_t free_l1_bytes) const {
        ProgramPlan plan = unscoped::slice_program(inputs[0], outputs[0], device, free_l1_bytes);
        plan.factory = {"ttnn::operations::ccl::MeshPartitionDeviceOperation::MeshPartition"};
        plan.num_programs = rings.mesh.size();
        return plan;
    }

    // On a mesh of several chips, as there is no other.
    std::vector<HostArray> compute(ArraysView, SpecsView) const { return {}; }

    std::vector<std::vector<HostArray>> compute_on_all_chips(ArraysView input_by_chip,
                                                             SpecsView outputs) const {
        const std::vector<std::uint32_t> step(outputs[0].shape.rank(), 1);
        const std::uint32_t size = outputs[0].shape.dimensions()[dim];
        std::vector<HostArray> parts(input_by_chip.size());
        for (std::size_t ring = 0; ring < rings.count(); ++ring) {
            for (std::uint32_t place = 0; place < rings.size(); ++place) {
                std::vector<std::uint32_t> begin(step.size(), 0);
                begin[dim] = place * size;
                const std::size_t chip = rings.chip(ring, place);
                parts[chip] = compute::sliced(*input_by_chip[chip], begin, step, outputs[0].shape);
            }
        }
        return {std::move(parts)};
    }
};

/// How a tensor goes in packets: several pages in one, or a page in several.
struct PageTransfer {
    std::uint64_t page = 0;  ///< bytes, aligned as L1 is
    std::uint64_t packet = 0;
    std::uint64_t pages_of_packet = 1;
    std::uint64_t packets = 0;

    static PageTransfer of(const TensorSpec& spec, const DeviceDescription& device) {
        const std::uint64_t most = most_bytes_of_packet(spec.dtype);
        const BufferGeometry geometry = buffer_geometry(spec, device);
        PageTransfer transfer;
        transfer.page = round_up(geometry.page_size_bytes, device.l1_alignment);
        if (transfer.page <= most) {
            transfer.pages_of_packet = std::min(most / transfer.page, geometry.num_pages);
            transfer.packet = transfer.page * transfer.pages_of_packet;
            transfer.packets = ceil_div(geometry.num_pages, transfer.pages_of_packet);
        } else {
            transfer.packet = most;
            transfer.packets = ceil_div(transfer.page, most) * geometry.num_pages;
        }
        return transfer;
    }
};

/// The first output has the packets. Sender and receiver have programs of their own; the one that takes more stands here
/// for both.
struct PointToPointOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "PointToPointOp";

    MeshShape mesh;
    MeshPlace sender;
    MeshPlace receiver;

    auto attributes() const {
        return std::make_tuple(receiver.row, receiver.column, sender.row, sender.column);
    }

    void validate(SpecsView inputs, const DeviceDescription& device) const {
        require(!inputs[0].memory_config.is_sharded(), "Point to point does not yet support sharded configs");
        require(buffer_geometry(inputs[0], device).page_size_bytes % device.l1_alignment == 0,
                "Tensor page size must be 16 byte aligned");
    }

    TensorSpecs infer(SpecsView inputs, const DeviceDescription& device) const {
        require(!is_block_float(inputs[0].dtype), "datum for bfp2, bfp4, bfp8 is invalid");
        TensorSpec packets = inputs[0];
        const PageTransfer transfer = PageTransfer::of(inputs[0], device);
        packets.shape = Shape{static_cast<std::uint32_t>(transfer.packets),
                              static_cast<std::uint32_t>(transfer.packet / element_size(inputs[0].dtype))};
        return {packets, inputs[0]};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        constexpr std::uint64_t kHeaders = 4;
        const PageTransfer transfer = PageTransfer::of(inputs[0], device);
        const CoreRange core{{0, 0}, {0, 0}};
        const std::uint64_t headers = kHeaders * kPacketHeaderBytes;
        const std::uint64_t received = 3 * transfer.pages_of_packet * transfer.page;
        ProgramPlan plan{{"ttnn::operations::point_to_point::PointToPointOp::SendReceive"}};
        plan.memory = received > 2 * transfer.page
                          ? circular_buffers({headers, transfer.packet, received}, core)
                          : circular_buffers({2 * transfer.page, headers, transfer.packet}, core);
        plan.config_tensors = {semaphore_spec(device)};
        plan.num_programs = 2;
        return plan;
    }

    // On a mesh of several chips, as there is no other.
    std::vector<HostArray> compute(ArraysView, SpecsView) const { return {}; }

    std::vector<std::vector<HostArray>> compute_on_all_chips(ArraysView input_by_chip,
                                                             SpecsView outputs) const {
        const std::size_t chips = mesh.size();
        std::vector<HostArray> result(chips, HostArray(outputs[1].dtype, outputs[1].shape));
        // What a tensor that was given held.
        for (std::size_t chip = 0; input_by_chip.size() > chips && chip < chips; ++chip)
            result[chip] = *input_by_chip[chips + chip];
        result[chip_at(mesh, receiver)] = *input_by_chip[chip_at(mesh, sender)];
        return {{}, std::move(result)};
    }
};

}  // namespace

std::vector<Tensor> unscoped::all_broadcast(const Tensor& input, std::optional<int> cluster_axis,
                                            const MemoryConfig& memory_config, std::uint32_t num_links) {
    const std::vector<Rings> rings = rings_of(input, cluster_axis);
    require(rings.size() == 1, "1D fabric on a 2D mesh_device requires cluster_axis to be set");
    require(rings[0].size() > 1, "all_broadcast op will only work for num_devices > 1, but has ",
            rings[0].size());
    return launch_all(AllBroadcastOperation{memory_config, rings[0], num_links}, {input});
}

std::vector<Tensor> AllBroadcast::body() const {
    require_on_device(input_tensor, "all_broadcast", "input_tensor");
    require(num_links.value_or(1) == 1, "all_broadcast: num_links: expected 1, others are not modelled, got ",
            num_links.value_or(1));
    return unscoped::all_broadcast(input_tensor, cluster_axis,
                                   memory_config.value_or(input_tensor.memory_config()), 1);
}

Tensor Broadcast::body() const {
    require_on_device(input_tensor, "broadcast", "input_tensor");
    const std::vector<Rings> rings = rings_of(input_tensor, cluster_axis);
    require(rings.size() == 1, "1D fabric on a 2D mesh_device requires cluster_axis to be set");
    require(rings[0].size() > 1, "broadcast op will only work for num_devices > 1, but has ",
            rings[0].size());
    const Device& device = input_tensor.device();
    return launch(BroadcastOperation{place_in(device.mesh_shape(), sender_coord, "sender"),
                                     memory_config.value_or(input_tensor.memory_config()), rings[0],
                                     num_links.value_or(device.description().mesh.links)},
                  {input_tensor});
}

Tensor MeshPartition::body() const {
    require_on_device(input_tensor, "mesh_partition", "input_tensor");
    require(!cluster_axis || *cluster_axis == 0 || *cluster_axis == 1,
            "Only support cluster axis of None, 0 or 1");
    const Rings rings{input_tensor.device().mesh_shape(), cluster_axis};
    if (rings.size() == 1) return input_tensor;  // its only part
    return launch(MeshPartitionOperation{input_tensor.shape().position(dim),
                                         memory_config.value_or(input_tensor.memory_config()), rings},
                  {input_tensor});
}

Tensor PointToPoint::body() const {
    require_on_device(input_tensor, "point_to_point", "input_tensor");
    rings_of(input_tensor, std::nullopt);  // there is a fabric
    const MeshShape mesh = input_tensor.device().mesh_shape();
    const MeshPlace sender = place_in(mesh, sender_coord, "sender");
    const MeshPlace receiver = place_in(mesh, receiver_coord, "receiver");
    const bool is_same_row = sender.row == receiver.row;
    require(is_same_row || sender.column == receiver.column,
            "point_to_point: receiver_coord: expected a chip in the row or the column of the sender");
    require(!is_same_row || sender.column != receiver.column,
            "point_to_point: receiver_coord: expected another chip than the sender, a copy within one is not "
            "modelled");
    std::vector<Tensor> inputs = {input_tensor};
    if (output_tensor) inputs.push_back(*output_tensor);
    std::vector<Tensor> outputs = launch_filling(PointToPointOperation{mesh, sender, receiver}, inputs,
                                                 {intermediate_tensor, output_tensor});
    if (!intermediate_tensor) const ScopedTensor packets(std::move(outputs.at(0)));
    return outputs.at(1);
}

}  // namespace tilemeter
