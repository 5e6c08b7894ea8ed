// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The common part of formulas of gradients.

#pragma once

#include <limits>
#include <optional>
#include <string>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/eltwise/backward_terms.hpp"

namespace tilemeter {

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// The rounding of quotients: "floor", "trunc" or none.
inline void require_rounding_mode(const std::optional<std::string>& mode) {
    require(!mode || *mode == "trunc" || *mode == "floor",
            "Incorrect rounding mode (expected None, 'trunc', or 'floor')");
}

/// By the formula of a gradient's definition.
template <typename Definition, typename Formula>
Gradients gradient(const Definition& call, Formula formula) {
    Gradients gradients;
    gradients.emplace_back(
        formula(Term(call.grad_tensor, call.memory_config), Term(call.input_tensor, call.memory_config))
            .take());
    return gradients;
}

}  // namespace tilemeter
