// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The definitions of this family: who adds one adds it here.

#pragma once

#include "runtime/operations/ccl/async_collectives.hpp"
#include "runtime/operations/ccl/collectives.hpp"
#include "runtime/operations/ccl/experts.hpp"
#include "runtime/operations/ccl/token_exchange.hpp"
#include "runtime/operations/ccl/transfers.hpp"
#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

using CclDefinitions =
    Definitions<AllGather, AllReduce, ReduceScatter, AllGatherAsync<false>, AllGatherAsyncInto<false>,
                AllGatherAsyncAlong<false>, AllGatherAsync<true>, AllGatherAsyncInto<true>,
                AllGatherAsyncAlong<true>, ReduceScatterMinimalAsync, AllReduceAsync, AllReduceAsyncAlong,
                AllBroadcast, Broadcast, MeshPartition, PointToPoint, AllToAllDispatch, AllToAllCombine,
                FusedRmsMinimal, experimental::AllToAllDispatchMetadata, experimental::MoeCompute,
                experimental::MoeGpt, experimental::SelectiveReduceCombine>;

}  // namespace tilemeter
