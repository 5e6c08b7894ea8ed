// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The definitions of this family: who adds one adds it here.

#pragma once

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/normalization/batch_norm.hpp"
#include "runtime/operations/normalization/distributed_norm.hpp"
#include "runtime/operations/normalization/group_norm.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "runtime/operations/normalization/wan_rms_norm.hpp"

namespace tilemeter {

using NormalizationDefinitions =
    Definitions<BatchNorm, GroupNorm, LayerNorm, LayerNormPreAllGather, LayerNormPostAllGather, RmsNorm,
                RmsNormPreAllGather, RmsNormPostAllGather, Softmax, SoftmaxInPlace, ScaleMaskSoftmax,
                ScaleMaskSoftmaxInPlace, ScaleCausalMaskHwDimsSoftmaxInPlace,
                experimental::DitRmsNormUnaryFused, experimental::WanRmsNormPreAllGather,
                experimental::WanRmsNormPostAllGather, transformer::AttentionSoftmax,
                transformer::AttentionSoftmaxInPlace>;

}  // namespace tilemeter
