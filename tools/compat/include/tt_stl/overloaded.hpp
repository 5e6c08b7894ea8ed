// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// ttsl::overloaded: several functions as one, for std::visit.

#pragma once

namespace ttsl {

template <typename... Functions>
struct overloaded : Functions... {
    using Functions::operator()...;
};
template <typename... Functions>
overloaded(Functions...) -> overloaded<Functions...>;

}  // namespace ttsl

namespace tt::stl {
using ttsl::overloaded;
}  // namespace tt::stl
