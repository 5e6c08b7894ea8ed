// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/query/internal/results.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "runtime/device/buffer.hpp"
#include "runtime/device/call_recorder.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/query/internal/refusal.hpp"
#include "runtime/query/internal/threads_device.hpp"

namespace tilemeter::query::internal {

void require_device(const Device& device) {
    if (!device.is_open())
        throw RuntimeError("query: device " + std::to_string(static_cast<unsigned>(device.id())) +
                           " is closed");
    if (call_recorder() != nullptr)
        throw RuntimeError("query: expected a thread that traces no function, got one in a traced function");
}

void require_sizes(const TensorSpec& spec) {
    constexpr std::uint64_t kMostElements = std::uint64_t{1} << 56U;
    std::uint64_t elements = 1;
    const Shape padded = spec.padded_shape();
    for (const std::uint32_t each : padded.dimensions()) {
        if (each != 0 && elements > kMostElements / each)
            throw RuntimeError("query: expected tensors of at most 2^56 elements, got " +
                               spec.shape.to_string());
        elements *= each;
    }
}

const Buffer& whole_of(const Tensor& tensor) {
    const Buffer& buffer = tensor.buffer();
    return buffer.is_part() ? *buffer.whole() : buffer;
}

void check_results(const Device& device, const QueryShadow& shadow, std::span<const Tensor> results,
                   const std::function<bool(record::BufferId)>& is_known) {
    if (results.empty()) throw RuntimeError("query: expected a function that returns a tensor, got none");
    for (const Tensor& result : results) {
        if (result.storage_type() != StorageType::DEVICE)
            throw RuntimeError("query: expected results on the device, got " + result.to_string() +
                               " on the host");
        if (&result.device() != &device)
            throw RuntimeError(
                "query: expected results on the device that is asked about, got one on another");
        if (!result.is_allocated())
            throw RuntimeError("query: expected results with memory, got " + result.to_string() +
                               ", which the function has deallocated");
    }
    // What is left beside results and what was there before, somebody else holds.
    for (const Allocation& each : shadow.live()) {
        const record::BufferId buffer = each.buffer_record.buffer;
        const auto has = [buffer](const Tensor& tensor) { return tensor.buffer().id() == buffer; };
        if (std::ranges::any_of(results, has) || is_known(buffer)) continue;
        throw RuntimeError("query: expected a function that keeps none of its tensors, it keeps " +
                           text_of(each));
    }
}

OutputPlace place_of(const Tensor& tensor) {
    const Buffer& buffer = tensor.buffer();
    OutputPlace place;
    place.memory = buffer.memory();
    place.address = buffer.address();
    place.size_per_bank = buffer.size_per_bank_bytes();
    return place;
}

ResourceUsage usage_of(const QueryShadow& shadow, std::span<const OutputPlace> outputs) {
    const MemoryFigures& peak = shadow.peak();
    ResourceUsage usage;
    usage.cb_peak_size_per_core = peak.circular_buffers;
    usage.l1_buffers_peak_per_core = peak.tensors;
    usage.peak_memory_usage_per_core =
        shadow.placing() == QueryShadow::Placing::kNowhere ? peak.all : peak.tensors_and_circular_buffers;
    usage.dataflow_buffer_peak_per_core = peak.dataflow_buffers;
    usage.scratchpad_peak_per_core = peak.scratchpads;
    usage.peak_of_all_kinds_per_core = peak.all;
    usage.program_region_end = shadow.region_end();
    for (const OutputPlace& each : outputs)
        if (each.memory != MemoryType::kDram) usage.l1_output_buffer_per_core += each.size_per_bank;
    return usage;
}

}  // namespace tilemeter::query::internal
