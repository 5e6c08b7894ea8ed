// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// var, std: variances and standard deviations over one dimension, several or all.
//
// Input: at least one dimension, interleaved, floating point; made tiles where it is ROW_MAJOR. Several
// dimensions are brought to the end and reduced together (Welford's algorithm).

#pragma once

#include <array>
#include <cstdint>
#include <tuple>

#include "runtime/operations/reduction/reduction.hpp"

namespace tilemeter {

enum class Spread : std::uint8_t { VAR, STD };

/// The two by Spread.
inline constexpr std::array kSpreads = [] {
    constexpr const char* kDocumentation =
        "Over one dimension, several, or all (None). correction: divided by one less than their number.";
    return std::array{
        OperationInfo{"var", kDocumentation},
        OperationInfo{"std", kDocumentation},
    };
}();

template <Spread Kind>
struct ReduceSpread {
    Tensor input_tensor{};
    ReduceDims dim{};
    bool keepdim = false;                  ///< reduced dimensions stay as 1
    OptionalMemoryConfig memory_config{};  ///< none: the input's
    Ignored compute_kernel_config{};
    float scalar = 1.0F;     ///< factor of the elements
    bool correction = true;  ///< divided by one less than their number
    NotModelled sub_core_grids{};

    static constexpr OperationInfo kOperation = kSpreads[static_cast<std::size_t>(Kind)];
    static constexpr auto kParameters = parameters(
        required<&ReduceSpread::input_tensor>(), optional<&ReduceSpread::dim, &ReduceSpread::keepdim>(),
        keyword<&ReduceSpread::memory_config, &ReduceSpread::compute_kernel_config, &ReduceSpread::scalar,
                &ReduceSpread::correction, &ReduceSpread::sub_core_grids>());

    auto recorded() const {
        return std::tuple<const Tensor&, std::optional<std::span<const int>>, const bool&,
                          const OptionalMemoryConfig&, const float&, const bool&>(
            input_tensor, recorded_dims(dim), keepdim, memory_config, scalar, correction);
    }
    Tensor call() const;
};

using Var = ReduceSpread<Spread::VAR>;
using Std = ReduceSpread<Spread::STD>;
inline constexpr Operation<Var> var;
inline constexpr Operation<Std> std;

}  // namespace tilemeter
