// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What one memory of a device holds now.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "tilemeter_ttnn/mesh_device.hpp"

namespace tt::tt_metal::detail {

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

}  // namespace tt::tt_metal::detail
