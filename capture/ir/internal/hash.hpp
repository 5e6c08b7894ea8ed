// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Hashes of what graphs intern. Not stable across versions: never written to a file.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tilemeter::ir::internal {

/// `seed` with one more value in it (the finalizer of SplitMix64).
constexpr std::uint64_t hashed(std::uint64_t seed, std::uint64_t value) {
    std::uint64_t mixed = (seed ^ value) + 0x9e3779b97f4a7c15U;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31);
}

inline std::uint64_t hashed(std::uint64_t seed, const void* bytes, std::size_t size) {
    const auto* at = static_cast<const unsigned char*>(bytes);
    seed = hashed(seed, size);
    while (size > 0) {
        const std::size_t count = size < sizeof(std::uint64_t) ? size : sizeof(std::uint64_t);
        std::uint64_t word = 0;
        std::memcpy(&word, at, count);
        seed = hashed(seed, word);
        at += count;
        size -= count;
    }
    return seed;
}

inline std::uint64_t hashed(std::uint64_t seed, std::string_view text) {
    return hashed(seed, text.data(), text.size());
}

}  // namespace tilemeter::ir::internal
