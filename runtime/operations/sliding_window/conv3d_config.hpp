// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Parameters of the program of a convolution of volumes: TT-NN's structure, names and defaults.

#pragma once

#include <array>
#include <cstdint>

#include "runtime/types/core_range.hpp"
#include "runtime/types/dtype.hpp"
#include "runtime/types/memory_config.hpp"

namespace tilemeter {

struct Conv3dConfig {
    DataType weights_dtype = DataType::BFLOAT16;
    Layout output_layout = Layout::ROW_MAJOR;
    std::uint32_t T_out_block = 1;  ///< places of the result that a core makes at a time
    std::uint32_t W_out_block = 1;
    std::uint32_t H_out_block = 1;
    std::uint32_t C_out_block = 0;  ///< 0: all channels
    std::uint32_t C_in_block = 0;   ///< 0: as few as fill tiles; several cores add up what they have
    std::array<std::uint32_t, 3> dilation{1, 1, 1};
    std::uint32_t alignment = 32;
    CoreCoord compute_with_storage_grid_size{1, 1};
    bool enable_fp32_operand_split = false;
    friend bool operator==(const Conv3dConfig&, const Conv3dConfig&) = default;
};

}  // namespace tilemeter
