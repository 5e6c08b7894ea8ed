// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Programs of the model as processors and hooks get them.

#pragma once

#include <string_view>

#include "runtime/device/program_cache.hpp"
#include "tilemeter_ttnn/program.hpp"

namespace tilemeter::compat {

tt::tt_metal::Program program_of(const CachedProgram& program);

/// The cores of a text of records, "{[0-0 - 7-7]}".
tt::tt_metal::CoreRangeSet cores_of_text(std::string_view text);

}  // namespace tilemeter::compat
