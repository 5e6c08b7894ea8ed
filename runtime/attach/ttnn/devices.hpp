// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Devices that buffers were seen on.
//
// Thread safety: any thread, any time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/attach/ttnn/ttnn_api.hpp"

namespace tilemeter::attach::ttnn {

void meet(const Device* device, std::uint16_t number);
void forget_device(int number);

/// The chips behind a device that was met; the number itself of another one.
std::vector<std::uint16_t> chips_of_device(std::uint16_t number);

/// Has TT-NN's own capture, which is the innermost one of the calling thread, describe the devices that were met.
/// Returns how many.
std::size_t describe_devices_in_ttnn();

/// Emits what is allocated on these devices as memory from before the capture.
void emit_buffers_alive();

}  // namespace tilemeter::attach::ttnn
