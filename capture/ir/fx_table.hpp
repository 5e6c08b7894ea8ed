// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A graph as torch.fx prints one (Graph.print_tabular()): opcode, name, target, args, kwargs.
//
//   opcode         name    target    args      kwargs
//   -------------  ------  --------  --------  --------------------------------
//   placeholder    x       x         ()        {}
//   call_function  mul     mul       (x, 2.0)  {}
//   call_function  sum     sum       (mul,)    {'axes': [0], 'keepdims': False}
//   output         output  output    (sum,)    {}
//
// Constants that are no scalars are get_attr rows; several results of an equation are taken out by getitem rows, as
// torch.fx does. Subgraphs stand in kwargs by name, their own tables below.
//
// Thread safety: any thread, any time.

#pragma once

#include <string>
#include <vector>

#include "capture/ir/graph.hpp"

namespace tilemeter::ir {

struct FxRow {
    std::string opcode;
    std::string name;
    std::string target;
    std::string args;
    std::string kwargs;
    std::string type;   ///< "f32[2,3]"; torch.fx has none here
    std::string scope;  ///< "encoder/0", likewise
};

/// The rows of this graph, not of its subgraphs. REQUIRES: verify(graph) finds nothing
std::vector<FxRow> fx_rows(const Graph& graph);

/// `more`: the columns type and scope as well. REQUIRES: as fx_rows()
std::string fx_table(const Graph& graph, bool more = false);

}  // namespace tilemeter::ir
