// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace tilemeter {

/// Reads the time limit of operations (device.hpp) from the environment; called when a device is opened.
/// Throws std::invalid_argument unless the variable is a number of seconds above 0.
void read_operation_timeout_of_environment();

}  // namespace tilemeter
