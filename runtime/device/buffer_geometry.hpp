// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The geometry of a tensor's buffer: pages, page size, and the bytes that it takes in each bank of a device.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>

#include "runtime/device/device_description.hpp"
#include "runtime/types/tensor_spec.hpp"

namespace tilemeter {

struct BufferGeometry {
    std::uint64_t size_bytes = 0;       ///< pages times page size, all banks together
    std::uint64_t page_size_bytes = 0;  ///< not aligned
    std::uint64_t num_pages = 0;
    std::uint64_t size_per_bank_bytes = 0;  ///< aligned pages of the fullest bank
    std::uint32_t num_cores = 0;            ///< cores that hold a shard; 0: interleaved
    friend bool operator==(const BufferGeometry&, const BufferGeometry&) = default;
};

/// Throws RuntimeError for an impossible spec (see page_geometry()).
BufferGeometry buffer_geometry(const TensorSpec& spec, const DeviceDescription& device);

/// Banks over which interleaved pages of a memory type are spread.
std::uint64_t num_banks_of(record::MemoryType memory, const DeviceDescription& device);

}  // namespace tilemeter
