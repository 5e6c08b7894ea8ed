// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A number in L1 of each of some cores, for programs to wait for. It has no values here, only its memory.

#pragma once

#include <cstdint>
#include <memory>

#include "runtime/device/buffer.hpp"
#include "runtime/types/core_range.hpp"
#include "runtime/types/memory_config.hpp"

namespace tilemeter {

class Device;

class GlobalSemaphore {
public:
    /// Throws RuntimeError without cores, and where there is no room.
    GlobalSemaphore(const std::shared_ptr<Device>& device, const CoreRangeSet& cores,
                    BufferType::Value memory);

    std::uint64_t address() const { return buffer_->address(); }

private:
    std::shared_ptr<Buffer> buffer_;
};

}  // namespace tilemeter
