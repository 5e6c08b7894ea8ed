// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Runs graphs of the operations in operations.hpp on lists of doubles, as simply as can be: what passes must not
// change.

#pragma once

#include <vector>

#include "capture/ir/graph.hpp"

namespace tilemeter::test {

using Numbers = std::vector<double>;  ///< the elements of a value; a bool is 0 or 1

struct Run {
    std::vector<Numbers> results;
    Numbers printed;  ///< by `print`, in order
};

/// REQUIRES: equations are sorted; scalars and vectors only
Run naive_evaluate(const ir::Graph& graph, const std::vector<Numbers>& inputs);

/// Nans are equal to each other.
bool equal(const Run& a, const Run& b);

}  // namespace tilemeter::test
