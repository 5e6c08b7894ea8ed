// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The definitions of this family: who adds one adds it here. Of several with one name Python tries the first
// one first.

#pragma once

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/data_movement/bitcast.hpp"
#include "runtime/operations/data_movement/broadcast_to.hpp"
#include "runtime/operations/data_movement/concat.hpp"
#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/data_movement/example.hpp"
#include "runtime/operations/data_movement/fill_padding.hpp"
#include "runtime/operations/data_movement/gather.hpp"
#include "runtime/operations/data_movement/index_fill.hpp"
#include "runtime/operations/data_movement/indexed_fill.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/moe_remap.hpp"
#include "runtime/operations/data_movement/move.hpp"
#include "runtime/operations/data_movement/narrow.hpp"
#include "runtime/operations/data_movement/nonzero.hpp"
#include "runtime/operations/data_movement/pad.hpp"
#include "runtime/operations/data_movement/partial_sharding.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/plus_one.hpp"
#include "runtime/operations/data_movement/repeat.hpp"
#include "runtime/operations/data_movement/repeat_interleave.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/reshape_on_device.hpp"
#include "runtime/operations/data_movement/roll.hpp"
#include "runtime/operations/data_movement/scatter.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/data_movement/sort.hpp"
#include "runtime/operations/data_movement/stack.hpp"
#include "runtime/operations/data_movement/typecast.hpp"

namespace tilemeter {

// clang-format off
using DataMovementDefinitions = Definitions<
    Assign, AssignToMemory,
    Bitcast,
    Chunk,
    Clone,
    CompositeExample, CompositeExampleMultipleReturn,
    Concat,
    Copy,
    Expand,
    FillImplicitTilePadding,
    FillOnesRm,
    FillRm,
    Gather,
    IndexFill,
    IndexedFill,
    InterleavedToSharded, InterleavedToShardsOfShape,
    InterleavedToShardedPartial,
    MoeExpertTokenRemap, MoeRoutingRemap,
    Move,
    Narrow,
    Nonzero,
    Pad, PadToShape,
    Permute, PermuteWithPadValue,
    PlusOne,
    Reallocate,
    Repeat,
    RepeatInterleave,
    Reshape, ReshapeWithPadding, ReshapeByNumbers,
    ReshapeOnDevice,
    Reshard,
    Roll,
    Scatter,
    ScatterAdd,
    ShardedToInterleaved,
    ShardedToInterleavedPartial,
    Slice, SliceByOtherNames, SliceByTensors,
    Sort,
    Split,
    Squeeze,
    Stack,
    Tilize,
    TilizeWithValPadding,
    TilizeWithZeroPadding,
    ToLayout,
    ToMemoryConfig,
    TosaGather,
    TosaScatter,
    Transpose, TransposeWithPadValue,
    Typecast, TypecastBetween,
    Unsqueeze,
    UnsqueezeTo4D,
    Untilize,
    UntilizeWithUnpadding,
    ViewByNumbers, View,
    experimental::BroadcastTo,
    experimental::Typecast,
    experimental::ViewByNumbers, experimental::View, experimental::ViewInFour>;
// clang-format on

}  // namespace tilemeter
