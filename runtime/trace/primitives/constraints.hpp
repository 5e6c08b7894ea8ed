// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The promises of the function that this thread traces now about the sizes of dimensions.

#pragma once

#include "capture/ir/dimension.hpp"

namespace tilemeter::trace {

/// Null: nothing, or no function is traced. Valid while its frame is open.
const ir::Constraints* current_constraints();

}  // namespace tilemeter::trace
