// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions in the expression format of recorded cases, as graphs: built by the public calls that any program
// builds graphs with.
//
//     {"params": [{"name", "dtype", "shape"}], "eqns": [{"out", "op", "in", "attrs", "subgraphs"}], "results": [...]}
//
// Thread safety: any thread, any time.

#pragma once

#include <stdexcept>

#include <nlohmann/json.hpp>

#include "capture/ir/attributes.hpp"
#include "capture/ir/constant.hpp"
#include "capture/ir/graph.hpp"

namespace tilemeter::trace_check {

/// The precision that the recorded f64 stands for, that the check computes in.
struct Precision {
    ir::ElementType element = ir::ElementType::kF64;
};

/// A number, or the text of an expression of names: what a shape and an attribute hold for it.
std::int64_t dimension_of(const nlohmann::json& dimension);

/// The shape of something with a "shape".
ir::Shape shape_of(const nlohmann::json& param);

/// The type of something with "dtype" and "shape".
ir::TensorType type_of(const nlohmann::json& param, Precision precision);

/// Throws ir::Error, and nlohmann's exceptions where the text is not in the format.
ir::Graph graph_of(const nlohmann::json& graph, Precision precision);

/// The attributes of an equation, as the rules of its operation have them. Throws ir::Error.
ir::Attributes attributes_of(const nlohmann::json& equation, Precision precision);

/// {"lit", "dtype", "shape"}
ir::Constant literal_of(const nlohmann::json& operand, Precision precision);

/// {"dtype", "shape", "data"}
ir::Constant array_of(const nlohmann::json& array, Precision precision);

}  // namespace tilemeter::trace_check
