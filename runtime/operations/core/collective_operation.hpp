// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// An operation in which the chips of a mesh exchange what they hold: its values are computed for all of them
// at once.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <span>
#include <vector>

#include "runtime/operations/core/device_operation.hpp"

namespace tilemeter {

class Collective {
public:
    virtual ~Collective() = default;

    /// Values of the first output on each chip, from those of the only input on each chip. Further outputs
    /// are room to work in and hold no values.
    virtual std::vector<HostArray> compute_together(std::span<const HostArray* const> input_by_chip,
                                                    const TensorSpec& output) const = 0;

protected:
    Collective() = default;
    Collective(const Collective&) = default;
    Collective& operator=(const Collective&) = default;
};

}  // namespace tilemeter
