// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>

namespace tilemeter::ir {

/// The origin of an equation.
struct Location {
    std::string file;
    std::uint32_t line = 0;
    std::string scope;  ///< modules or functions around it, outermost first: "encoder/0"

    [[nodiscard]] bool empty() const { return file.empty() && line == 0 && scope.empty(); }
    friend bool operator==(const Location&, const Location&) = default;
};

}  // namespace tilemeter::ir
