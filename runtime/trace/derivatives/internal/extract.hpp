// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A part of a graph as a graph of its own.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "capture/ir/graph.hpp"

namespace tilemeter::trace::internal {

/// A parameter of the part: a value of the whole, whatever defines it there, or one that the part does not use.
struct PartParam {
    std::optional<ir::ValueId> value{};
    ir::TensorType type{};   ///< of one without a value
    std::string name = "x";  ///< of one whose value has none
};

std::vector<PartParam> part_params(std::span<const ir::ValueId> values, const std::string& name = "x");

/// The equations that compute `results` from the parameters, and no others. Names of parameters are made distinct.
/// REQUIRES: the graph is ordered; results depend on no parameters of it but those given
ir::Graph extract(const ir::Graph& from, std::span<const PartParam> params,
                  std::span<const ir::ValueId> results);

ir::GraphPtr shared(ir::Graph graph);

}  // namespace tilemeter::trace::internal
