// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/fixed_address.hpp"

namespace tilemeter {

namespace {

constinit thread_local const ScopedAddress* innermost_address = nullptr;

}  // namespace

ScopedAddress::ScopedAddress(std::uint64_t address) : address_(address), outer_(innermost_address) {
    innermost_address = this;
}

ScopedAddress::~ScopedAddress() {
    innermost_address = outer_;
}

std::optional<std::uint64_t> ScopedAddress::current() {
    if (innermost_address == nullptr) return std::nullopt;
    return innermost_address->address_;
}

}  // namespace tilemeter
