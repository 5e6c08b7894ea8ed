// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions of one bfloat16 as tables: there are only 65,536 arguments, and a look-up takes less time than all but the
// simplest functions. The same values as without: a table is filled by the functions themselves.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "runtime/compute/unary.hpp"

namespace tilemeter::compute {

/// Functions one after the other, from the first on.
using FunctionChain = std::vector<std::pair<UnaryKind, UnaryParameters>>;

/// results[i]: of the bfloat16 with the bits i, rounded to bfloat16.
struct FunctionTable {
    std::vector<std::uint16_t> results;
};

/// The chain's table; null where `elements` more do not make it worth its 128 KiB and the time to fill it: for functions
/// of one instruction and for those that were computed of few elements so far. The last 16 tables are kept.
std::shared_ptr<const FunctionTable> table_for(const FunctionChain& chain, std::uint64_t elements);

/// In the calling thread. REQUIRES: `to` and `bfloat16` are equally long.
void look_up(const FunctionTable& table, std::span<const std::uint16_t> bfloat16, std::uint16_t* to);

/// The cost of a look-up for an element, in additions.
inline constexpr std::uint64_t kStepsOfLookUp = 3;

}  // namespace tilemeter::compute
