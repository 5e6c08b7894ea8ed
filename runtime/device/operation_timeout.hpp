// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace tilemeter {

/// What opening a device does about the time limit of operations (device.hpp). Throws std::invalid_argument
/// if the environment has something else than a number of seconds above 0.
void read_operation_timeout_of_environment();

}  // namespace tilemeter
