// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/graph/planned_replay.hpp"

#include <array>
#include <cstddef>

namespace tilemeter::graph {

std::string_view name_of(Pass pass) {
    constexpr std::array<std::string_view, 4> kNames = {"forward", "backward", "optimizer", "unknown"};
    return kNames[static_cast<std::size_t>(pass)];
}

std::string_view name_of(BufferRole role) {
    constexpr std::array<std::string_view, 10> kNames = {
        "parameter", "input",     "saved",         "gradient", "optimizer_state",
        "result",    "temporary", "program_table", "outside",  "unknown"};
    return kNames.at(static_cast<std::size_t>(role));
}

}  // namespace tilemeter::graph
