// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What allocating a tensor's buffer takes, before it is done: worked out once for a spec, however many
// tensors of it there will be.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <cstdint>

#include "capture/record/records.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/device_description.hpp"
#include "runtime/types/tensor_spec.hpp"

namespace tilemeter {

struct BufferPlan {
    record::BufferRecord facts{};  ///< all but buffer, device and address
    std::uint64_t num_banks = 0;   ///< over which its pages are spread
    record::TensorSpecId spec{};   ///< of the tensor, on a device
};

/// Throws RuntimeError for a spec that can't be (buffer_geometry() says which).
BufferPlan plan_buffer(const TensorSpec& spec, const DeviceDescription& device);

/// A tensor that a call makes: its spec, and its buffer's plan.
struct PlannedTensor {
    TensorSpec spec;
    BufferPlan buffer;
};

}  // namespace tilemeter
