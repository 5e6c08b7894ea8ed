// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// TILEMETER_VECTORIZED: a function of simple loops, compiled for processors with wide vectors as well; which of them
// runs is chosen when the program is loaded.

#pragma once

// Sanitizers are not ready yet where that choice is made.
#if defined __x86_64__ && defined __GNUC__ && !defined __clang__ && !defined __SANITIZE_ADDRESS__ && \
    !defined __SANITIZE_THREAD__
#define TILEMETER_VECTORIZED __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TILEMETER_VECTORIZED
#endif
