// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// sum, mean, max, min: reductions over one dimension, several or all.
//
// Input: any shape of at least one dimension, interleaved, in TILE also in shards; BFLOAT16, FLOAT32,
// BFLOAT8_B, and for all but mean INT32 and UINT32. The result has the input's dtype.
//
// Sums and means of ROW_MAJOR rows or columns stay ROW_MAJOR; all else is made tiles first.
//
// They decompose as TT-NN's do: rows and columns of tiles are reduced by a program each; other dimensions are
// summed by a program of their own (sum), or exchanged with the rows first. Sums of bfloat16 over several
// dimensions stay float32 in between.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <variant>
#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

/// One dimension, several, or (nothing) all; negative ones count from the end.
using ReduceDims = std::optional<std::variant<int, std::vector<int>>>;

/// As a recorded scope lists them. Valid as long as `dim`.
std::optional<std::span<const int>> recorded_dims(const ReduceDims& dim);

enum class ReduceOpMath : std::uint8_t { SUM, AVG, MAX, MIN };

/// The reductions of one formula, by ReduceOpMath.
inline constexpr std::array kReductions = [] {
    constexpr const char* kDocumentation =
        "Over one dimension, several, or all (None), times scalar. keepdim: they stay, with size 1.";
    return std::array{
        OperationInfo{"sum", kDocumentation},
        OperationInfo{"mean", kDocumentation},
        OperationInfo{"max", kDocumentation},
        OperationInfo{"min", kDocumentation},
    };
}();

template <ReduceOpMath Math>
struct Reduce {
    Tensor input_tensor{};
    ReduceDims dim{};
    bool keepdim = false;                  ///< reduced dimensions stay as 1
    OptionalMemoryConfig memory_config{};  ///< none: the input's, its shards cut anew for what is left
    Ignored compute_kernel_config{};
    float scalar = 1.0F;  ///< factor of the result
    Ignored correction{};
    OptionalCores sub_core_grids{};
    bool fast_and_approximate_mode = false;  ///< values here are the same with both
    NotModelled output_layout{};

    static constexpr OperationInfo kOperation = kReductions[static_cast<std::size_t>(Math)];
    static constexpr auto kParameters = parameters(
        required<&Reduce::input_tensor>(), optional<&Reduce::dim, &Reduce::keepdim>(),
        keyword<&Reduce::memory_config, &Reduce::compute_kernel_config, &Reduce::scalar, &Reduce::correction,
                &Reduce::sub_core_grids>(),
        unrecorded_keyword<&Reduce::fast_and_approximate_mode>(), keyword<&Reduce::output_layout>());

    auto recorded() const {
        return std::tuple<const Tensor&, std::optional<std::span<const int>>, const bool&,
                          const OptionalMemoryConfig&, const float&>(input_tensor, recorded_dims(dim),
                                                                     keepdim, memory_config, scalar);
    }

    /// Throws RuntimeError (dimensions out of range or named twice, dtype, layout), OutOfMemoryError.
    Tensor call() const;
};

using Sum = Reduce<ReduceOpMath::SUM>;
using Mean = Reduce<ReduceOpMath::AVG>;
using Max = Reduce<ReduceOpMath::MAX>;
using Min = Reduce<ReduceOpMath::MIN>;
inline constexpr Operation<Sum> sum;
inline constexpr Operation<Mean> mean;
inline constexpr Operation<Max> max;
inline constexpr Operation<Min> min;

/// Parts of other operations, without scopes of their own: of all elements;
namespace unscoped {
Tensor sum(const Tensor& input_tensor, const OptionalMemoryConfig& memory_config = std::nullopt);
Tensor mean(const Tensor& input_tensor, const OptionalMemoryConfig& memory_config = std::nullopt);
/// over these dimensions, which go.
Tensor sum_over(const Tensor& input_tensor, const ReduceDims& dim, const OptionalMemoryConfig& memory_config);
/// over these dimensions, which stay as 1, times `scalar`;
Tensor reduce(const Tensor& input_tensor, ReduceOpMath math, const ReduceDims& dim,
              const OptionalMemoryConfig& memory_config, float scalar = 1.0F);
/// of the last dimension but one of four, which stays as 1, times `scalar`; tiles have no padding there. In
/// `layout`, where the programs write it themselves or not; none: as they write it.
Tensor sum_of_rows(const Tensor& input_tensor, float scalar, const MemoryConfig& memory_config,
                   const std::optional<Layout>& layout);
}  // namespace unscoped

}  // namespace tilemeter
