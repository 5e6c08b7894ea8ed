// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The operations of a state space model (Mamba): experimental.repeat_and_interleave_eltwise_mul,
// experimental.hc_sum_reduce, experimental.prefix_scan.
//
// L: rows, of users or tokens, a multiple of 32. 32 states for each of the hidden size's columns lie beside each other.

#pragma once

#include "runtime/operations/core/definition.hpp"

namespace tilemeter::experimental {

struct RepeatAndInterleaveEltwiseMul {
    Tensor a{};  ///< [1, 1, L, 32], repeated 5,120 times, or [1, 1, L, 32 * 5120]
    Tensor b{};  ///< [1, 1, L, 5120], each element repeated 32 times, or [1, 1, L, 32 * 5120]
    OptionalMemoryConfig memory_config{};  ///< none: that of a
    OptionalDataType dtype{};              ///< BFLOAT16 or BFLOAT8_B; none: that of a
    Ignored math_fidelity{};

    static constexpr OperationInfo kOperation{
        "experimental::repeat_and_interleave_eltwise_mul",
        "out[.., 32 * i + j] = a[.., j] * b[.., i], for 32 states j of 5,120 columns i: [1, 1, L, 163840]. An operand that is "
        "as wide as the result is taken as it is. TILE, INTERLEAVED, BFLOAT16 or BFLOAT8_B."};
    static constexpr auto kParameters = parameters(
        required<&RepeatAndInterleaveEltwiseMul::a, &RepeatAndInterleaveEltwiseMul::b>(),
        keyword<&RepeatAndInterleaveEltwiseMul::memory_config, &RepeatAndInterleaveEltwiseMul::dtype,
                &RepeatAndInterleaveEltwiseMul::math_fidelity>());
    /// Throws RuntimeError, OutOfMemoryError.
    Tensor body() const;
};

inline constexpr Operation<RepeatAndInterleaveEltwiseMul> repeat_and_interleave_eltwise_mul;

struct HcSumReduce {
    Tensor input{};  ///< [1, 1, L, 32 * 32 * n]
    OptionalMemoryConfig memory_config{};
    OptionalDataType dtype{};
    Ignored math_fidelity{};

    static constexpr OperationInfo kOperation{
        "experimental::hc_sum_reduce",
        "Sums of 32 neighbours: out[.., i] = sum of input[.., 32 * i + j] over j: [1, 1, L, W] to [1, 1, L, W / 32]. TILE, "
        "INTERLEAVED, BFLOAT16 or BFLOAT8_B."};
    static constexpr auto kParameters =
        parameters(required<&HcSumReduce::input>(),
                   keyword<&HcSumReduce::memory_config, &HcSumReduce::dtype, &HcSumReduce::math_fidelity>());
    Tensor body() const;
};

inline constexpr Operation<HcSumReduce> hc_sum_reduce;

struct PrefixScan {
    Tensor a{};       ///< [1, 1, L, W], in shards of whole columns, TILE
    Tensor bx{};      ///< as a
    Tensor h_prev{};  ///< [1, 1, 1, W], BFLOAT16, ROW_MAJOR, in shards
    OptionalMemoryConfig memory_config{};
    OptionalDataType dtype{};
    Ignored math_fidelity{};

    static constexpr OperationInfo kOperation{
        "experimental::prefix_scan",
        "The states of a recurrence: h[t] = a[t] * h[t - 1] + bx[t] for each row t, where h[-1] is h_prev: [1, 1, L, W]."};
    static constexpr auto kParameters =
        parameters(required<&PrefixScan::a, &PrefixScan::bx, &PrefixScan::h_prev>(),
                   keyword<&PrefixScan::memory_config, &PrefixScan::dtype, &PrefixScan::math_fidelity>());
    Tensor body() const;
};

inline constexpr Operation<PrefixScan> prefix_scan;

}  // namespace tilemeter::experimental
