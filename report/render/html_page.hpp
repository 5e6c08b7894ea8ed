// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis {

/// One self-contained page: the verdict and, of a failed capture, why it failed; memory over time by class, with
/// layers and operations; the map, the cores and the stacks of a chosen instant; tables that sort and search. It
/// needs no network and no other file. `name` tells captures apart: "decoder/report.json". `known_programs` (may
/// be null): what a program that was refused would have taken, from another capture.
std::string html_page(const NodeList& list, const MemoryLifetimes& lifetimes, const std::string& name,
                      const ProgramLibrary* known_programs = nullptr);

/// One of two captures on a page.
struct PageCapture {
    const NodeList& list;
    const MemoryLifetimes& lifetimes;
    const std::string& name;
};
/// Two captures on one page, their operations aligned by path, growth marked. The answer that `main` carries is
/// that of the second.
std::string html_page(const PageCapture& before, const PageCapture& after,
                      const ProgramLibrary* known_programs = nullptr);

/// The page of a training step's plan: buffers by role, passes along the axis, what the way back keeps; where there are any,
/// peaks by size and schedules that compute again. `training`: of the form "tilemeter.memory/1", its buffers those of the
/// capture, in their order.
std::string html_page(const PageCapture& plan, const nlohmann::json& training);

/// The page of a process that records, which asks its server for "live.json" (the answer of `tilemeter watch`) and links to
/// "reports/0/". `name`: of the recording.
std::string live_page(const std::string& name);

}  // namespace tilemeter::analysis
