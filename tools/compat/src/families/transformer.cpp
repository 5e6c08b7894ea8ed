// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/definitions.hpp"
#include "tools/compat/src/assign.hpp"

namespace tilemeter::compat {

void add_transformer() {
    add_definitions(TransformerDefinitions());
}

}  // namespace tilemeter::compat
