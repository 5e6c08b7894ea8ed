// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/cases.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace tilemeter::test {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double kShare = 0.1;
#else
constexpr double kShare = 1;
#endif

double factor() {
    const char* const text = std::getenv("TILEMETER_CASES");
    if (text == nullptr) return 1;
    char* end = nullptr;
    const double found = std::strtod(text, &end);
    if (*text != '\0' && *end == '\0' && found > 0 && found <= 1e6) return found;
    std::cerr << "TILEMETER_CASES: expected a number above 0, at most 1e6, found '" << text << "'\n";
    std::exit(2);
}

}  // namespace

std::uint32_t cases(std::uint32_t count) {
    static const double wanted = factor() * kShare;
    return static_cast<std::uint32_t>(std::clamp(count * wanted, 1.0, 4e9));
}

}  // namespace tilemeter::test
