// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Allocations at addresses that were planned before.
//
// Thread safety: a scope is of the thread that made it.

#pragma once

#include <cstdint>
#include <optional>

namespace tilemeter {

/// A buffer that this thread allocates while it lasts gets this address, wherever the allocator would put it. Where the
/// allocator has no room there the buffer lies over others: it has the address, and no block of the allocator's own.
class ScopedAddress {
public:
    explicit ScopedAddress(std::uint64_t address);
    ~ScopedAddress();
    ScopedAddress(const ScopedAddress&) = delete;
    ScopedAddress& operator=(const ScopedAddress&) = delete;

    static std::optional<std::uint64_t> current();

private:
    const std::uint64_t address_;
    const ScopedAddress* const outer_;
};

}  // namespace tilemeter
