// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <x86intrin.h>

#include "tests/bench/peers/zones.hpp"

int main(int argc, char** argv) {
    return peers::run(argc, argv, [] {
        for (int i = 0; i < 2; ++i) {
            const unsigned long long ticks = __rdtsc();
            asm volatile("" : : "r"(ticks) : "memory");
        }
    });
}
