// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Rows of primitives (primitive.hpp) as text in StableHLO, and the parts that these texts are made of.

#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "capture/ir/graph.hpp"
#include "runtime/trace/primitives/flat_builder.hpp"
#include "runtime/trace/primitives/internal/column.hpp"
#include "runtime/trace/primitives/internal/windows.hpp"

namespace tilemeter::trace::internal {

/// "tensor<2x3xf32>". Throws ir::Error (kElementTypeMismatch) for a block format.
std::string stablehlo_type(const ir::TensorType& type);
/// "tensor<2x3xf32>, tensor<i1>"
std::string stablehlo_types(std::span<const ir::TensorType> types);
/// "dense<[1.0, 2.0]> : tensor<2xf32>"
std::string stablehlo_literal(const ir::Constant& constant);
/// The same number everywhere: "dense<1.0> : tensor<2xf32>"
std::string stablehlo_splat(const ir::TensorType& type, const ir::Constant& scalar);
/// "%0, %1"
std::string stablehlo_names(std::span<const std::string> names);
/// "[1, 2]"
std::string stablehlo_list(std::span<const std::int64_t> numbers);
/// "array<i64: 1, 2>"
std::string stablehlo_array(std::span<const std::int64_t> numbers);
/// "dense<[[0, 1]]> : tensor<1x2xi64>"
std::string stablehlo_padding(const ir::Integers& low, const ir::Integers& high);

/// One equation without regions of its own.
struct LineUse {
    const ir::Equation& equation;
    std::vector<std::string> operands;  ///< names of values
    std::vector<ir::TensorType> operand_types;
    std::vector<ir::TensorType> result_types;
    /// The name of a scalar constant of this type, which stands before the line.
    std::function<std::string(const ir::Constant& scalar)> scalar;

    [[nodiscard]] std::string names() const { return stablehlo_names(operands); }
    /// "(T, T) -> T"
    [[nodiscard]] std::string signature(const std::vector<ir::TensorType>& more_operands = {}) const;
    /// "stablehlo.NAME operands, ATTRIBUTES : (T) -> T"
    [[nodiscard]] std::string line(const std::string& name, const std::string& attributes = {}) const;

    [[nodiscard]] std::int64_t integer(std::string_view name) const {
        return equation.attributes().get<std::int64_t>(name);
    }
    [[nodiscard]] ir::Integers integers(std::string_view name, std::size_t count = 0,
                                        std::int64_t otherwise = 0) const {
        return equation.attributes().get_or<ir::Integers>(name, ir::Integers(count, otherwise));
    }
    [[nodiscard]] std::string list(std::string_view name, std::size_t count = 0,
                                   std::int64_t otherwise = 0) const {
        return stablehlo_list(integers(name, count, otherwise));
    }
};

/// The text after "%0 = ".
using TextLine = std::string (*)(const LineUse& use);
/// The results by primitives that StableHLO has: they become a function. It may throw no_formula().
using TextFormula = std::vector<ir::ValueId> (*)(FlatBuilder& to, std::span<const ir::ValueId> operands,
                                                 const ir::Attributes& attributes);
/// The body of a function of %arg0, lines without indentation, that returns.
using TextBody = std::string (*)(const ir::Equation& equation);

/// The text of a primitive in StableHLO. A name alone: the operation of this name on the same operands, which have the
/// type of the result.
using Text = std::variant<Reason, const char*, TextLine, TextFormula, TextBody>;

/// The line of a primitive that is one operation of StableHLO; nothing for the others.
std::optional<std::string> stablehlo_line(const Text& text, const LineUse& use);

/// Error (kUnknownOperation): StableHLO has no formula for the primitive.
ir::Error no_formula(const std::string& primitive);

// ---- parts of lines

inline ir::TensorType scalar_type(ir::ElementType element) {
    return {element, {}, {}};
}
/// The least, or the largest, element: what an extreme is searched from. Integers saturate; of bool the least is false
/// and the largest true.
ir::Constant least_of(ir::ElementType element);
ir::Constant largest_of(ir::ElementType element);
/// "FLOAT"
std::string comparison_kind(ir::ElementType element);
/// "({ ^bb0(a, b): c = OP a, b; return c }"
std::string binary_region(std::string_view operation, ir::ElementType element);

/// A reduction over windows by an operation, from a number on.
std::string window_reduction(const LineUse& use, const char* operation, const ir::Constant& start,
                             const Windows& windows);

}  // namespace tilemeter::trace::internal
