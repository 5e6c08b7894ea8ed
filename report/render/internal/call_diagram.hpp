// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The functions of a capture as boxes, with the tensors between them as arrows.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/analysis/answers/call_tree.hpp"
#include "report/analysis/memory/memory_lifetimes.hpp"
#include "report/analysis/memory/tensor_flow.hpp"
#include "report/render/internal/folded_diagram.hpp"

namespace tilemeter::analysis::internal {

/// What is drawn of a capture, once found for all levels. The list and its lifetimes must outlive it.
struct DrawnCapture {
    DrawnCapture(const NodeList& list, const MemoryLifetimes& lifetimes);

    const NodeList& list;
    const MemoryLifetimes& lifetimes;
    std::vector<CallNode> calls;
    std::vector<ScopeTensors> tensors;
    std::vector<std::vector<std::uint32_t>> children;  ///< by scope; the last: the outermost
    std::unordered_map<std::uint32_t, std::vector<Flow>>
        flows;                                                ///< by the scope that both are in, or kNoIndex
    std::unordered_map<std::uint32_t, std::string> messages;  ///< of failures, by each scope that was left
    std::uint32_t l1_peak_node = kNoIndex, dram_peak_node = kNoIndex;
    std::uint64_t l1_peak = 0, dram_peak = 0;
};

struct CallDiagram {
    Diagram diagram;
    std::size_t function_count = 0;  ///< of the levels that are drawn
    std::size_t left_out = 0;        ///< of these, deallocations, which have no box
    Folding folding;
};

/// Functions down to `max_level`; beyond `most_boxes` those that follow each other share boxes.
CallDiagram call_diagram(const DrawnCapture& capture, std::uint32_t max_level, std::size_t most_boxes);

}  // namespace tilemeter::analysis::internal
