// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The head of the page, before anything is clicked: the verdict with its figures, and each failure with its
// explanation. As data of the page (report/render/page/page.html); sizes in bytes where a name says so, else texts.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "report/analysis/answers/peak.hpp"
#include "report/analysis/answers/verdict.hpp"
#include "report/analysis/memory/failures.hpp"
#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis {

/// {"verdict": "does_not_fit", "words": "DOES NOT FIT", "reasons": [texts], "uses": [{"memory": "l1", ..}],
/// "facts": ["n150", "NORMAL", ..]}
nlohmann::json page_head(const NodeList& list, const MemoryLifetimes& lifetimes, const Judgement& judgement);

/// One object per failure of the list, in its order: where, the message, what it means, what was refused
/// and what would have to move.
nlohmann::json page_failures(const NodeList& list, const MemoryLifetimes& lifetimes,
                             const ProgramLibrary* known_programs);

/// {"memory": "dram", "device": 0, "node": 12}: where to look first. The first failure for lack of memory,
/// else the first place where the verdict found too little, else the first failure, else the peak of L1, or
/// of DRAM where nothing was in L1.
nlohmann::json page_opening(const NodeList& list, const MemoryLifetimes& lifetimes,
                            const Judgement& judgement);

/// What the page's element `main` carries for programs: "data-verdict", "data-memory" ("l1" or "dram", the one
/// to look at first), and of that memory's peak "data-peak-bytes", "data-bound", "data-node",
/// "data-operation", "data-top-owner" and "data-source-line", as `peak --json` has them; what is not known is
/// empty.
std::string page_answer(const Judgement& judgement, const PeakAnswer& peak, const std::string& memory);

}  // namespace tilemeter::analysis
