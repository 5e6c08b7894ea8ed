// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "capture/record/window.hpp"

namespace tilemeter::graph {

/// The events of `recording` inside functions called `name`, the functions included, each with all that is in it, of
/// every thread. Leaves out the first `skip` such functions of the recording (in the order they began) and keeps
/// `count` from there. A function inside one of the same name belongs to that. One that does not end within the
/// recording reaches to its end.
record::Recording only_functions(const record::Recording& recording, std::string_view name,
                                 std::uint64_t skip = 0,
                                 std::uint64_t count = std::numeric_limits<std::uint64_t>::max());

}  // namespace tilemeter::graph
