// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Captures of other tools, as they come: by the first byte 0 a snapshot of PyTorch's memory, which is a pickle, else a module of
// XLA with its buffer assignment. What is read has figures and becomes a report; an error is one line.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "capture/graph/captured_graph.hpp"
#include "report/foreign/torch/figures.hpp"
#include "report/foreign/torch/recording.hpp"
#include "report/foreign/torch/snapshot.hpp"
#include "report/foreign/xla/assignment.hpp"
#include "report/foreign/xla/recording.hpp"
#include "report/input.hpp"
#include "report/report_writer.hpp"

namespace {

using namespace tilemeter;
namespace torch = foreign::torch;
namespace xla = foreign::xla;

void require(bool condition) {
    if (!condition) std::abort();
}

void require_one_line(const report::Error& error) {
    const std::string message = error.message();
    require(!message.empty() && message.find('\n') == std::string::npos);
}

// Only what a trace tells can be at a peak. Sums need not agree: entries may be missing.
torch::Figures checked_figures_of(const torch::Memory& memory) {
    torch::Figures figures = torch::figures_of(memory);
    require(!figures.peak_entry || *figures.peak_entry < memory.entries.size());
    require(std::is_sorted(figures.at_peak.rbegin(), figures.at_peak.rend()));
    // A lower bound is a sum of what is known, whatever is missing.
    if (figures.has_gaps)
        require(std::accumulate(figures.at_peak.begin(), figures.at_peak.end(), std::uint64_t{0}) ==
                figures.peak_bytes);
    return figures;
}

void look_at(torch::Snapshot& snapshot) {
    std::vector<torch::Figures> figures;
    for (const torch::Memory& memory : snapshot.devices) {
        figures.push_back(checked_figures_of(memory));
        for (const torch::Entry& entry : memory.entries)
            require(entry.stack < snapshot.stacks.size());
    }
    const torch::Figures host = checked_figures_of(snapshot.host);
    const graph::CapturedGraph graph(torch::recording_of(snapshot, figures, host));
    require(!report::report_text(graph).empty());
}

void look_at(const xla::Assignment& assignment) {
    const xla::Figures figures = xla::figures_of(assignment);
    require(figures.heaps.size() <= assignment.heaps.size());
    const graph::CapturedGraph graph(xla::recording_of(assignment, figures));
    require(!report::report_text(graph).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    report::Input input =
        report::Input::of_text("fuzz", std::string(reinterpret_cast<const char*>(data + 1), size - 1));
    if (data[0] == 0) {
        auto snapshot = torch::load_snapshot(input);
        if (!snapshot) return require_one_line(snapshot.error()), 0;
        look_at(snapshot.value());
    } else {
        const auto assignment = xla::load_assignment(input);
        if (!assignment) return require_one_line(assignment.error()), 0;
        if (assignment.value()) look_at(*assignment.value());
    }
    return 0;
}
