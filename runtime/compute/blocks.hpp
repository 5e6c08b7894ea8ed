// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations block by block: a part of the result that fits into a core's cache is computed in float32, from inputs that
// are converted for it alone, and rounded to the result's dtype. No array of floats is made in between.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "runtime/types/dtype.hpp"
#include "runtime/types/host_array.hpp"
#include "runtime/types/shape.hpp"

namespace tilemeter::compute {

/// Elements of a block, unless a row has more: so few that the floats of operands and result stay in the first cache.
inline constexpr std::size_t kBlockElements = 1024;

/// Calls `part(first, count)` for all elements below `size`, block by block, in several threads where they are many.
/// Blocks are whole rows of `row` elements. `steps`: for each element, in additions (parallel.hpp).
void parallel_blocks(std::uint64_t size, std::uint64_t row, std::uint64_t steps,
                     const std::function<void(std::uint64_t first, std::size_t count)>& part);

/// Floats of the calling thread for what a block needs besides its result, valid until the next call with that number
/// in this thread.
std::span<float> block_room(std::size_t number, std::size_t count);

/// An array of which `fill(first, block)` computes each block of `block.size()` elements from element `first` on, as
/// parallel_blocks() goes through them.
HostArray by_blocks(DataType dtype, const Shape& shape, std::uint64_t row, std::uint64_t steps,
                    const std::function<void(std::uint64_t first, std::span<float> block)>& fill);

/// An operand's elements at the places of a result to which it is broadcast.
class BroadcastOperand {
public:
    /// `array` outlives it. REQUIRES: its shape broadcasts to `out`.
    BroadcastOperand(const HostArray& array, const Shape& out);

    bool is_whole() const { return is_whole_; }

    /// For the places from `first` on; `room`: as many. The operand's own memory where it holds them as they are.
    const float* read(std::uint64_t first, std::span<float> room) const;

private:
    const HostArray& array_;
    bool is_whole_;                       // element for element
    std::vector<std::uint64_t> strides_;  // in elements of the operand; 0 where it is repeated
    std::vector<std::uint32_t> sizes_;    // of the result
};

/// by_blocks() of three operands: `fill(a, b, c, block)` gets as many elements of each as the block has.
HostArray by_blocks(
    DataType dtype, const Shape& shape, std::uint64_t steps, const std::array<const HostArray*, 3>& operands,
    const std::function<void(const float* a, const float* b, const float* c, std::span<float> block)>& fill);

/// HostArray::converted(), in several threads where the elements are many.
HostArray converted(const HostArray& array, DataType dtype);

}  // namespace tilemeter::compute
