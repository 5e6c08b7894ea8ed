// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A graph of calls in the three texts that Tripy, NVIDIA's tracing frontend, prints on the way to its compiler: what
// was traced, the same in flat operations, and StableHLO.
//
// Thread safety: any thread, any time.

#pragma once

#include <string>

#include "capture/ir/tripy_text.hpp"

namespace tilemeter::trace {

struct TripyTexts {
    std::string trace_ir;      ///< "==== Trace IR ====", ...
    std::string flat_ir;       ///< values have the names that they have in the trace
    std::string stablehlo_ir;  ///< with line numbers
};

/// Throws as lower() and to_stablehlo().
TripyTexts tripy_texts(const ir::Graph& graph, const ir::TripyOptions& options = {});

}  // namespace tilemeter::trace
