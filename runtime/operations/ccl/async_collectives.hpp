// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// all_gather_async, reduce_scatter_minimal_async, all_reduce_async: collectives whose semaphores, and if wanted whose
// results, their caller keeps from call to call.
//
// They compute what those of collectives.hpp do, by programs of their own, which need no semaphores in L1. Chips are
// planned as a line, as TT-NN does unless its fabric is a ring.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

namespace internal {

constexpr const char* all_gather_async_name(bool reversed) {
    return reversed ? "experimental::all_gather_async_reversed" : "experimental::all_gather_async";
}

}  // namespace internal

/// As all_gather, by an AllGatherAsync program: for each link and direction a core that serves the link and
/// `num_workers_per_link` that send; one that does both where little is sent.
template <bool kReversed>
struct AllGatherAsync {
    static constexpr OperationInfo kOperation{
        internal::all_gather_async_name(kReversed),
        "The chips' tensors concatenated along dim, on every chip, by a program whose semaphores are given. Whole tiles along "
        "dim, INTERLEAVED. num_links: links between neighbours that are used, none: all of the board's; num_workers_per_link: "
        "cores that send over each, in each direction. What TT-NN is told beside that changes no memory. all_gather_async_reversed: the last chip's part first."};

    Tensor input_tensor{};
    int dim = 0;
    Ignored multi_device_global_semaphore{};
    std::optional<std::uint32_t> num_links{};
    OptionalMemoryConfig memory_config{};
    Ignored topology{};
    Ignored subdevice_id{};
    bool use_optimal_ccl_for_llama = false;  ///< has no effect
    Ignored barrier_semaphore{};
    NotModelled sub_core_grids{};
    std::optional<std::uint32_t> num_workers_per_link{};
    Ignored num_buffers_per_channel{};

    static constexpr auto kParameters = parameters(
        required<&AllGatherAsync::input_tensor, &AllGatherAsync::dim,
                 &AllGatherAsync::multi_device_global_semaphore>(),
        keyword<&AllGatherAsync::num_links, &AllGatherAsync::memory_config, &AllGatherAsync::topology,
                &AllGatherAsync::subdevice_id, &AllGatherAsync::use_optimal_ccl_for_llama,
                &AllGatherAsync::barrier_semaphore, &AllGatherAsync::sub_core_grids,
                &AllGatherAsync::num_workers_per_link, &AllGatherAsync::num_buffers_per_channel>());
    Tensor call() const;
};

/// The same into memory that is kept, among the chips of an axis.
template <bool kReversed>
struct AllGatherAsyncInto {
    static constexpr OperationInfo kOperation = AllGatherAsync<kReversed>::kOperation;

    Tensor input_tensor{};
    OptionalTensor persistent_output_buffer{};  ///< the tensor that the result is written to
    int dim = 0;
    Ignored multi_device_global_semaphore{};
    std::optional<std::uint32_t> num_links{};
    OptionalMemoryConfig memory_config{};
    Ignored topology{};
    Ignored subdevice_id{};
    std::optional<int> cluster_axis{};       ///< 0: the chips of each column, 1: of each row
    bool use_optimal_ccl_for_llama = false;  ///< has no effect
    bool use_broadcast = false;              ///< not modelled
    Ignored barrier_semaphore{};
    Ignored chunks_per_sync{};
    std::optional<std::uint32_t> num_workers_per_link{};
    Ignored num_buffers_per_channel{};
    NotModelled sub_core_grids{};

    static constexpr auto kParameters = parameters(
        required<&AllGatherAsyncInto::input_tensor>(),
        optional<&AllGatherAsyncInto::persistent_output_buffer>().output(),
        required<&AllGatherAsyncInto::dim, &AllGatherAsyncInto::multi_device_global_semaphore>(),
        keyword<&AllGatherAsyncInto::num_links, &AllGatherAsyncInto::memory_config,
                &AllGatherAsyncInto::topology, &AllGatherAsyncInto::subdevice_id,
                &AllGatherAsyncInto::cluster_axis, &AllGatherAsyncInto::use_optimal_ccl_for_llama,
                &AllGatherAsyncInto::use_broadcast, &AllGatherAsyncInto::barrier_semaphore,
                &AllGatherAsyncInto::chunks_per_sync, &AllGatherAsyncInto::num_workers_per_link,
                &AllGatherAsyncInto::num_buffers_per_channel, &AllGatherAsyncInto::sub_core_grids>());
    Tensor call() const;
};

