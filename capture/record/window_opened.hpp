// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A runtime's report when a window opens (window.hpp): what is there already.
//
// Thread safety: any thread, any time.

#pragma once

namespace tilemeter::record {

/// `function` runs in the thread that opens a window, after it has opened, if that window keeps events and wants this
/// library's own. One function per process; the latest stays.
void call_when_window_opens(void (*function)());

}  // namespace tilemeter::record
