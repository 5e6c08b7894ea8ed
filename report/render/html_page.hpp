// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "report/analysis/memory_lives.hpp"

namespace tilemeter::graph {

/// One self-contained page: memory over time as a stack of live buffers, the core's map at a chosen instant,
/// operations with search, the call tree. It needs no network and no other file.
std::string html_page(const NodeList& list, const MemoryLives& lives, const std::string& title);

}  // namespace tilemeter::graph
