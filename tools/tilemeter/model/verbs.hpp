// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The verbs of `tilemeter` that run the model of a device, or functions as graphs: as those of tools/tilemeter/verbs.hpp.

#pragma once

#include <vector>

#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {

command::Verb graph_verb();
command::Verb phases_verb();
command::Verb query_verb();
command::Verb sizes_verb();

/// All of them, in the order of the help.
inline std::vector<command::Verb> model_verbs() {
    return {graph_verb(), sizes_verb(), phases_verb(), query_verb()};
}

}  // namespace tilemeter::cli
