// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The arguments of recorded rows as values of the types that parameters have.

#pragma once

#include <cstddef>
#include <typeinfo>

#include <nlohmann/json.hpp>

namespace tilemeter::oracle {

/// Reads one argument of a row into the object at `value`, of one of ArgumentTypes (runtime/operations/argument_types.hpp).
/// Throws std::exception where it has another form, or rows have no arguments of that type.
void read_argument(const nlohmann::json& text, const std::type_info& type, std::byte* value);

}  // namespace tilemeter::oracle
