// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/ccl/fabric.hpp"

#include <atomic>

namespace tilemeter {

namespace {

std::atomic<bool> fabric_on{true};

}  // namespace

bool is_fabric_on() {
    return fabric_on;
}

void set_fabric_on(bool is_on) {
    fabric_on = is_on;
}

}  // namespace tilemeter
