// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/ccl/definitions.hpp"
#include "tools/compat/src/assign.hpp"

namespace tilemeter::compat {

void add_ccl() {
    add_definitions(CclDefinitions());
}

}  // namespace tilemeter::compat
