// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The halo by itself, which convolutions and poolings make as their first step.

#pragma once

#include "runtime/operations/sliding_window/internal/sliding_window.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

struct HaloRequest {
    SlidingWindow window;
    float pad_value = 0.0F;
    bool tables_in_dram = false;
    DeviceComputeKernelConfig compute_config;  ///< of what reads the halo
};

/// Throws RuntimeError for a window without a place, tensors without shards and on the host.
Tensor halo(const Tensor& input, const HaloRequest& request);

}  // namespace tilemeter
