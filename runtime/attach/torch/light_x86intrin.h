// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// In the place of the compiler's x86intrin.h, a megabyte of vector instructions of which PyTorch's headers here call one.

#pragma once

inline unsigned long long __rdtsc() {  // NOLINT(bugprone-reserved-identifier): the compiler's own name
    return __builtin_ia32_rdtsc();
}
