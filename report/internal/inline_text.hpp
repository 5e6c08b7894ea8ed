// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace tilemeter::report::internal {

// As ==, for short texts: the call of memcmp costs more than the comparison of a key of a dozen bytes.
inline bool same_short_text(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    const auto word = [](const char* at) {
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, at, sizeof bytes);
        return bytes;
    };
    if (a.size() < sizeof(std::uint64_t)) {
        for (std::size_t i = 0; i < a.size(); ++i)
            if (a[i] != b[i]) return false;
        return true;
    }
    for (std::size_t i = 0; i + sizeof(std::uint64_t) <= a.size(); i += sizeof(std::uint64_t))
        if (word(a.data() + i) != word(b.data() + i)) return false;
    const std::size_t last = a.size() - sizeof(std::uint64_t);
    return word(a.data() + last) == word(b.data() + last);
}

// As <, for keys, which mostly differ in the first byte.
inline bool sorts_before(std::string_view a, std::string_view b) {
    if (!a.empty() && !b.empty() && a[0] != b[0])
        return static_cast<unsigned char>(a[0]) < static_cast<unsigned char>(b[0]);
    return a < b;
}

}  // namespace tilemeter::report::internal