/// The same along an axis of the mesh that is named.
template <bool kReversed>
struct AllGatherAsyncAlong {
    static constexpr OperationInfo kOperation = AllGatherAsync<kReversed>::kOperation;

    Tensor input_tensor{};
    int dim = 0;
    int cluster_axis = 0;
    Ignored mesh_device{};  ///< the input's
    Ignored topology{};
    Ignored multi_device_global_semaphore{};
    OptionalTensor persistent_output_tensor{};
    std::optional<std::uint32_t> num_links{};
    OptionalMemoryConfig memory_config{};
    Ignored subdevice_id{};
    bool use_optimal_ccl_for_llama = false;  ///< has no effect
    bool use_broadcast = false;              ///< not modelled
    Ignored barrier_semaphore{};
    NotModelled sub_core_grids{};
    std::optional<std::uint32_t> num_workers_per_link{};
    Ignored num_buffers_per_channel{};

    static constexpr auto kParameters = parameters(
        required<&AllGatherAsyncAlong::input_tensor, &AllGatherAsyncAlong::dim,
                 &AllGatherAsyncAlong::cluster_axis, &AllGatherAsyncAlong::mesh_device,
                 &AllGatherAsyncAlong::topology, &AllGatherAsyncAlong::multi_device_global_semaphore>(),
        keyword<&AllGatherAsyncAlong::persistent_output_tensor>().output(),
        keyword<&AllGatherAsyncAlong::num_links, &AllGatherAsyncAlong::memory_config,
                &AllGatherAsyncAlong::subdevice_id, &AllGatherAsyncAlong::use_optimal_ccl_for_llama,
                &AllGatherAsyncAlong::use_broadcast, &AllGatherAsyncAlong::barrier_semaphore,
                &AllGatherAsyncAlong::sub_core_grids, &AllGatherAsyncAlong::num_workers_per_link,
                &AllGatherAsyncAlong::num_buffers_per_channel>());
    Tensor call() const;
};

inline constexpr Operation<AllGatherAsync<false>> all_gather_async;
inline constexpr Operation<AllGatherAsyncInto<false>> all_gather_async_into;
inline constexpr Operation<AllGatherAsyncAlong<false>> all_gather_async_along;
inline constexpr Operation<AllGatherAsync<true>> all_gather_async_reversed;
inline constexpr Operation<AllGatherAsyncInto<true>> all_gather_async_reversed_into;
inline constexpr Operation<AllGatherAsyncAlong<true>> all_gather_async_reversed_along;

/// As reduce_scatter, by a ReduceScatterMinimalAsync program.
struct ReduceScatterMinimalAsync {
    Tensor input_tensor{};
    std::optional<std::vector<Tensor>> persistent_output_buffers{};  ///< sums of half the way, and the result
    int dim = 0;
    Ignored multi_device_global_semaphore{};
    Ignored barrier_semaphore{};
    std::optional<std::uint32_t> num_links{};
    OptionalMemoryConfig memory_config{};
    OptionalMemoryConfig
        intermediate_memory_config{};  ///< of the sums of half the way; none: that of the input
    Ignored topology{};
    Ignored subdevice_id{};
    std::optional<int> cluster_axis{};
    Ignored chunks_per_sync{};
    std::optional<std::uint32_t> num_workers_per_link{};
    Ignored num_buffers_per_channel{};
    Ignored compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "experimental::reduce_scatter_minimal_async",
        "The sum of the chips' tensors, of which each chip gets its part along dim, by a program whose semaphores are given. "
        "Whole tiles along dim, INTERLEAVED. persistent_output_buffers: the tensor of the sums of half the way, twice the "
        "first dimension, and the result's."};
    static constexpr auto kParameters = parameters(
        required<&ReduceScatterMinimalAsync::input_tensor>(),
        optional<&ReduceScatterMinimalAsync::persistent_output_buffers>(),
        required<&ReduceScatterMinimalAsync::dim,
                 &ReduceScatterMinimalAsync::multi_device_global_semaphore>(),
        keyword<&ReduceScatterMinimalAsync::barrier_semaphore, &ReduceScatterMinimalAsync::num_links,
                &ReduceScatterMinimalAsync::memory_config,
                &ReduceScatterMinimalAsync::intermediate_memory_config, &ReduceScatterMinimalAsync::topology,
                &ReduceScatterMinimalAsync::subdevice_id, &ReduceScatterMinimalAsync::cluster_axis,
                &ReduceScatterMinimalAsync::chunks_per_sync, &ReduceScatterMinimalAsync::num_workers_per_link,
                &ReduceScatterMinimalAsync::num_buffers_per_channel,
                &ReduceScatterMinimalAsync::compute_kernel_config>());
    Tensor call() const;
};

