// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/fixed_address.hpp"

namespace tilemeter {

namespace {

constinit thread_local std::optional<std::uint64_t> address_now;

}  // namespace

ScopedAddress::ScopedAddress(std::uint64_t address) : outer_(address_now) {
    address_now = address;
}

ScopedAddress::~ScopedAddress() {
    address_now = outer_;
}

std::optional<std::uint64_t> ScopedAddress::current() {
    return address_now;
}

}  // namespace tilemeter
