// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Gradients that are shortened together, as moreh's, where their norm is too large.

#pragma once

#include <vector>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter {

/// Throws RuntimeError (dtype, layout, fewer than four dimensions, a norm that is not finite with error_if_nonfinite),
/// OutOfMemoryError.
struct MorehClipGradNorm {
    std::vector<Tensor> inputs{};  ///< written to
    float max_norm = 0.0F;
    float norm_type = 2.0F;
    bool error_if_nonfinite = false;
    OptionalTensor total_norm{};
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "moreh_clip_grad_norm",
        "The norm of all gradients together, [1, 1]; in place, each is multiplied by max_norm / (norm + 1e-6) where that is below 1. "
        "bfloat16, TILE."};
    static constexpr auto kParameters = parameters(
        required<&MorehClipGradNorm::inputs, &MorehClipGradNorm::max_norm>(),
        optional<&MorehClipGradNorm::norm_type, &MorehClipGradNorm::error_if_nonfinite>(),
        keyword<&MorehClipGradNorm::total_norm>().output(), keyword<&MorehClipGradNorm::memory_config>(),
        unrecorded_keyword<&MorehClipGradNorm::compute_kernel_config>());

    Tensor body() const;
};

inline constexpr Operation<MorehClipGradNorm> moreh_clip_grad_norm;

}  // namespace tilemeter
