// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Locations of MLIR, led back to the user's own code: through names, call sites and fusions.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace tilemeter::foreign::mlir {

/// The place in the user's own code.
struct UserPlace {
    std::string name;  ///< "jit(f)/dot_general"
    std::string file;
    std::uint32_t line = 0, column = 0;  ///< 0: not known
};

class Locations {
public:
    explicit Locations(const std::map<std::string_view, std::string_view>& aliases) : aliases_(aliases) {}

    /// What stands in `loc(...)`: the outermost name, and the innermost place in a file (of a call site, that of what was
    /// called; of a fusion, that of its first part that has one).
    UserPlace place(std::string_view location) const;

private:
    void read(std::string_view location, UserPlace& place, int depth) const;

    const std::map<std::string_view, std::string_view>& aliases_;
};

}  // namespace tilemeter::foreign::mlir
