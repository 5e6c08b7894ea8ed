// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What the formulas of gradients share.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/eltwise/backward_terms.hpp"

namespace tilemeter {

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Of quotients: "floor", "trunc" or none.
inline void require_rounding_mode(const std::optional<std::string>& mode) {
    if (!mode || *mode == "trunc" || *mode == "floor") return;
    throw RuntimeError("Incorrect rounding mode (expected None, 'trunc', or 'floor')");
}

/// Runs a formula in the scope of the user's call.
template <typename Formula, typename... Arguments>
Gradients gradient(const OperationName& name, const Tensor& grad, const Tensor& input,
                   const OptionalMemoryConfig& memory_config, Formula formula,
                   const Arguments&... own_arguments) {
    return in_operation(name, std::tie(grad, input, own_arguments..., memory_config), [&] {
        Gradients gradients;
        gradients.emplace_back(formula(Term(grad, memory_config), Term(input, memory_config)).take());
        return gradients;
    });
}

}  // namespace tilemeter
