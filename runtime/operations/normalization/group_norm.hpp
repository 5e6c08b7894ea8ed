// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// group_norm: normalization over groups of channels, mean and variance of each image and group.
//
// The input is bfloat16 in height or block shards of L1, with whole groups and whole tiles of rows, and needs
// an input_mask; the result is in the same shards, or, inplace, over the input (ROW_MAJOR only). Or the input
// is interleaved, in TILE, bfloat16 or float32 (internal/group_norm_interleaved.hpp), with inplace=False;
// core_grid, num_out_blocks and use_welford count only there.
//
// Not modelled, refused: interleaved ROW_MAJOR, as many images as rows of cores or more, negative masks,
// Welford's algorithm and float32 in shards, shards without mask.

#pragma once

#include <cstdint>
#include <optional>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/matmul/matmul_program_config.hpp"

namespace tilemeter {

struct GroupNorm {
    Tensor input_tensor{};  ///< [images, 1, height * width, channels]
    std::uint32_t num_groups = 1;
    float epsilon = 1e-12F;
    OptionalTensor input_mask{};  ///< [1, groups, 32, 32 * tiles of a group], TILE
    OptionalTensor weight{};      ///< [1, 1, n, 32] ROW_MAJOR: channels of each column of cores, padded to 32
    OptionalTensor bias{};
    OptionalMemoryConfig memory_config{};
    Ignored dtype{};
    std::optional<CoreGrid> core_grid{};
    bool inplace = true;
    std::optional<Layout> output_layout{};  ///< the input's unless given
    std::optional<std::int32_t> num_out_blocks{};
    Ignored compute_kernel_config{};
    OptionalTensor negative_mask{};  ///< refused
    bool use_welford = false;

    static constexpr OperationInfo kOperation{
        "group_norm",
        "(x - mean) / sqrt(variance + epsilon) * weight + bias over the pixels of an image and the channels "
        "of a group. Input [images, 1, height * width, channels] in height or block shards, or interleaved "
        "in TILE (inplace=False)."};
    static constexpr auto kParameters =
        parameters(required<&GroupNorm::input_tensor>(), required_keyword<&GroupNorm::num_groups>(),
                   keyword<&GroupNorm::epsilon, &GroupNorm::input_mask, &GroupNorm::weight, &GroupNorm::bias,
                           &GroupNorm::memory_config, &GroupNorm::dtype>(),
                   unrecorded_keyword<&GroupNorm::core_grid>(), keyword<&GroupNorm::inplace>(),
                   unrecorded_keyword<&GroupNorm::output_layout, &GroupNorm::num_out_blocks>(),
                   keyword<&GroupNorm::compute_kernel_config>(),
                   unrecorded_keyword<&GroupNorm::negative_mask, &GroupNorm::use_welford>());
    Tensor call() const;
};

inline constexpr Operation<GroupNorm> group_norm;

}  // namespace tilemeter
