// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/device_facts.hpp"

#include <fstream>
#include <stdexcept>
#include <utility>

#include "runtime/device/device.hpp"
#include "runtime/device/system_mesh.hpp"
#include "runtime/operations/ccl/fabric.hpp"
#include "tilemeter_ttnn/mesh_device.hpp"
#include "tools/compat/src/board.hpp"
#include "tools/compat/src/model.hpp"

namespace tt::tt_metal {

namespace {

const tilemeter::DeviceDescription& board() {
    static const tilemeter::DeviceDescription description =
        tilemeter::load_device_description(tilemeter::compat::board_name());
    return description;
}

}  // namespace

namespace hal {
tt::ARCH get_arch() {
    return board().arch == "BLACKHOLE" ? tt::ARCH::BLACKHOLE : tt::ARCH::WORMHOLE_B0;
}
std::string get_arch_name() {
    return get_arch() == tt::ARCH::BLACKHOLE ? "blackhole" : "wormhole_b0";
}
std::uint32_t get_l1_alignment() {
    return static_cast<std::uint32_t>(board().l1_alignment);
}
std::uint32_t get_dram_alignment() {
    return static_cast<std::uint32_t>(board().dram_alignment);
}
std::uint32_t get_arch_num_circular_buffers() {
    return NUM_CIRCULAR_BUFFERS;
}
}  // namespace hal

std::size_t GetNumAvailableDevices() {
    return std::size_t{board().mesh.rows} * board().mesh.columns;
}

Statistics Allocator::get_statistics(const BufferType& type) const {
    const auto memory = tilemeter::compat::allocated_memory(type);
    return device_->with_state([&](const tilemeter::DeviceMemory& memories, auto& /*programs*/) {
        const tilemeter::BankStatistics bank = memories.allocator(memory).statistics();
        const std::uint64_t banks = memories.num_banks(memory);
        return Statistics{bank.bank_size * banks, bank.allocated * banks, bank.free * banks,
                          bank.largest_free_block * banks};
    });
}

std::uint32_t Allocator::get_num_banks(const BufferType& type) const {
    const auto memory = tilemeter::compat::allocated_memory(type);
    return device_->with_state([&](const tilemeter::DeviceMemory& memories, auto& /*programs*/) {
        return static_cast<std::uint32_t>(memories.num_banks(memory));
    });
}

std::uint64_t Allocator::get_bank_size(const BufferType& type) const {
    const auto memory = tilemeter::compat::allocated_memory(type);
    return device_->with_state([&](const tilemeter::DeviceMemory& memories, auto& /*programs*/) {
        return memories.allocator(memory).statistics().bank_size;
    });
}

std::uint32_t Allocator::get_alignment(BufferType type) const {
    tilemeter::compat::allocated_memory(type);
    const tilemeter::DeviceDescription& description = device_->description();
    const bool is_in_dram = type == BufferType::DRAM || type == BufferType::TRACE;
    return static_cast<std::uint32_t>(is_in_dram ? description.dram_alignment : description.l1_alignment);
}

std::uint64_t Allocator::get_base_allocator_addr(HalMemType type) const {
    if (type != HalMemType::L1 && type != HalMemType::DRAM)
        throw std::runtime_error("get_base_allocator_addr: expected L1 or DRAM, found another memory");
    const auto memory =
        tilemeter::compat::allocated_memory(type == HalMemType::L1 ? BufferType::L1 : BufferType::DRAM);
    return device_->with_state([&](const tilemeter::DeviceMemory& memories, auto& /*programs*/) {
        return memories.allocator(memory).begin();
    });
}

namespace detail {
void DumpDeviceMemoryState(const IDevice* device, const std::string& prefix) {
    const std::string name = prefix + "memory_usage_summary.csv";
    std::ofstream file(name);
    file << "memory,banks,bytes per bank,allocated bytes per bank,free bytes per bank,"
            "largest free block bytes per bank\n";
    for (const BufferType type :
         {BufferType::DRAM, BufferType::L1, BufferType::L1_SMALL, BufferType::TRACE}) {
        const MemoryView view = GetMemoryView(device, type);
        file << type << ',' << view.num_banks << ',' << view.total_bytes_per_bank << ','
             << view.total_bytes_allocated_per_bank << ',' << view.total_bytes_free_per_bank << ','
             << view.largest_contiguous_bytes_free_per_bank << '\n';
    }
    file.close();
    if (!file) throw std::runtime_error("DumpDeviceMemoryState: " + name + ": cannot be written");
}
}  // namespace detail

}  // namespace tt::tt_metal

namespace tt::tt_fabric {
void SetFabricConfig(FabricConfig config, FabricReliabilityMode /*reliability_mode*/,
                     std::optional<std::uint8_t> /*num_routing_planes*/) {
    tilemeter::set_fabric_on(config != FabricConfig::DISABLED);
}
}  // namespace tt::tt_fabric
