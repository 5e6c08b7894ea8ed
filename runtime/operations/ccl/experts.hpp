// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Fused programs for experts and norms over several chips, which are named and not modelled: what their circular buffers
// are follows from placements of cores that differ by board, and no mock device runs them. A call says so in one line,
// so that a client that has them among others links, and runs whatever calls none of them.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

/// An rms_norm of rows that several chips share, its sums gathered within the program.
struct FusedRmsMinimal {
    using Self = FusedRmsMinimal;
    Tensor input_tensor{};
    Ignored program_config{};
    int cluster_axis = 0;
    Ignored mesh_device{};
    Ignored global_semaphore{};
    OptionalTensor persistent_output_tensor{};
    std::optional<std::uint32_t> num_links{};
    Ignored topology{};
    Ignored subdevice_id{};
    OptionalDataType dtype{};
    Ignored compute_kernel_config{};
    OptionalMemoryConfig memory_config{};
    OptionalTensor residual_input_tensor{};
    float epsilon = 1e-12F;
    OptionalTensor weight{};
    OptionalTensor stats{};
    bool use_noc1_only = false;

    static constexpr OperationInfo kOperation{
        "fused_rms_minimal", "rms_norm of rows that chips share, in one program. Not modelled: refused."};
    static constexpr auto kParameters =
        parameters(required<&Self::input_tensor, &Self::program_config, &Self::cluster_axis,
                            &Self::mesh_device, &Self::global_semaphore>(),
                   keyword<&Self::persistent_output_tensor>().output(),
                   keyword<&Self::num_links, &Self::topology, &Self::subdevice_id, &Self::dtype,
                           &Self::compute_kernel_config, &Self::memory_config, &Self::residual_input_tensor,
                           &Self::epsilon, &Self::weight, &Self::stats, &Self::use_noc1_only>());
    Tensor call() const;
};

inline constexpr Operation<FusedRmsMinimal> fused_rms_minimal;

namespace experimental {

/// all_to_all_dispatch with the tokens' scores, into memory that is kept.
struct AllToAllDispatchMetadata {
    using Self = AllToAllDispatchMetadata;
    Tensor input_tensor{}, expert_indices_tensor{}, expert_scores_tensor{}, expert_mapping_tensor{};
    Ignored shared_expert_ids{};
    std::optional<int> cluster_axis{};
    std::optional<std::vector<Tensor>> output_tensors{};
    std::optional<std::uint32_t> num_links{};
    Ignored drain_sync_tilizer_core{};
    Ignored worker_mode{};
    Ignored dispatch_algorithm{};
    OptionalCores worker_core_range_set{};
    OptionalCores mux_core_range_set{};
    Ignored cross_device_semaphore{};

    static constexpr OperationInfo kOperation{
        "experimental::all_to_all_dispatch_metadata",
        "all_to_all_dispatch with the tokens' scores. Not modelled: refused."};
    static constexpr auto kParameters = parameters(
        required<&Self::input_tensor, &Self::expert_indices_tensor, &Self::expert_scores_tensor,
                 &Self::expert_mapping_tensor>(),
        keyword<&Self::shared_expert_ids, &Self::cluster_axis, &Self::output_tensors, &Self::num_links,
                &Self::drain_sync_tilizer_core, &Self::worker_mode, &Self::dispatch_algorithm,
                &Self::worker_core_range_set, &Self::mux_core_range_set, &Self::cross_device_semaphore>());
    std::vector<Tensor> call() const;
};

inline constexpr Operation<AllToAllDispatchMetadata> all_to_all_dispatch_metadata;

/// Experts of a chip, from dispatched tokens to combined results.
struct MoeCompute {
    using Self = MoeCompute;
    Tensor tilize_input_tensor{}, tilize_expert_indices_tensor{}, tilize_expert_scores_tensor{},
        tilize_expert_mapping_tensor{}, matmul_w0_w1_tensor{}, matmul_w2_tensor{};
    std::uint32_t layer_id = 0;
    std::uint32_t output_height_shard_dim = 0;
    std::uint32_t intermediate_size = 0;
    bool has_bias = false;
    std::optional<int> cluster_axis{};
    Ignored topology{};
    std::optional<std::uint32_t> num_links{};
    OptionalCores mux_core_range_set{};
    OptionalMemoryConfig output_memory_config{};
    OptionalTensor optional_output_tensor{};
    Ignored optional_cross_device_semaphore{};
    Ignored activation_type{};
    bool compute_only = false;
    std::optional<std::uint32_t> num_shared_experts_per_device{};
    std::optional<float> activation_limit{};
    Ignored math_fidelity{};
    bool fp32_dest_acc_en = false;

