// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter::internal {

/// The settings of rotary embeddings' programs unless a compute_kernel_config is given.
inline constexpr DeviceComputeKernelConfig kRotaryKernelConfig{MathFidelity::HiFi4, true, false, false,
                                                               false};

}  // namespace tilemeter::internal
