// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The peak as people and programs read it.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstddef>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "report/analysis/answers/contributor_groups.hpp"
#include "report/analysis/answers/peak.hpp"

namespace tilemeter::analysis {

struct PeakView {
    std::size_t top = 12;  ///< contributors, or groups of them, of each memory
    GroupBy by = GroupBy::kAlike;
    bool with_l1 = true, with_dram = true;
    std::size_t bar_columns = 0;  ///< of a bar before each owner, its share of the peak; 0: none
    const char* bar_colour = "";  ///< written before it
    const char* bar_end = "";     ///< and behind it
};

/// The members of the answer beside the verdict: {"device", "l1", "dram", "devices": [{"l1", "dram"}], ...}.
nlohmann::ordered_json peak_json(const PeakAnswer& answer, const PeakView& view = {});

/// The verdict, then for each device and memory: how much, when, what for, who holds it. Lines end in a line
/// feed.
std::string peak_text(const PeakAnswer& answer, const PeakView& view = {});

/// One memory of it; `title` begins the first line.
std::string memory_text(const std::string& title, const MemoryPeak& peak, const PeakView& view = {});

/// In one line: "at least 335,872 B (328.0 KiB), 24 % of ... in ttnn.add at model.py:51 (node 112)".
std::string peak_line(const MemoryPeak& peak);
/// In one line: "262,144 B  persistent  tensor 7  Shape([...]) ...  by ttnn.relu at model.py:51".
std::string contributor_line(const Contributor& contributor);

}  // namespace tilemeter::analysis
