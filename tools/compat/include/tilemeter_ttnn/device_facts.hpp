// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What is known of devices before and while they are open: the board, its allocators, its fabric.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>  // clients take it from here
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "tilemeter_ttnn/enums.hpp"

namespace tilemeter {
class Device;
}

namespace tt::tt_metal {

class IDevice;

namespace hal {
// Facts of the board that TILEMETER_DEVICE names, an n150 without it.
tt::ARCH get_arch();
std::string get_arch_name();  ///< "wormhole_b0"
std::uint32_t get_l1_alignment();
std::uint32_t get_dram_alignment();
std::uint32_t get_arch_num_circular_buffers();
}  // namespace hal

/// Chips of that board.
std::size_t GetNumAvailableDevices();

/// Bytes of one memory of a device, all banks together.
struct Statistics {
    std::size_t total_allocatable_size_bytes = 0;
    std::size_t total_allocated_bytes = 0;
    std::size_t total_free_bytes = 0;
    std::size_t largest_free_block_bytes = 0;
};

/// The allocator of a device's memories.
class Allocator {
public:
    explicit Allocator(std::shared_ptr<tilemeter::Device> device) : device_(std::move(device)) {}

    // These throw std::runtime_error for SYSTEM_MEMORY.
    Statistics get_statistics(const BufferType& type) const;
    std::uint32_t get_num_banks(const BufferType& type) const;
    std::uint64_t get_bank_size(const BufferType& type) const;  ///< bytes
    std::uint32_t get_alignment(BufferType type) const;
    /// The lowest address that a tensor can have. Throws std::runtime_error for HOST.
    std::uint64_t get_base_allocator_addr(HalMemType type) const;

private:
    std::shared_ptr<tilemeter::Device> device_;
};

namespace detail {
/// Blocks of a bank in order of address: "blockID", "address", "size", "prevID", "nextID", "allocated" ("yes" or "no").
using MemoryBlockTable = std::vector<std::unordered_map<std::string, std::string>>;

/// Sizes in bytes.
struct MemoryView {
    std::uint64_t num_banks = 0;
    std::size_t total_bytes_per_bank = 0;
    std::size_t total_bytes_allocated_per_bank = 0;
    std::size_t total_bytes_free_per_bank = 0;
    std::size_t largest_contiguous_bytes_free_per_bank = 0;
    MemoryBlockTable block_table;
};

/// Throws std::runtime_error for a memory that is none of the device's.
MemoryView GetMemoryView(const IDevice* device, const BufferType& buffer_type);

/// Writes the memories of a device to `PREFIXmemory_usage_summary.csv`. Throws std::runtime_error where it cannot.
void DumpDeviceMemoryState(const IDevice* device, const std::string& prefix = "");
}  // namespace detail

}  // namespace tt::tt_metal

namespace tt::tt_fabric {
enum class FabricReliabilityMode : std::uint8_t {
    STRICT_SYSTEM_HEALTH_SETUP_MODE = 0,
    RELAXED_SYSTEM_HEALTH_SETUP_MODE = 1,
    DYNAMIC_RECONFIGURATION_SETUP_MODE = 2
};
/// Turns the fabric on, which collectives need, or off. What else is said of it changes nothing here.
void SetFabricConfig(
    FabricConfig config,
    FabricReliabilityMode reliability_mode = FabricReliabilityMode::STRICT_SYSTEM_HEALTH_SETUP_MODE,
    std::optional<std::uint8_t> num_routing_planes = std::nullopt);
}  // namespace tt::tt_fabric
