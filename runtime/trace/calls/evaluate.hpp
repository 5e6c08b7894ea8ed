// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The values of a graph's results for values of its parameters: the reference that every other way of running a
// graph is compared with.
//
//   const std::vector<ir::Constant> results = evaluate(graph, {x, y});
//
// A graph of calls is lowered first (lower.hpp); an Evaluator does it once for many evaluations. Of a conditional
// only the branch taken runs. Values are released after their last use.
//
// Thread safety: evaluate() any thread, any time; an Evaluator needs outside locking.

#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/ir/constant.hpp"
#include "capture/ir/graph.hpp"

namespace tilemeter::trace {

class Evaluator {
public:
    /// Throws ir::Error where lower() does, where verify() finds something, or for a primitive that computes no
    /// values, and TraceError (kNoRule) for a custom_call that nobody here can compute.
    explicit Evaluator(const ir::Graph& graph);
    ~Evaluator();
    Evaluator(Evaluator&&) noexcept;
    Evaluator& operator=(Evaluator&&) noexcept;

    /// Inputs in the order of the parameters. Throws ir::Error for another number (kWrongArity) and, naming the
    /// parameter, for another shape (kShapeMismatch) or element type (kElementTypeMismatch).
    std::vector<ir::Constant> run(std::span<const ir::Constant> inputs);

    /// Inputs by the names of the parameters. Throws ir::Error (kWrongName) for one that is missing or not a
    /// parameter.
    std::vector<ir::Constant> run(const std::map<std::string, ir::Constant, std::less<>>& inputs);

private:
    class Programs;
    std::unique_ptr<Programs> programs_;
};

std::vector<ir::Constant> evaluate(const ir::Graph& graph, std::span<const ir::Constant> inputs);
std::vector<ir::Constant> evaluate(const ir::Graph& graph,
                                   const std::map<std::string, ir::Constant, std::less<>>& inputs);

}  // namespace tilemeter::trace
