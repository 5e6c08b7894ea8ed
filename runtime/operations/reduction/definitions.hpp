// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The definitions of this family: who adds one adds it here.

#pragma once

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/reduction/accumulation.hpp"
#include "runtime/operations/reduction/argmax.hpp"
#include "runtime/operations/reduction/ema.hpp"
#include "runtime/operations/reduction/fast_reduce_nc.hpp"
#include "runtime/operations/reduction/losses.hpp"
#include "runtime/operations/reduction/moe.hpp"
#include "runtime/operations/reduction/prod.hpp"
#include "runtime/operations/reduction/prod_backward.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/operations/reduction/sampling.hpp"
#include "runtime/operations/reduction/topk.hpp"
#include "runtime/operations/reduction/topk_router.hpp"
#include "runtime/operations/reduction/variance.hpp"
#include "runtime/operations/reduction/variance_hw.hpp"

namespace tilemeter {

using ReductionDefinitions =
    Definitions<Argmax, Cumprod, Cumsum, Ema, L1Loss, ManualSeed, Max, Mean, Min, Moe, MorehCumsum,
                MorehCumsumBackward, MseLoss, Prod, ProdGradient, ProdInto, Sampling, StandardDeviationHw,
                Std, Sum, Topk, Var, VarianceHw, experimental::FastReduceNc, experimental::Intimg,
                experimental::TopkRouterGpt>;

}  // namespace tilemeter
