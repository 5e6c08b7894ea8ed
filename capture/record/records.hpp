// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Plain values that emitters hand over: an allocation, a mention of a tensor, a piece of program memory.

#pragma once

#include <cstdint>

#include "capture/events/event.hpp"
#include "capture/events/ids.hpp"

namespace tilemeter::record {

/// One allocation, as its allocate and its free event say it.
struct BufferRecord {
    BufferId buffer;
    DeviceId device;
    MemoryType memory;
    BufferLayout layout;
    std::uint32_t num_cores;  ///< cores of the shard grid; 0: interleaved
    std::uint64_t address;
    std::uint64_t size_bytes;
    std::uint64_t size_per_bank_bytes;
    std::uint64_t page_size_bytes;
    PlacementId placement = PlacementId::kNone;  ///< kNone: interleaved, or not known
};

/// One mention of a tensor.
struct TensorRecord {
    TensorId tensor;
    TensorSpecId spec;
    DeviceId device;
    BufferId buffer;  ///< kNone on the host
    std::uint64_t address;
    bool is_view;
};

/// One piece of program-scope memory on every core of `cores`.
struct ProgramMemoryRecord {
    std::uint64_t program;
    DeviceId device;
    TextId cores;  ///< "{[0-0 - 7-7]}"
    std::uint64_t address;
    std::uint64_t size_bytes;  ///< per core
    BufferId shared_buffer;    ///< kNone: memory of its own; else it lies in this tensor buffer
};

}  // namespace tilemeter::record
