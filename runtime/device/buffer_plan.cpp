// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/buffer_plan.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/errors.hpp"

namespace tilemeter {

namespace {

[[noreturn]] void throw_no_bank(const CoreCoord& core, const char* memory, std::uint64_t banks) {
    throw RuntimeError("Invalid shard grid: shard core (" + std::to_string(core.x) + ", " +
                       std::to_string(core.y) + ") has no " + memory + " bank on this device, which has " +
                       std::to_string(banks) +
                       " of them. Derive the shard grid from the device (dram_grid_size() for DRAM, "
                       "compute_with_storage_grid_size() for L1) rather than assuming a fixed size");
}

// Shards lie on cores that are there, in DRAM on its row of banks.
void require_banks(const TensorSpec& spec, const DeviceDescription& device) {
    const std::optional<ShardSpec>& shards = spec.memory_config.shard_spec;
    if (!shards) return;
    const bool dram = spec.memory_config.buffer_type == BufferType::DRAM;
    for (const CoreRange& range : shards->grid.ranges()) {
        if (dram && range.end.y != 0) {
            throw RuntimeError(
                "Invalid DRAM shard grid: shard core (" + std::to_string(range.start.x) + ", " +
                std::to_string(range.start.y == 0 ? 1 : range.start.y) +
                ") is not on row 0. DRAM banks are 1D (bank_id == logical x-coordinate), so every "
                "shard core must have y == 0.");
        }
        const CoreCoord size =
            dram ? CoreCoord{static_cast<std::uint32_t>(device.dram_banks), 1} : device.compute_grid;
        if (range.end.x < size.x && range.end.y < size.y) continue;
        // The first in rows from the start on.
        const CoreCoord core = range.start.y < size.y && range.end.x >= size.x
                                   ? CoreCoord{std::max(range.start.x, size.x), range.start.y}
                                   : CoreCoord{range.start.x, std::max(range.start.y, size.y)};
        throw_no_bank(core, dram ? "DRAM" : "L1", dram ? device.dram_banks : device.num_compute_cores());
    }
}

}  // namespace

BufferPlan plan_buffer(const TensorSpec& spec, const DeviceDescription& device) {
    require_banks(spec, device);
    const BufferGeometry geometry = buffer_geometry(spec, device);
    const record::MemoryType memory = spec.memory_config.buffer_type;
    BufferPlan plan;
    plan.buffer_record.memory = memory;
    plan.buffer_record.layout = spec.memory_config.memory_layout;
    plan.buffer_record.num_cores = geometry.num_cores;
    plan.buffer_record.size_bytes = geometry.size_bytes;
    plan.buffer_record.size_per_bank_bytes = geometry.size_per_bank_bytes;
    plan.buffer_record.page_size_bytes = geometry.page_size_bytes;
    plan.buffer_record.placement = record_placement(spec);
    plan.num_banks = geometry.num_cores != 0 ? geometry.num_cores : num_banks_of(memory, device);
    plan.spec = record_spec(spec, true);
    return plan;
}

}  // namespace tilemeter
