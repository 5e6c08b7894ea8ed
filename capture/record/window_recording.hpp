// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <vector>

#include "capture/record/window.hpp"
#include "capture/record/window_state.hpp"

namespace tilemeter::record::internal {

/// The events that `window` saw so far. Throws RecordingError if its recording file cannot be read. REQUIRES: the lock
/// of `all` is held.
Recording recording_of(const State& all, const Window& window);

/// Leaves out what a window with these `emitters` (WindowOptions::emitters) does not want.
void keep_wanted(std::vector<ThreadSlice>& threads, std::uint8_t emitters);

}  // namespace tilemeter::record::internal
