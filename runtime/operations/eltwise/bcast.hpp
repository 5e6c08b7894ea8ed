// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The older operation of two tensors, of which the second has one row, one column, or one element.

#pragma once

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

enum class BcastOpMath : std::uint8_t { ADD, SUB, MUL };
enum class BcastOpDim : std::uint8_t { H, W, HW };

/// Up to four dimensions; rows are tilized first, the result is TILE. For HW tensors may lie in shards, else they are interleaved.
/// input_b: one tile high for H, wide for W, or both for HW (in rows also one element), of which the first row, column or element
/// is repeated; its first two dimensions are those of input_a or both 1.
struct Bcast {
    Tensor input_a{};
    Tensor input_b{};
    BcastOpMath math_op = BcastOpMath::ADD;
    BcastOpDim dim = BcastOpDim::H;
    OptionalMemoryConfig memory_config{};  ///< none: that of input_a
    OptionalTensor output_tensor{};

    static constexpr OperationInfo kOperation{
        "bcast", "input_b repeated along dim, added, subtracted or multiplied. Rows become tiles."};
    static constexpr auto kParameters = parameters(
        required<&Bcast::input_a, &Bcast::input_b>(), required<&Bcast::math_op, &Bcast::dim>().unrecorded(),
        keyword<&Bcast::memory_config>(), unrecorded_keyword<&Bcast::output_tensor>().output());
    Tensor body() const;
};
inline constexpr Operation<Bcast> bcast;

namespace unscoped {
Tensor bcast(const Tensor& input_a, const Tensor& input_b, BcastOpMath math_op, BcastOpDim dim,
             const MemoryConfig& memory_config);
}  // namespace unscoped

}  // namespace tilemeter
