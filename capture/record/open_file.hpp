// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The recording file of the window that has one: made, told what events refer to, let go of when the process
// forks.

#pragma once

#include <cstdint>
#include <memory>

#include "capture/events/recording_file.hpp"
#include "capture/record/window.hpp"

namespace tilemeter::record::internal {

/// Makes the file that `options` name. Throws RecordingError.
std::shared_ptr<RecordingFile> make_file(const WindowOptions& options, std::uint64_t wall_clock_ns,
                                         std::uint64_t begin_ticks, bool pages);

/// From now on definitions (definitions.hpp) go into `file`; null: nowhere.
void use_file_for_definitions(std::shared_ptr<RecordingFile> file);

/// Writes all definitions that are known by now.
void write_all_definitions();

}  // namespace tilemeter::record::internal
