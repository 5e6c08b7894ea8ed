// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis {

/// The functions of a capture as SVG: boxes in rows, arrows for the tensors that lead from one to another, boxes for tensors
/// that none made. Each with its results, time and memory; the peaks and failures marked, these with their message. What
/// repeats is drawn once, with a count; deallocations are counted. Down to `max_level`, the deeper levels inside; 0 means 2 where that
/// is a small picture, else 1. Beyond `most_boxes` functions that follow each other share a box, with their number, the
/// sum of their times and the highest of their peaks. 0 boxes: never; browsers are slow beyond some 10,000.
std::string svg_graph(const NodeList& list, const MemoryLifetimes& lifetimes, std::int32_t max_level,
                      const std::string& title, std::size_t most_boxes = 200);

}  // namespace tilemeter::analysis
