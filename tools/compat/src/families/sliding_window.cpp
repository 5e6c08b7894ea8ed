// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/definitions.hpp"
#include "tools/compat/src/assign.hpp"

namespace tilemeter::compat {

void add_sliding_window() {
    add_definitions(SlidingWindowDefinitions());
}

}  // namespace tilemeter::compat
