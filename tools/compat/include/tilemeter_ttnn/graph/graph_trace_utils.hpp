// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// TT-NN's analyses of captures, equal to its own down to their faults. They throw std::runtime_error for lists that are none.

#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tilemeter_ttnn/enums.hpp"
#include "tilemeter_ttnn/shape.hpp"

namespace ttnn {
class Tensor;
}

namespace ttnn::graph {

struct OperationInfo {
    std::string operation_name;
    std::vector<std::string> arguments;
};

/// Bytes on the core that has most.
struct PeakMemoryUsagePerCore {
    std::size_t peak_cb = 0;
    std::size_t peak_l1 = 0;
    std::size_t peak_dataflow_buffer = 0;
    std::size_t peak_scratchpad = 0;
    std::size_t peak_total = 0;
};

/// Bytes of all banks, of what was allocated while the capture was open.
struct DRAMUsage {
    long long peak = 0;
    long long total_allocations = 0;
    long long total_deallocations = 0;
};

enum class ExecutionStatus { Success, Error };

struct TensorInfo {
    tt::tt_metal::Shape shape;
    std::uint32_t size = 0;  ///< bytes
    tt::tt_metal::BufferType type = tt::tt_metal::BufferType::DRAM;
    bool operator==(const TensorInfo& other) const = default;
};
std::ostream& operator<<(std::ostream& out, const TensorInfo& info);

std::uint32_t extract_peak_L1_memory_usage(const nlohmann::json& trace);
/// The bytes of the fullest bank of an L1 tensor. Throws std::runtime_error for another.
std::uint32_t extract_l1_output_buffer_allocation_size_per_core(const ttnn::Tensor& output_tensor);
std::uint32_t extract_l1_buffer_allocation_peak_size_per_core(const nlohmann::json& trace);
std::uint32_t extract_circular_buffers_peak_size_per_core(const nlohmann::json& trace);
std::uint32_t extract_peak_memory_usage(const nlohmann::json& trace);
PeakMemoryUsagePerCore extract_resource_usage_per_core(const nlohmann::json& trace);
DRAMUsage extract_dram_usage(const nlohmann::json& trace);
/// The number of intermediate and of output tensors.
std::pair<std::uint32_t, std::uint32_t> count_intermediate_and_output_tensors(const nlohmann::json& trace);
std::vector<std::string> extract_calltrace(const nlohmann::json& trace);
std::vector<OperationInfo> extract_arguments(const nlohmann::json& trace);
/// Counters of nodes.
std::unordered_set<std::uint32_t> extract_output_tensors(const nlohmann::json& trace);
std::vector<TensorInfo> extract_output_info(const nlohmann::json& trace);
nlohmann::json extract_levelized_graph(const nlohmann::json& trace, std::size_t max_level = 1);

// Older forms: banks are known from the capture.
inline std::uint32_t extract_l1_output_buffer_allocation_size_per_core(
    const ttnn::Tensor& output_tensor, std::size_t /*interleaved_storage_cores*/) {
    return extract_l1_output_buffer_allocation_size_per_core(output_tensor);
}
inline std::uint32_t extract_l1_buffer_allocation_peak_size_per_core(
    const nlohmann::json& trace, std::size_t /*interleaved_storage_cores*/) {
    return extract_l1_buffer_allocation_peak_size_per_core(trace);
}
inline std::uint32_t extract_peak_memory_usage(const nlohmann::json& trace,
                                               std::size_t /*interleaved_storage_cores*/) {
    return extract_peak_memory_usage(trace);
}
inline PeakMemoryUsagePerCore extract_resource_usage_per_core(const nlohmann::json& trace,
                                                              std::size_t /*interleaved_storage_cores*/) {
    return extract_resource_usage_per_core(trace);
}

}  // namespace ttnn::graph
