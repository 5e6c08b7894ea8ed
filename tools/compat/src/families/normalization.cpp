// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/normalization/definitions.hpp"
#include "tools/compat/src/assign.hpp"

namespace tilemeter::compat {

void add_normalization() {
    add_definitions(NormalizationDefinitions());
}

}  // namespace tilemeter::compat
