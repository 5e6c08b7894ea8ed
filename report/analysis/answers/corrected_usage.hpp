// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The figures of extract.hpp, corrected: 64 bits, program memory per core and only while its program runs,
// a mesh counted once, what is older than the list left out where TT-NN means to leave it out.
//
// Thread safety: const calls are free.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis {

struct CorrectedUsage {
    // Per core; of buffers older than the list nothing is counted.
    std::uint64_t peak_cb = 0;
    std::uint64_t peak_dataflow_buffer = 0;
    std::uint64_t peak_scratchpad = 0;
    std::uint64_t peak_other = 0;
    std::uint64_t peak_l1 = 0;
    std::uint64_t peak_total = 0;
    /// The figure that extract_peak_L1_memory_usage aims at: whole sizes of the L1 buffers and program memory of the
    /// fullest core.
    std::uint64_t peak_l1_memory_usage = 0;
    std::uint64_t peak_l1_memory_usage_with_older = 0;
    std::uint32_t unknown_programs = 0;  ///< programs that none of this can count
};
CorrectedUsage corrected_usage(const NodeList& list, const MemoryLifetimes& lifetimes);

struct TensorCounts {
    std::uint32_t created = 0;       ///< tensors made by create_device_tensor, under any of its names
    std::uint32_t intermediate = 0;  ///< of these, those that are no output
    std::uint32_t outputs = 0;
};
/// Outputs: all tensors that the last operation with outputs gives and does not use up itself.
TensorCounts corrected_tensor_counts(const NodeList& list, const Scopes& scopes);

/// A tensor that the last operation with outputs gives and does not use up itself.
struct CorrectedOutput {
    std::uint32_t node = 0;  ///< the last that mentions it
    Number tensor_id;
    std::string shape;             ///< with type and layout
    std::uint64_t size_bytes = 0;  ///< of its buffer, all banks; 0: on the host, or not known
    MemoryType memory = MemoryType::kSystemMemory;
};
/// By node. Host tensors, too, which TT-NN leaves out.
std::vector<CorrectedOutput> corrected_outputs(const NodeList& list, const MemoryLifetimes& lifetimes);

struct OperationTime {
    std::uint64_t calls = 0;
    std::uint64_t total_ns = 0;
    std::uint64_t longest_ns = 0;
};
/// By function name, all calls.
std::map<std::string, OperationTime> operation_times(const NodeList& list, const Scopes& scopes);

}  // namespace tilemeter::analysis
