// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// all_to_all_dispatch, all_to_all_combine: tokens to the chips that have their experts, and what the experts made of them
// back. Names of sizes: B users of all chips that exchange, S tokens of each, H numbers of a token, K experts of each
// token, E experts. All tensors are ROW_MAJOR, INTERLEAVED. All throw RuntimeError, OutOfMemoryError.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

/// Tokens [B / chips, 1, S, H] of each chip -> [1, B, S, H]: those that have an expert on the chip, in the places they have
/// among all; the other places hold nothing. Beside them the experts of all tokens, [1, B, S, K].
struct AllToAllDispatch {
    Tensor input_tensor{};
    Tensor expert_indices_tensor{};  ///< [B / chips, 1, S, K], UINT16: the experts of each token
    Tensor expert_mapping_tensor{};  ///< [1, 1, E, chips of the mesh], UINT16: 1 where a chip has an expert
    std::optional<int> cluster_axis{};  ///< 0: among the chips of each column, 1: of each row
    std::optional<std::vector<Tensor>> output_tensors{};
    std::optional<std::uint32_t> num_links{};  ///< none: 1
    Ignored topology{};
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    Ignored subdevice_id{};
    std::optional<std::uint32_t> output_concat_dim = 1;  ///< 2: [1, B / chips, S * chips, H]

    static constexpr OperationInfo kOperation{
        "all_to_all_dispatch",
        "Tokens [B / chips, 1, S, H] to the chips that have their experts: [1, B, S, H] on each, and the experts of all "
        "tokens [1, B, S, K]. expert_indices_tensor [B / chips, 1, S, K], expert_mapping_tensor [1, 1, E, chips]: UINT16."};
    static constexpr auto kParameters = parameters(
        required<&AllToAllDispatch::input_tensor, &AllToAllDispatch::expert_indices_tensor,
                 &AllToAllDispatch::expert_mapping_tensor>(),
        keyword<&AllToAllDispatch::cluster_axis, &AllToAllDispatch::output_tensors,
                &AllToAllDispatch::num_links, &AllToAllDispatch::topology, &AllToAllDispatch::memory_config,
                &AllToAllDispatch::subdevice_id, &AllToAllDispatch::output_concat_dim>());
    std::vector<Tensor> body() const;
};

inline constexpr Operation<AllToAllDispatch> all_to_all_dispatch;

/// The inverse: what the experts of each chip made of tokens, [experts of the chip, B, S, H], or [1, B, S, H] of all of them
/// together -> [K, B / chips, S, H]: of each token of the chip what its expert k made; zeros where none did.
struct AllToAllCombine {
    Tensor input_tensor{};            ///< BFLOAT16
    Tensor expert_metadata_tensor{};  ///< [1, B, S, K], UINT16: the experts of all tokens
    Tensor expert_mapping_tensor{};   ///< [1, 1, E, chips of the mesh], UINT16
    bool local_reduce = false;        ///< the chip's experts are added up already: at the first k of them
    std::optional<std::uint32_t> output_shard_dim = 1;  ///< 2: [K, B, S / chips, H]
    std::optional<int> cluster_axis{};                  ///< must be given
    Ignored subdevice_id{};
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    OptionalTensor output_tensor{};
    std::optional<std::uint32_t> num_links{};  ///< none: all of the board's
    Ignored topology{};

    static constexpr OperationInfo kOperation{
        "all_to_all_combine",
        "What experts made of tokens [experts of the chip, B, S, H] back to the chips of the tokens: [K, B / chips, S, H]. "
        "expert_metadata_tensor [1, B, S, K], expert_mapping_tensor [1, 1, E, chips]: UINT16."};
    static constexpr auto kParameters =
        parameters(required<&AllToAllCombine::input_tensor, &AllToAllCombine::expert_metadata_tensor,
                            &AllToAllCombine::expert_mapping_tensor>(),
                   keyword<&AllToAllCombine::local_reduce, &AllToAllCombine::output_shard_dim,
                           &AllToAllCombine::cluster_axis, &AllToAllCombine::subdevice_id,
                           &AllToAllCombine::memory_config>(),
                   keyword<&AllToAllCombine::output_tensor>().output(),
                   keyword<&AllToAllCombine::num_links, &AllToAllCombine::topology>());
    Tensor body() const;
};

inline constexpr Operation<AllToAllCombine> all_to_all_combine;

}  // namespace tilemeter
