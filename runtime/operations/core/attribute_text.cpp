// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/attribute_text.hpp"

#include <array>
#include <cstdio>

namespace tilemeter {

std::string attribute_text(double value) {
    std::array<char, 32> text{};
    const int length = std::snprintf(text.data(), text.size(), "%g", value);
    return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace tilemeter
