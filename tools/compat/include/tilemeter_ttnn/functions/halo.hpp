// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The halo by itself, which convolutions and poolings make as their first step.

#pragma once

#include <cstdint>

#include "tilemeter_ttnn/configs.hpp"
#include "tilemeter_ttnn/sliding_window.hpp"
#include "tilemeter_ttnn/tensor.hpp"

namespace ttnn {

/// On each core the rows that its windows read, those of its neighbours and padding among them. `pad_val`: bits of a bfloat16
/// that stand where the padding is. Throws std::runtime_error for tensors without shards, and for windows without a place.
Tensor halo(const Tensor& input_tensor, const operations::sliding_window::SlidingWindowConfig& config,
            const ComputeKernelConfig& compute_kernel_config, std::uint32_t pad_val = 0,
            bool remote_read = false, bool transpose_mcast = true, bool is_out_tiled = true,
            bool config_tensors_in_dram = false);

}  // namespace ttnn
