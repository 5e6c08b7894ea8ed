// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Loaded by dying_program while it records.

namespace {
int* volatile nowhere = nullptr;
}

extern "C" [[gnu::visibility("default"), gnu::no_sanitize("undefined")]] void crash_in_library() {
    *nowhere = 1;
    asm volatile("" ::: "memory");
}