    static constexpr OperationInfo kOperation{
        "experimental::moe_compute", "The experts of a chip, in one program. Not modelled: refused."};
    static constexpr auto kParameters = parameters(
        required<&Self::tilize_input_tensor, &Self::tilize_expert_indices_tensor,
                 &Self::tilize_expert_scores_tensor, &Self::tilize_expert_mapping_tensor,
                 &Self::matmul_w0_w1_tensor, &Self::matmul_w2_tensor>(),
        required_keyword<&Self::layer_id, &Self::output_height_shard_dim, &Self::intermediate_size>(),
        keyword<&Self::has_bias, &Self::cluster_axis, &Self::topology, &Self::num_links,
                &Self::mux_core_range_set, &Self::output_memory_config>(),
        keyword<&Self::optional_output_tensor>().output(),
        keyword<&Self::optional_cross_device_semaphore, &Self::activation_type, &Self::compute_only,
                &Self::num_shared_experts_per_device, &Self::activation_limit, &Self::math_fidelity,
                &Self::fp32_dest_acc_en>());
    std::vector<Tensor> call() const;
};

inline constexpr Operation<MoeCompute> moe_compute;

/// The same for one model.
struct MoeGpt {
    using Self = MoeGpt;
    Tensor input_tensor{}, expert_indices{}, expert_scores{}, expert_mapping{}, w0_w1_tensor{}, w2_tensor{};
    std::uint32_t output_height_shard_dim = 4;
    std::uint32_t output_width_shard_dim = 3;
    std::uint32_t hidden_size = 2880;
    std::optional<int> cluster_axis{};

    static constexpr OperationInfo kOperation{
        "experimental::moe_gpt", "The experts of a chip, in one program. Not modelled: refused."};
    static constexpr auto kParameters =
        parameters(required<&Self::input_tensor>(),
                   required_keyword<&Self::expert_indices, &Self::expert_scores, &Self::expert_mapping,
                                    &Self::w0_w1_tensor, &Self::w2_tensor>(),
                   keyword<&Self::output_height_shard_dim, &Self::output_width_shard_dim, &Self::hidden_size,
                           &Self::cluster_axis>());
    std::vector<Tensor> call() const;
};

inline constexpr Operation<MoeGpt> moe_gpt;

/// all_to_all_combine of what moe_gpt leaves.
struct SelectiveReduceCombine {
    using Self = SelectiveReduceCombine;
    Tensor dense_input_tensor{}, dense_activations_tensor{}, dense_token_maps_tensor{},
        dense_token_counts_tensor{};
    std::uint32_t hidden_size = 0, batch_size = 0, seq_size = 0, select_experts_k = 0;
    std::optional<int> cluster_axis{};
    Ignored topology{};
    std::uint32_t num_links = 0, token_parallel_core_dim = 0, data_parallel_core_dim = 0;
    Ignored worker_cores{};
    OptionalCores mux_core_range_set{};
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};
    Ignored optional_cross_device_semaphore{};

    static constexpr OperationInfo kOperation{
        "experimental::selective_reduce_combine",
        "all_to_all_combine of what the experts of moe_gpt leave. Not modelled: refused."};
    static constexpr auto kParameters = parameters(
        required<&Self::dense_input_tensor, &Self::dense_activations_tensor, &Self::dense_token_maps_tensor,
                 &Self::dense_token_counts_tensor, &Self::hidden_size, &Self::batch_size, &Self::seq_size,
                 &Self::select_experts_k, &Self::cluster_axis, &Self::topology, &Self::num_links,
                 &Self::token_parallel_core_dim, &Self::data_parallel_core_dim, &Self::worker_cores,
                 &Self::mux_core_range_set>(),
        keyword<&Self::memory_config>(), keyword<&Self::output_tensor>().output(),
        keyword<&Self::optional_cross_device_semaphore>());
    Tensor call() const;
};

inline constexpr Operation<SelectiveReduceCombine> selective_reduce_combine;

}  // namespace experimental

}  // namespace tilemeter
