// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/definitions.hpp"
#include "tools/compat/src/assign.hpp"

namespace tilemeter::compat {

void add_eltwise_rows() {
    for_each_eltwise_row([](const auto& row) { add_rows(row); });
}

}  // namespace tilemeter::compat
