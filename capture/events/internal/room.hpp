// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace tilemeter::record {

class ThreadLog;

namespace internal {

/// Finds where `log` goes on: a chunk in memory, one in the recording file, or nowhere. Called by its owner
/// when its chunk is full or must be left. Defined where windows are known (window_room.cpp).
void make_room(ThreadLog& log);

}  // namespace internal

}  // namespace tilemeter::record
