// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The free L1 at the time of a call. It is the only state of a device that the choice of a program may depend
// on; everything else follows from specs and the device's description.

#pragma once

#include <cstdint>
#include <optional>

#include "runtime/device/device.hpp"

namespace tilemeter {

/// The lowest address that a tensor in L1 has; none: there is no tensor.
std::optional<std::uint64_t> lowest_l1_tensor(Device& device);

/// Bytes of each core between where programs begin and the lowest tensor in L1.
std::uint64_t free_l1_below_tensors(Device& device);

/// Free bytes of each core's bank of L1, whether or not they are in one piece.
std::uint64_t free_l1_in_all(Device& device);

}  // namespace tilemeter
