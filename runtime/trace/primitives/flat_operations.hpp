// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The flat primitives: what graphs are evaluated, differentiated and exported in. Each is one operation of
// StableHLO, with the same operands; ROWS.md has the table. All operands of an elementwise primitive have one
// type: what broadcasts is a call (call_operations.hpp), which lower() takes apart.
//
// The primitive `constant` is a constant of the graph (Graph::add_const), not an equation.
//
// Thread safety: any thread, any time.

#pragma once

#include "capture/ir/operation_set.hpp"

namespace tilemeter::trace {

inline constexpr std::string_view kFlat = "flat";

const ir::OperationSet& flat_operations();

}  // namespace tilemeter::trace
