// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// TT-NN's analyses, equal to those of TT-NN 0.81.1 down to their faults, for scripts that depend on them:
// 32-bit sums that wrap, circular buffers on disjoint cores added up, the same buffer on two chips twice.
// The right figures are elsewhere: memory in peak.hpp, durations and outputs in corrected_usage.hpp.
//
// On lists that make TT-NN crash (an unmatched function_end, a free without connection), these go on and count what can
// be counted. Errors are AnalysisError with the kind that Python shows.
//
// Thread safety: const calls are free.

#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/analysis/nodes/node_list.hpp"
#include "report/analysis/ttnn/analysis_error.hpp"

namespace tilemeter::analysis {

struct PeakMemoryUsagePerCore {
    std::uint64_t peak_cb = 0;
    std::uint64_t peak_l1 = 0;
    std::uint64_t peak_dataflow_buffer = 0;
    std::uint64_t peak_scratchpad = 0;
    std::uint64_t peak_total = 0;
};

struct TensorInfo {
    std::vector<std::uint32_t> shape;
    std::uint32_t size = 0;
    bool in_l1 = false;
    friend bool operator==(const TensorInfo&, const TensorInfo&) = default;
};

std::uint32_t extract_peak_L1_memory_usage(const NodeList& list);
PeakMemoryUsagePerCore extract_resource_usage_per_core(const NodeList& list);
std::vector<std::string> extract_calltrace(const NodeList& list);
std::pair<std::uint32_t, std::uint32_t> count_intermediate_and_output_tensors(const NodeList& list);
std::vector<TensorInfo> extract_output_info(const NodeList& list);
/// Places in the list.
std::set<std::int64_t> extract_output_tensors(const NodeList& list);
/// Seconds by function name; of a name that occurs often, the last call's.
std::map<std::string, double> extract_operation_durations(const NodeList& list);
/// Seconds.
double extract_total_duration_from_graph(const NodeList& list);

}  // namespace tilemeter::analysis
