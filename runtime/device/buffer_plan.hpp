// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The plan of a tensor's buffer: page size, banks and bytes per bank. It is computed once for a spec and then
// used for every tensor of that spec.
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
    record::BufferRecord buffer_record{};  ///< all but buffer, device and address
    std::uint64_t num_banks = 0;           ///< the number of banks that hold its pages
    record::TensorSpecId spec{};           ///< of the tensor, on a device
};

/// Throws RuntimeError for an impossible spec (see buffer_geometry()).
BufferPlan plan_buffer(const TensorSpec& spec, const DeviceDescription& device);

/// A tensor that a call makes: its spec, and its buffer's plan.
struct PlannedTensor {
    TensorSpec spec;
    BufferPlan buffer;
};

}  // namespace tilemeter
