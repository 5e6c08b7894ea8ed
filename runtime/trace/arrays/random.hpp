// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Random numbers as functions of keys: equal keys draw equal numbers, in a trace, in its gradient and on any device.
//
//   const Array root = random::key(42);
//   const Array keys = random::split(root);                        // u32[2,2]: two keys
//   const Array noise = random::normal(index(keys, {0}), {3, 4});
//
// A key is an array u32[2], drawn from once; split() and fold_in() make new ones of it. reused_keys() finds those that
// were drawn from twice. Numbers come of threefry2x32 and equal JAX's to the bit, in both of its schemes:
//   partitionable   element i is a hash of i: a part of an array can be drawn without the rest
//   original        the older one; element i depends on the number of elements
//
// Derivatives take what is drawn as a constant. In reverse mode it is kept for the way back; inside of a checkpoint only
// the key is, and the way back draws again.
//
// Throw TraceError: kElementTypeMismatch and kShapeMismatch for what is no key, kBadArgument.
//
// Thread safety: as Array.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/trace/arrays/array.hpp"

namespace tilemeter::trace::random {

using ir::Integers;

enum class Scheme : std::uint8_t { kPartitionable, kOriginal };

/// The upper and the lower 32 bits of the seed; a seed of 32 bits or fewer has 0 above.
Array key(std::int64_t seed);
Array key(const Array& seed);

/// Keys of this shape: u32[shape..., 2].
Array split(const Array& key, const Integers& shape = {2}, Scheme scheme = Scheme::kPartitionable);
/// The key that belongs to a number, of which the lower 32 bits count.
Array fold_in(const Array& key, const Array& data);

/// Random bits as u8, u16, u32 or u64.
Array bits(const Array& key, const Integers& shape, ir::ElementType element = ir::ElementType::kU32,
           Scheme scheme = Scheme::kPartitionable);
/// From low, included, to high, excluded.
Array uniform(const Array& key, const Integers& shape, ir::ElementType element = ir::ElementType::kF32,
              const Array& low = 0.0, const Array& high = 1.0, Scheme scheme = Scheme::kPartitionable);
Array normal(const Array& key, const Integers& shape, ir::ElementType element = ir::ElementType::kF32,
             Scheme scheme = Scheme::kPartitionable);
/// True with probability p; drawn in p's element type.
Array bernoulli(const Array& key, const Array& p, const Integers& shape,
                Scheme scheme = Scheme::kPartitionable);
/// Integers of 32 or 64 bits from low, included, to high, excluded.
Array randint(const Array& key, const Integers& shape, std::int64_t low, std::int64_t high,
              ir::ElementType element = ir::ElementType::kI32, Scheme scheme = Scheme::kPartitionable);
/// 0 to n - 1 in another order, i64; or the rows of an array.
Array permutation(const Array& key, std::int64_t n, Scheme scheme = Scheme::kPartitionable);
Array permutation(const Array& key, const Array& rows, Scheme scheme = Scheme::kPartitionable);
/// Places along the axis of logits, i32, with probabilities as of softmax(); `shape`: of the draws, in front.
Array categorical(const Array& key, const Array& logits, std::int64_t axis = -1, const Integers& shape = {},
                  Scheme scheme = Scheme::kPartitionable);

/// A key that is drawn from, or split, a second time.
struct KeyReuse {
    std::string
        text;  ///< "random_uniform (at f.py:3): found a key that random_split (at f.py:2) has used, ..."
    ir::Location first, second;
};

/// The reused keys of a graph of calls, through its bodies. In a loop, a key from outside of it counts as used by each
/// trip; of branches only one is taken.
std::vector<KeyReuse> reused_keys(const ir::Graph& graph);

}  // namespace tilemeter::trace::random
