// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Devices that buffers were seen on.
//
// Thread safety: any thread, any time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "capture/record/emit_table.h"
#include "runtime/attach/ttnn/ttnn_api.hpp"

namespace tilemeter::attach::ttnn {

/// An event mentions a device. The first one while anything is captured emits the buffers that are allocated there, as
/// memory from before the capture, but for `allocated`, whose own event follows.
void meet(const Device* device, std::uint16_t number, const Buffer* allocated = nullptr);
void forget_device(int number);

/// A device is about to be closed or destroyed: described, where something is captured, and forgotten.
void leave_device(const Device* device);

/// The number of devices that were left or forgotten: facts about one may be wrong of the next one.
std::uint64_t devices_left();

/// The chips behind a device that was met; the number itself of another one.
std::vector<std::uint16_t> chips_of_device(std::uint16_t number);

/// Has TT-NN's own capture, which is the innermost one of the calling thread, describe the devices that were met.
/// Returns how many.
std::size_t describe_devices_in_ttnn();

/// From here on each device is described after its first launch, for programs that nobody asks for it later; a call of
/// describe_if_due() does it, outside of TT-NN's own walks over its processors.
void describe_devices_in_passing();
void describe_if_due();

/// A capture begins: emits what is allocated on the devices that were met.
void emit_buffers_alive();

/// The devices that the self-test meets are new to the captures of others.
void ignore_new_devices(bool ignored);

/// A buffer is freed while operations are only planned: TT-NN forgets the object, and its allocator keeps the memory and
/// the address of the object for good. It is remembered here, so that nobody looks at the object.
void note_lost(const Buffer* buffer, const tilemeter_buffer& facts);

bool any_buffer_lost();

/// This is a buffer. Says what such an object looks like, to who asks a device for its buffers.
void note_alive(const Buffer* buffer);

/// A buffer is allocated: an object at its address is looked at again.
void note_allocated(const Buffer* buffer);

/// A buffer is freed: returns when nobody looks at it.
void wait_for_look_at_buffers();

}  // namespace tilemeter::attach::ttnn
