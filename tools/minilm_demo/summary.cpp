// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/minilm_demo/summary.hpp"

#include <cstdio>

#include "report/analysis/answers/peak.hpp"
#include "report/analysis/nodes/load.hpp"

namespace tilemeter::demo {

namespace {

// "1,392,640"
std::string grouped(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
        digits.insert(static_cast<std::size_t>(at), ",");
    }
    return digits;
}

std::string milliseconds(std::uint64_t ns) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f ms", static_cast<double>(ns) / 1e6);
    return text;
}

std::string l1_lines(const analysis::MemoryPeak& peak) {
    std::string text = "  peak of L1 per core  " + grouped(peak.bytes) + " B";
    if (peak.limit_bytes) text += " of " + grouped(*peak.limit_bytes);
    text += ", in " + peak.operation + " (node " + std::to_string(peak.node) + ")\n";
    text += "                       program memory " + grouped(peak.program_bytes) + ", temporaries " +
            grouped(peak.temporary_bytes) + ", tensors in use " + grouped(peak.persistent_bytes) +
            ", stale " + grouped(peak.stale_bytes) + "\n";
    return text;
}

std::string dram_line(const analysis::MemoryPeak& peak) {
    return "  peak of DRAM         " + grouped(peak.bytes) + " B per bank, " + grouped(peak.total_bytes) +
           " B in all, in " + peak.operation + "\n";
}

}  // namespace

std::string summary_of(const graph::CapturedGraph& graph) {
    const analysis::NodeList list = analysis::node_list_of(graph);
    const analysis::PeakAnswer peaks = analysis::find_peak(list);
    std::string text = "  operations           " + grouped(analysis::operation_count(list)) + " in " +
                       grouped(graph.node_count()) + " nodes\n";
    if (peaks.l1() != nullptr) text += l1_lines(*peaks.l1());
    if (peaks.dram() != nullptr) text += dram_line(*peaks.dram());
    text += "  slowest              ";
    bool first = true;
    for (const analysis::SlowOperation& slow : analysis::slowest_operations(list, 3)) {
        text += (first ? "" : ", ") + slow.name + " " + milliseconds(slow.duration_ns);
        first = false;
    }
    return text + "\n";
}

}  // namespace tilemeter::demo
