// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Semaphores in L1 by which chips and kernels tell each other how far they are.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tilemeter_ttnn/tensor.hpp"

namespace tilemeter {
class GlobalSemaphore;
}

namespace tt::tt_metal {

using DeviceAddr = std::uint64_t;

/// One word in the L1 of each core of a set, at the same address.
class GlobalSemaphore {
public:
    /// Throws std::runtime_error where there is no room.
    GlobalSemaphore(distributed::MeshDevice* device, CoreRangeSet cores, std::uint32_t initial_value,
                    BufferType buffer_type = BufferType::L1);

    distributed::MeshDevice* device() const { return device_; }
    DeviceAddr address() const;
    const CoreRangeSet& cores() const { return cores_; }
    void reset_semaphore_value(std::uint32_t value) const { *value_ = value; }

private:
    distributed::MeshDevice* device_;
    CoreRangeSet cores_;
    std::shared_ptr<std::uint32_t> value_;
    std::shared_ptr<tilemeter::GlobalSemaphore> memory_;
};

namespace experimental {
/// A circular buffer that outlives programs: declared, since functions take one; none can be made.
class GlobalCircularBuffer {
public:
    GlobalCircularBuffer() = delete;
};
/// A way by which weights come before a program asks for them; none is made here.
class PrefetcherPipe {
public:
    PrefetcherPipe() = delete;
};
}  // namespace experimental
}  // namespace tt::tt_metal

namespace ttnn {
using tt::tt_metal::GlobalSemaphore;
namespace global_semaphore {
using tt::tt_metal::GlobalSemaphore;

GlobalSemaphore create_global_semaphore(tt::tt_metal::distributed::MeshDevice* mesh_device,
                                        const tt::tt_metal::CoreRangeSet& cores, std::uint32_t initial_value,
                                        tt::tt_metal::BufferType buffer_type = tt::tt_metal::BufferType::L1);
tt::tt_metal::DeviceAddr get_global_semaphore_address(const GlobalSemaphore& global_semaphore);
void reset_global_semaphore_value(const GlobalSemaphore& global_semaphore, std::uint32_t reset_value);
}  // namespace global_semaphore
}  // namespace ttnn
