// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <vector>

#include "capture/graph/symbolizer.hpp"
#include "capture/record/crash.hpp"

namespace tilemeter::graph {

/// The functions that a process was in when it died, innermost first, inlined ones among them.
std::vector<Frame> frames_of(const record::Crash& crash);

/// The frame to name as the place: the innermost one that belongs neither to the system's libraries nor to the C++
/// library; 0 if all do. REQUIRES: there is one.
std::size_t place_in(const std::vector<Frame>& frames);

}  // namespace tilemeter::graph
