// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// all_broadcast, broadcast, mesh_partition, point_to_point: whole tensors, or parts of one, from chips to chips. All throw
// RuntimeError, OutOfMemoryError.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

/// Every chip's tensor on all chips: a result for each of them, in their order.
struct AllBroadcast {
    Tensor input_tensor{};
    std::optional<int>
        cluster_axis{};  ///< 0: among the chips of each column, 1: of each row; none: of a line
    Ignored subdevice_id{};
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    std::optional<std::uint32_t> num_links = 1;
    Ignored topology{};
    bool use_l1_small_for_semaphores = false;  ///< has no effect

    static constexpr OperationInfo kOperation{
        "all_broadcast",
        "The tensors of all chips on every chip, one after the other. cluster_axis: 0: those of each column, 1: of each row."};
    static constexpr auto kParameters =
        parameters(required<&AllBroadcast::input_tensor>(),
                   keyword<&AllBroadcast::cluster_axis, &AllBroadcast::subdevice_id,
                           &AllBroadcast::memory_config, &AllBroadcast::num_links, &AllBroadcast::topology,
                           &AllBroadcast::use_l1_small_for_semaphores>());
    std::vector<Tensor> body() const;
};

inline constexpr Operation<AllBroadcast> all_broadcast;

/// The tensor of one chip on all chips of its row, column or line.
struct Broadcast {
    Tensor input_tensor{};
    std::vector<std::int64_t> sender_coord{};  ///< row and column in the mesh
    std::optional<std::uint32_t> num_links{};  ///< none: all of the board's
    OptionalMemoryConfig memory_config{};      ///< none: that of the input
    Ignored topology{};
    std::optional<int> cluster_axis{};
    Ignored subdevice_id{};

    static constexpr OperationInfo kOperation{
        "broadcast",
        "The tensor of the chip at sender_coord on all chips: of its column along cluster_axis 0, of its row along 1."};
    static constexpr auto kParameters =
        parameters(required<&Broadcast::input_tensor, &Broadcast::sender_coord>(),
                   keyword<&Broadcast::num_links, &Broadcast::memory_config, &Broadcast::topology,
                           &Broadcast::cluster_axis, &Broadcast::subdevice_id>());
    Tensor body() const;
};

inline constexpr Operation<Broadcast> broadcast;

/// Of a tensor that all chips have, each keeps its part along `dim`: the inverse of all_gather, without the fabric.
struct MeshPartition {
    Tensor input_tensor{};
    int dim = 0;
    std::optional<int> cluster_axis{};  ///< parts for the chips of each column (0) or row (1); none: for all
    OptionalMemoryConfig memory_config{};  ///< none: that of the input

    static constexpr OperationInfo kOperation{
        "mesh_partition",
        "Part i of n along dim for chip i of n: of each column along cluster_axis 0, of each row along 1, else of the mesh. "
        "Parts in TILE layout are whole tiles."};
    static constexpr auto kParameters =
        parameters(required<&MeshPartition::input_tensor, &MeshPartition::dim>(),
                   optional<&MeshPartition::cluster_axis>(), keyword<&MeshPartition::memory_config>());
    Tensor body() const;
};

inline constexpr Operation<MeshPartition> mesh_partition;

/// The tensor of one chip on another one. What the other chips have of the result is what output_tensor held, or
/// nothing.
struct PointToPoint {
    Tensor input_tensor{};  ///< INTERLEAVED; pages of a multiple of 16 bytes; no block format
    std::vector<std::int64_t> sender_coord{};    ///< row and column in the mesh
    std::vector<std::int64_t> receiver_coord{};  ///< in the row or the column of the sender
    OptionalTensor output_tensor{};
    OptionalTensor intermediate_tensor{};  ///< room for the packets on their way
    Ignored topology{};

    static constexpr OperationInfo kOperation{
        "point_to_point", "The tensor of the chip at sender_coord on the chip at receiver_coord."};
    static constexpr auto kParameters = parameters(
        required<&PointToPoint::input_tensor, &PointToPoint::sender_coord, &PointToPoint::receiver_coord>(),
        keyword<&PointToPoint::output_tensor, &PointToPoint::intermediate_tensor>().output(),
        keyword<&PointToPoint::topology>());
    Tensor body() const;
};

inline constexpr Operation<PointToPoint> point_to_point;

namespace unscoped {

/// The same without a scope of its own, over so many links between neighbours.
std::vector<Tensor> all_broadcast(const Tensor& input, std::optional<int> cluster_axis,
                                  const MemoryConfig& memory_config, std::uint32_t num_links);

}  // namespace unscoped

}  // namespace tilemeter
