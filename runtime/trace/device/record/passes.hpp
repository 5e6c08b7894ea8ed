// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Which equations of a traced function are its way forward, its way back, and what uses the gradients.
//
// A record of gradients (gradient_record.hpp) says what it sees and what it makes: those equations have the attribute
// "pass", "forward" or "backward", in texts and files as well. What the others are for follows from what they read.
//
// Thread safety: free functions of constant graphs.

#pragma once

#include <string_view>
#include <vector>

#include "capture/graph/planned_replay.hpp"
#include "capture/ir/graph.hpp"

namespace tilemeter::trace {

using graph::name_of;
using graph::Pass;

inline constexpr std::string_view kPassAttribute = "pass";

/// By equation. Nothing is read from names of operations.
std::vector<Pass> passes_of(const ir::Graph& graph);

}  // namespace tilemeter::trace
