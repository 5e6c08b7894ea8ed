// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// all_gather, reduce_scatter, all_reduce: what the chips of a mesh do together.
//
// All chips of the mesh take part; links, workers and sub-devices are not modelled.

#pragma once

#include <optional>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

/// Every chip gets what all have, one after the other along `dim`: that dimension times the number of chips.
struct AllGather {
    Tensor input_tensor{};  ///< INTERLEAVED; TILE layout needs whole tiles along dim
    int dim = 0;
    std::optional<int> cluster_axis{};     ///< 0: the chips of each column, 1: of each row
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    NotModelled output_tensor{};
    Ignored subdevice_id{};
    NotModelled sub_core_grids{};
    Ignored num_links{};
    Ignored topology{};
    Ignored chunks_per_sync{};
    Ignored num_workers_per_link{};
    Ignored num_buffers_per_channel{};
    bool use_l1_small_for_semaphores = false;  ///< has no effect

    static constexpr OperationInfo kOperation{
        "all_gather",
        "The chips' tensors concatenated along dim, on every chip of the mesh. cluster_axis: 0: those of each column, "
        "1: of each row. What TT-NN is told about links, workers and sub-devices has no effect."};
    static constexpr auto kParameters = parameters(
        required<&AllGather::input_tensor, &AllGather::dim>(), unrecorded_keyword<&AllGather::cluster_axis>(),
        keyword<&AllGather::memory_config, &AllGather::output_tensor, &AllGather::subdevice_id,
                &AllGather::sub_core_grids, &AllGather::num_links, &AllGather::topology,
                &AllGather::chunks_per_sync, &AllGather::num_workers_per_link,
                &AllGather::num_buffers_per_channel>(),
        unrecorded_keyword<&AllGather::use_l1_small_for_semaphores>());
    Tensor call() const;
};

inline constexpr Operation<AllGather> all_gather;

/// The sum over all chips, of which each gets its part along `dim`: that dimension divided by the number of
/// chips, into whole tiles.
struct ReduceScatter {
    Tensor input_tensor{};  ///< INTERLEAVED, TILE layout, floating point
    int dim = 0;
    std::optional<int> cluster_axis{};  ///< 0: the chips of each column, 1: of each row
    Ignored subdevice_id{};
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    NotModelled intermediate_memory_config{};
    NotModelled output_tensor{};
    Ignored num_links{};
    Ignored topology{};
    Ignored chunks_per_sync{};
    Ignored num_workers_per_link{};
    Ignored num_buffers_per_channel{};
    Ignored compute_kernel_config{};
    bool use_l1_small_for_semaphores = false;  ///< has no effect

    static constexpr OperationInfo kOperation{
        "reduce_scatter",
        "The sum of the chips' tensors, of which each chip gets its part along dim. cluster_axis: 0: those of each column, "
        "1: of each row. What TT-NN is told about links, workers and sub-devices has no effect."};
    static constexpr auto kParameters =
        parameters(required<&ReduceScatter::input_tensor, &ReduceScatter::dim>(),
                   unrecorded_keyword<&ReduceScatter::cluster_axis>(),
                   keyword<&ReduceScatter::subdevice_id, &ReduceScatter::memory_config,
                           &ReduceScatter::intermediate_memory_config, &ReduceScatter::output_tensor,
                           &ReduceScatter::num_links, &ReduceScatter::topology,
                           &ReduceScatter::chunks_per_sync, &ReduceScatter::num_workers_per_link,
                           &ReduceScatter::num_buffers_per_channel, &ReduceScatter::compute_kernel_config>(),
                   unrecorded_keyword<&ReduceScatter::use_l1_small_for_semaphores>());
    Tensor call() const;
};

inline constexpr Operation<ReduceScatter> reduce_scatter;

/// The sum over all chips, on each: a reduce_scatter along the last dimension that the chips can share, then
/// an all_gather.
struct AllReduce {
    Tensor input_tensor{};
    std::optional<int> cluster_axis{};     ///< 0: the chips of each column, 1: of each row
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    Ignored subdevice_id{};
    Ignored num_links{};
    Ignored topology{};

    static constexpr OperationInfo kOperation{
        "all_reduce",
        "The sum of the chips' tensors, on every chip of the mesh. cluster_axis: 0: those of each column, "
        "1: of each row. What TT-NN is told about links, workers and sub-devices has no effect."};
    static constexpr auto kParameters =
        parameters(required<&AllReduce::input_tensor>(), unrecorded_keyword<&AllReduce::cluster_axis>(),
                   keyword<&AllReduce::memory_config, &AllReduce::subdevice_id, &AllReduce::num_links,
                           &AllReduce::topology>());

    /// Throws RuntimeError (also where no dimension can be shared), OutOfMemoryError.
    Tensor call() const;
};

inline constexpr Operation<AllReduce> all_reduce;

namespace unscoped {

/// The same without a scope of its own.
Tensor all_reduce(const Tensor& input, std::optional<int> cluster_axis, const MemoryConfig& memory_config);

}  // namespace unscoped

}  // namespace tilemeter
