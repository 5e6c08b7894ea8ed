// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// roll: elements shifted along dimensions, those that leave at one end entering at the other.
//
// The parts of the result lie in DRAM, the result where memory_config says.

#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <variant>
#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct Roll {
    using Numbers = std::variant<std::int64_t, std::vector<std::int64_t>>;

    Tensor input_tensor{};
    Numbers shifts = std::int64_t{0};      ///< one for each dimension
    std::optional<Numbers> dim{};          ///< none: the tensor as if it had one dimension
    OptionalMemoryConfig memory_config{};  ///< none: that of the input

    static constexpr OperationInfo kOperation{
        "roll", "Shifted along dim, what leaves at one end entering at the other."};
    static constexpr auto kParameters = parameters(required<&Roll::input_tensor, &Roll::shifts>(),
                                                   optional<&Roll::dim>(), keyword<&Roll::memory_config>());

    std::tuple<const Tensor&, std::vector<std::int64_t>, std::vector<std::int64_t>> recorded() const;
    Tensor body() const;
};

inline constexpr Operation<Roll> roll;

}  // namespace tilemeter
