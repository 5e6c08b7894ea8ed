// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The floor of keeping 64 bytes per event: the clock readings, into memory that the process has not touched
// before.

#include <cstddef>
#include <cstdint>

#include <sys/mman.h>
#include <x86intrin.h>

#include "tests/bench/peers/zones.hpp"

namespace {

constexpr std::size_t kPage = std::size_t{2} << 20;
constexpr std::size_t kBytes = std::size_t{1} << 30;  // of addresses; memory is what is touched

char* fresh_memory() {
    void* const memory =
        mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    madvise(memory, kBytes, MADV_HUGEPAGE);
    return static_cast<char*>(memory) + (kPage - reinterpret_cast<std::uintptr_t>(memory) % kPage);
}

thread_local char* next = fresh_memory();

}  // namespace

int main(int argc, char** argv) {
    return peers::run(argc, argv, [] {
        char* at = next;
        for (int i = 0; i < 2; ++i, at += 64)
            *reinterpret_cast<std::uint64_t*>(at) = __rdtsc();
        next = at;
    });
}
