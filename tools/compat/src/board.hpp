// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The board that clients open, and its memories.

#pragma once

#include <string>

#include "runtime/types/memory_config.hpp"
#include "tilemeter_ttnn/enums.hpp"

namespace tilemeter::compat {

/// What TILEMETER_DEVICE names, or "n150".
std::string board_name();
/// Throws std::runtime_error for SYSTEM_MEMORY, which is none of a device's.
BufferType::Value allocated_memory(::tt::tt_metal::BufferType type);

}  // namespace tilemeter::compat
