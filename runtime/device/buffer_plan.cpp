// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/buffer_plan.hpp"

namespace tilemeter {

BufferPlan plan_buffer(const TensorSpec& spec, const DeviceDescription& device) {
    const BufferGeometry geometry = buffer_geometry(spec, device);
    const record::MemoryType memory = spec.memory_config.buffer_type;
    BufferPlan plan;
    plan.facts.memory = memory;
    plan.facts.layout = spec.memory_config.memory_layout;
    plan.facts.num_cores = geometry.num_cores;
    plan.facts.size_bytes = geometry.size_bytes;
    plan.facts.size_per_bank_bytes = geometry.size_per_bank_bytes;
    plan.facts.page_size_bytes = geometry.page_size_bytes;
    plan.facts.placement = record_placement(spec);
    plan.num_banks = geometry.num_cores != 0 ? geometry.num_cores : num_banks_of(memory, device);
    plan.spec = record_spec(spec, true);
    return plan;
}

}  // namespace tilemeter
