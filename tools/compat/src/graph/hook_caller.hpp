// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Asks a thread's hook where the model asks its hooks.

#pragma once

#include <cstdint>
#include <optional>

#include "runtime/device/device_hooks.hpp"

namespace tilemeter::compat {

struct ThreadTracker;

class HookCaller final : public DeviceHooks {
public:
    explicit HookCaller(ThreadTracker& tracker) : tracker_(tracker) {}

    bool takes_allocation(const record::BufferRecord& buffer) override;
    bool takes_free(const record::BufferRecord& buffer) noexcept override;
    bool takes_program(const CachedProgram& program) override;
    bool takes_write(const Buffer& buffer) override;
    bool takes_read(const Buffer& buffer) override;

private:
    friend class ProcessorCaller;
    /// The same before the program's memory is told: takes_program() gives this answer then.
    bool asks_program_ahead(const CachedProgram& program);

    ThreadTracker& tracker_;
    std::optional<bool> answered_;
};

}  // namespace tilemeter::compat
