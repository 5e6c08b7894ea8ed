// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/buffer_geometry.hpp"

#include "runtime/types/rounding.hpp"

namespace tilemeter {

namespace {

bool is_in_dram(record::MemoryType memory) {
    return memory == record::MemoryType::kDram || memory == record::MemoryType::kTrace;
}

}  // namespace

std::uint64_t num_banks_of(record::MemoryType memory, const DeviceDescription& device) {
    return is_in_dram(memory) ? device.dram_banks : device.num_compute_cores();
}

BufferGeometry buffer_geometry(const TensorSpec& spec, const DeviceDescription& device) {
    const PageGeometry pages = page_geometry(spec);
    const record::MemoryType memory = spec.memory_config.buffer_type;
    const std::uint64_t alignment = is_in_dram(memory) ? device.dram_alignment : device.l1_alignment;
    const std::uint64_t aligned_page = ceil_div(pages.page_size_bytes, alignment) * alignment;
    const std::uint64_t pages_per_bank = spec.memory_config.is_sharded()
                                             ? pages.pages_per_shard
                                             : ceil_div(pages.num_pages, num_banks_of(memory, device));
    return {pages.size_bytes(), pages.page_size_bytes, pages.num_pages, pages_per_bank * aligned_page,
            pages.num_shards};
}

}  // namespace tilemeter
