// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// moe_expert_token_remap, moe_routing_remap: of numbers of all experts those of the chip's own. B users, S tokens of each, E
// experts, K of them for each token. All throw RuntimeError, OutOfMemoryError.

#pragma once

#include <cstdint>
#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

/// Scores [1, B, S, E] -> [1, B, S, experts of the chip]: those of the experts that the token has, zeros for others. And
/// [1, 1, B * S / reduction_size, experts of the chip], UINT16: 1 where any of so many tokens has the expert.
struct MoeExpertTokenRemap {
    Tensor topk_tensor{};  ///< ROW_MAJOR
    Tensor
        expert_mapping_tensor{};  ///< [1, 1, E, chips of the mesh], UINT16, ROW_MAJOR: 1 where a chip has an expert
    Tensor expert_metadata_tensor{};       ///< [1, B, S, K], UINT16, ROW_MAJOR: the experts of each token
    OptionalMemoryConfig memory_config{};  ///< none: DRAM interleaved
    OptionalTensor optional_output_mapping_tensor{};
    OptionalTensor optional_output_reduced_tensor{};
    std::uint32_t reduction_size = 16;  ///< divides B * S

    static constexpr OperationInfo kOperation{
        "moe_expert_token_remap",
        "Scores of all experts [1, B, S, E] -> of the chip's experts [1, B, S, E / chips], and whether any of reduction_size "
        "tokens has the expert."};
    static constexpr auto kParameters =
        parameters(required<&MoeExpertTokenRemap::topk_tensor, &MoeExpertTokenRemap::expert_mapping_tensor,
                            &MoeExpertTokenRemap::expert_metadata_tensor>(),
                   keyword<&MoeExpertTokenRemap::memory_config>(),
                   keyword<&MoeExpertTokenRemap::optional_output_mapping_tensor,
                           &MoeExpertTokenRemap::optional_output_reduced_tensor>()
                       .output(),
                   keyword<&MoeExpertTokenRemap::reduction_size>());
    std::vector<Tensor> body() const;
};

inline constexpr Operation<MoeExpertTokenRemap> moe_expert_token_remap;

/// Weights [1, E], of which non_zero_weight_size are not 0: those that are the chip's share of these, in their places.
struct MoeRoutingRemap {
    Tensor routing_weights_tensor{};  ///< ROW_MAJOR
    std::uint32_t non_zero_weight_size = 0;
    std::uint32_t expert_parallel_size = 0;  ///< the chips that share them, along cluster_axis
    std::uint32_t cluster_axis = 0;
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    OptionalTensor optional_output_tensor{};

    static constexpr OperationInfo kOperation{
        "moe_routing_remap",
        "Of the weights [1, E] that are not 0 the share of the chip, zeros for the others: equal shares, in order, for the chips "
        "along cluster_axis."};
    static constexpr auto kParameters =
        parameters(required<&MoeRoutingRemap::routing_weights_tensor, &MoeRoutingRemap::non_zero_weight_size,
                            &MoeRoutingRemap::expert_parallel_size, &MoeRoutingRemap::cluster_axis>(),
                   keyword<&MoeRoutingRemap::memory_config>(),
                   keyword<&MoeRoutingRemap::optional_output_tensor>().output());
    Tensor body() const;
};

inline constexpr Operation<MoeRoutingRemap> moe_routing_remap;

}  // namespace tilemeter
