// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Reads recording files: of captures that have ended, and of processes that died in the middle of one.

#pragma once

#include <filesystem>

#include "capture/record/window.hpp"

namespace tilemeter::record {

/// The events of the recording at `path`, up to the last event that was published. Its texts, tensor types, stacks and
/// so on become known to this process under ids of its own. Functions that the process was in when it died are closed
/// as aborted, with a reason that says so. Throws RecordingError: not a recording, another version, unreadable. What is
/// broken inside a file is left out, and counted as far as it can be known.
Recording read_recording(const std::filesystem::path& path);

/// True if the file begins as recordings do. Of what cannot be read: false.
bool is_recording(const std::filesystem::path& path);

}  // namespace tilemeter::record
