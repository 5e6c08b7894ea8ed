// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The parts of StableHLO text that do not depend on the printer: types, literals and the line of each primitive.

#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/ir/graph.hpp"

namespace tilemeter::trace::internal {

/// "tensor<2x3xf32>". Throws ir::Error (kElementTypeMismatch) for a block format.
std::string stablehlo_type(const ir::TensorType& type);
/// "dense<[1.0, 2.0]> : tensor<2xf32>"
std::string stablehlo_literal(const ir::Constant& constant);
/// The same number everywhere: "dense<1.0> : tensor<2xf32>"
std::string stablehlo_splat(const ir::TensorType& type, const ir::Constant& scalar);

/// "[1, 2]"
std::string stablehlo_list(std::span<const std::int64_t> numbers);

/// One equation without regions of its own.
struct LineUse {
    const ir::Equation& equation;
    std::vector<std::string> operands;  ///< names of values
    std::vector<ir::TensorType> operand_types;
    std::vector<ir::TensorType> result_types;
    /// The name of a scalar constant of this type, which stands before the line.
    std::function<std::string(const ir::Constant& scalar)> scalar;
};

/// What follows "%0 = " in the line of a primitive that is one operation of StableHLO; nothing for the others.
std::optional<std::string> stablehlo_line(const LineUse& use);

/// A primitive that is a function: the formula in other primitives, with the operands as parameters. Throws
/// ir::Error (kUnknownOperation) where there is none.
ir::Graph stablehlo_formula(const ir::Equation& equation);

/// arg_max and arg_min: the body of a function of %arg0, lines without indentation, that returns.
std::string stablehlo_arg_extreme(const ir::Equation& equation);

}  // namespace tilemeter::trace::internal
