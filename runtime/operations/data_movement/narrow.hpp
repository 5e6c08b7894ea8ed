// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// narrow: a range of a tensor along one dimension, in the tensor's own memory.

#pragma once

#include <cstdint>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

/// The range as a view: nothing is copied, what is written to one of both is seen in the other, and freeing one frees both.
///
/// DRAM interleaved: along the first dimension that is longer than 1, from a page on that lies in the first bank.
/// L1 sharded: whole shards, or the same part of each shard that has elements of the range. Elements are counted
/// with the padding of tiles; along the last two dimensions of tiles start and length are multiples of 32.
struct Narrow {
    Tensor input_tensor{};   ///< on a device, unless the range is all of it
    std::int64_t dim = 0;    ///< below 0: counted from the last
    std::int64_t start = 0;  ///< below 0: counted from the end
    std::uint32_t length = 0;

    static constexpr OperationInfo kOperation{
        "narrow",
        "Elements start to start + length - 1 along dim as a view of the same memory. DRAM interleaved: dim is the first "
        "longer than 1. L1 sharded: whole shards or the same part of each."};
    static constexpr auto kParameters =
        parameters(required<&Narrow::input_tensor, &Narrow::dim, &Narrow::start, &Narrow::length>());

    /// Throws RuntimeError for a range that is not there or does not lie so.
    Tensor body() const;
};

inline constexpr Operation<Narrow> narrow;

}  // namespace tilemeter
