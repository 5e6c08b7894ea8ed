// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The fabric between chips: TT-NN's collectives need set_fabric_config, which its Python alone has. On unless somebody
// turns it off, as the Python package does when it is imported.
//
// Thread safety: all functions may be called from any thread.

#pragma once

namespace tilemeter {

bool is_fabric_on();
void set_fabric_on(bool is_on);

}  // namespace tilemeter
