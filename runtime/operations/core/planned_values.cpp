// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/planned_values.hpp"

#include "runtime/device/planning.hpp"

namespace tilemeter {

bool is_planned_only() {
    return planning_epoch() != 0;
}

void take_values(const Tensor& destination, const Tensor& source) {
    if (is_planned_only() || !source.has_values()) return;
    destination.shared_buffer()->set_values(source.chip_values());
}

}  // namespace tilemeter
