// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The definitions of this family: who adds one adds it here. moreh_cumsum and its gradient are among those of
// the family reduction.

#pragma once

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/moreh/moreh_clip_grad_norm.hpp"
#include "runtime/operations/moreh/moreh_creation.hpp"
#include "runtime/operations/moreh/moreh_getitem.hpp"
#include "runtime/operations/moreh/moreh_group_norm.hpp"
#include "runtime/operations/moreh/moreh_layer_norm.hpp"
#include "runtime/operations/moreh/moreh_matmul.hpp"
#include "runtime/operations/moreh/moreh_matmul_backward.hpp"
#include "runtime/operations/moreh/moreh_nll_loss.hpp"
#include "runtime/operations/moreh/moreh_optimizers.hpp"
#include "runtime/operations/moreh/moreh_reductions.hpp"
#include "runtime/operations/moreh/moreh_softmax.hpp"
#include "runtime/operations/moreh/repeat_backward.hpp"

namespace tilemeter {

using MorehDefinitions =
    Definitions<MorehAbsPow, MorehAdam, MorehAdamW, MorehArange, MorehBmm, MorehBmmBackward,
                MorehClipGradNorm, MorehDot, MorehDotBackward, MorehFold, MorehFull, MorehFullLike,
                MorehGetItem, MorehGroupNorm, MorehGroupNormBackward, MorehLayerNorm, MorehLayerNormBackward,
                MorehLinear, MorehLinearBackward, MorehLogSoftmax, MorehLogSoftmaxBackward, MorehMatmul,
                MorehMatmulBackward, MorehMean, MorehMeanBackward, MorehNllLoss, MorehNllLossBackward,
                MorehNllLossUnreducedBackward, MorehNorm, MorehNormBackward, MorehSgd, MorehSoftmax,
                MorehSoftmaxBackward, MorehSoftmin, MorehSoftminBackward, MorehSum, MorehSumBackward,
                RepeatGradient>;

}  // namespace tilemeter
