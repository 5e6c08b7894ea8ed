// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis {

/// One self-contained page: the verdict and, of a failed capture, why it failed; memory over time as a stack
/// of live buffers, the core's map at a chosen instant, operations with search, the call tree. It needs no
/// network and no other file. `name` tells captures apart: "decoder/report.json". `known_programs` (may be
/// null): what a program that was refused would have taken, from another capture.
std::string html_page(const NodeList& list, const MemoryLifetimes& lifetimes, const std::string& name,
                      const ProgramLibrary* known_programs = nullptr);

}  // namespace tilemeter::analysis
