// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Hooks of a thread: what is asked before its calls take memory, free it, run a program, write to a device or read from it.
// One that says true does it itself: the call goes on as if it were done, and the device is left alone.
//
// Without hooks each of these pays for one thread-local load.
//
// Thread safety: hooks are the calling thread's.

#pragma once

#include "capture/record/records.hpp"

namespace tilemeter {

class Buffer;
struct CachedProgram;

class DeviceHooks {
public:
    virtual ~DeviceHooks() = default;

    /// True: the buffer gets no memory, and address 0.
    virtual bool takes_allocation(const record::BufferRecord& buffer) = 0;
    /// True: its memory stays taken. Asked in destructors, too: throws nothing.
    virtual bool takes_free(const record::BufferRecord& buffer) noexcept = 0;
    /// True: nothing is computed; results stand for values that nobody computed.
    virtual bool takes_program(const CachedProgram& program) = 0;
    /// True: the tensor's values stand for some that nobody computed.
    virtual bool takes_write(const Buffer& buffer) = 0;
    virtual bool takes_read(const Buffer& buffer) = 0;
};

namespace internal {
inline constinit thread_local DeviceHooks* this_threads_hooks = nullptr;
}

/// The calling thread's; null: none.
inline DeviceHooks* device_hooks() {
    return internal::this_threads_hooks;
}
inline void set_device_hooks(DeviceHooks* hooks) {
    internal::this_threads_hooks = hooks;
}

}  // namespace tilemeter
