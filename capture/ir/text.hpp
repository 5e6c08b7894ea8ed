// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The text form of graphs, which is also their file: one equation a line, types at the end.
//
//   tilemeter graph 1
//
//   subgraph @step(%c: f64[], %x: f64[]) {
//     %0 = add(%c, %x) : f64[]
//     return %0, %0
//   }
//
//   graph @main(%x: f64[3], %w: f32[2,64]@("n150:0", "TILE", "DRAM")) in flat {
//     %table = constant #0 : f32[100]
//     %0 = mul(%x, 2.0:f64) : f64[3]                          at "model.py":12 in "encoder/0"
//     %1, %2 = scan(0.0:f64, %0) {length=3, n_carry=1, n_consts=0, body=@step} : f64[], f64[3]
//     return %1, %2
//   }
//
//   data #0 400 bytes
//     0000803f...
//   checksum 3c5a01d6b7e0f1aa
//
// - The first line says what this is and in which version.
// - The graph stands last, each subgraph before the graphs that hold it; one that several hold stands once.
// - %NAME is a value, @NAME a graph; several of one name are %NAME, %NAME.2, ...; those without a name are numbered.
//   A name that is no identifier stands between quotes: %"layers[0].weight".
// - Scalar constants stand where they are used, as NUMBER:TYPE, true or false. Others are equations `constant` with
//   a list of up to 8 elements or the number of a `data` section: bytes in hexadecimal, elements little-endian.
// - Floats have the digits that read back to the same bits; nans with other bits than usual are nan(0x7ff8000000000001).
// - Attributes: true, 3, 3.0, "text", f32, lists in brackets; empty lists are [], bools[], floats[], strings[].
// - Equations may stand in any order. `return` ends a graph. // begins a comment.
// - `checksum`, the last line of files, is over all bytes before it (FNV-1a, 64 bits). Without it nothing is checked:
//   take it away to edit a file by hand.
//
// Thread safety: any thread, any time.

#pragma once

#include <string>
#include <string_view>

#include "capture/ir/graph.hpp"

namespace tilemeter::ir {

struct PrintOptions {
    bool locations = true;
    bool data = true;  ///< the bytes of large constants; without them the text can't be parsed
    bool checksum = false;
};

/// Equal graphs have equal texts. Constants that nothing uses are left out.
std::string print(const Graph& graph, const PrintOptions& options = {});

/// The graph that was printed: equal(parse(print(graph)), graph), if each operand of the graph is one of its values.
/// Types are as the text has them: verify() checks more. Throws Error, whose text is one line: "line 3, column 7:
/// found ')', expected a type".
Graph parse(std::string_view text);

}  // namespace tilemeter::ir
