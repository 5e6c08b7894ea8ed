// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// fast_reduce_nc, intimg: sums along dimensions outside of the tiles, without moving anything, and of images.

#pragma once

#include <cstdint>
#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter::experimental {

struct FastReduceNc {
    Tensor input{};  ///< TILE, floating point
    /// Any but the last two, which become those of the padded shape, as TT-NN has it.
    std::vector<std::int32_t> dims{};
    OptionalTensor output{};
    MemoryConfig memory_config = DRAM_MEMORY_CONFIG;
    Ignored compute_kernel_config{};
    OptionalCores sub_core_grids{};

    static constexpr OperationInfo kOperation{
        "experimental::fast_reduce_nc", "Sums along dims, any but the last two, which stay as 1. TILE."};
    static constexpr auto kParameters =
        parameters(required<&FastReduceNc::input>(), keyword<&FastReduceNc::dims>(),
                   unrecorded_keyword<&FastReduceNc::output>().output(),
                   keyword<&FastReduceNc::memory_config, &FastReduceNc::compute_kernel_config>(),
                   unrecorded_keyword<&FastReduceNc::sub_core_grids>());
    Tensor body() const;
};

struct Intimg {
    Tensor input_tensor{};  ///< [1, H, W, C], TILE, BFLOAT16 or FLOAT32

    static constexpr OperationInfo kOperation{
        "experimental::intimg",
        "Integral images: [1, H, W, C] summed over all rows and columns up to each place. TILE."};
    static constexpr auto kParameters = parameters(required<&Intimg::input_tensor>());
    Tensor body() const;
};

inline constexpr Operation<FastReduceNc> fast_reduce_nc;
inline constexpr Operation<Intimg> intimg;

}  // namespace tilemeter::experimental