inline constexpr Operation<ReduceScatterMinimalAsync> reduce_scatter_minimal_async;

/// The sum over all chips, on each: a reduce_scatter_minimal_async along the last dimension that the chips can share, then
/// an all_gather_async.
struct AllReduceAsync {
    Tensor input_tensor{};
    Ignored num_devices{};
    Ignored barrier_semaphores{};
    Ignored rs_global_semaphores{};
    Ignored ag_global_semaphores{};
    Ignored math_op{};  ///< TT-NN sums, whatever is named
    OptionalMemoryConfig memory_config{};
    Ignored topology{};
    std::optional<std::uint32_t> num_links{};
    Ignored subdevice_id{};

    static constexpr OperationInfo kOperation{
        "experimental::all_reduce_async",
        "The sum of the chips' tensors, on every chip, by programs whose semaphores are given; without them as all_reduce."};
    static constexpr auto kParameters =
        parameters(required<&AllReduceAsync::input_tensor, &AllReduceAsync::num_devices,
                            &AllReduceAsync::barrier_semaphores, &AllReduceAsync::rs_global_semaphores,
                            &AllReduceAsync::ag_global_semaphores, &AllReduceAsync::math_op>(),
                   keyword<&AllReduceAsync::memory_config, &AllReduceAsync::topology,
                           &AllReduceAsync::num_links, &AllReduceAsync::subdevice_id>());
    Tensor call() const;
};

/// The same among the chips of an axis; without one of the semaphores as all_reduce.
struct AllReduceAsyncAlong {
    Tensor input_tensor{};
    std::optional<int> cluster_axis{};
    Ignored mesh_device{};
    GivenSemaphores barrier_semaphores{};
    GivenSemaphores rs_global_semaphores{};
    GivenSemaphores ag_global_semaphores{};
    Ignored math_op{};
    OptionalMemoryConfig memory_config{};
    Ignored topology{};
    std::optional<std::uint32_t> num_links{};
    Ignored subdevice_id{};

    static constexpr OperationInfo kOperation = AllReduceAsync::kOperation;
    static constexpr auto kParameters = parameters(
        required<&AllReduceAsyncAlong::input_tensor>(), optional<&AllReduceAsyncAlong::cluster_axis>(),
        required<&AllReduceAsyncAlong::mesh_device>(),
        optional<&AllReduceAsyncAlong::barrier_semaphores, &AllReduceAsyncAlong::rs_global_semaphores,
                 &AllReduceAsyncAlong::ag_global_semaphores>(),
        required<&AllReduceAsyncAlong::math_op>(),
        keyword<&AllReduceAsyncAlong::memory_config, &AllReduceAsyncAlong::topology,
                &AllReduceAsyncAlong::num_links, &AllReduceAsyncAlong::subdevice_id>());
    Tensor call() const;
};

inline constexpr Operation<AllReduceAsync> all_reduce_async;
inline constexpr Operation<AllReduceAsyncAlong> all_reduce_async_along;

}  // namespace tilemeter
