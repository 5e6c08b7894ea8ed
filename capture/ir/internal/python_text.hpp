// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Values as Python prints them, for views in the formats of Python programs.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "capture/ir/graph.hpp"

namespace tilemeter::ir::internal {

/// repr(): True, 3, 0.5, 1e-05, 'text', [0, 1]. Element types by `names`: "float32" or "f32".
enum class DtypeNames : std::uint8_t { kOurs, kPython };
std::string python_text(const Attribute& attribute, DtypeNames names);

/// Elements as numbers, row-major: one without brackets for a scalar; of more than `most` only the first.
std::string python_text(const Constant& constant, std::size_t most);

/// "(2, 3)", "(2,)", "()".
std::string python_tuple(std::span<const std::string> elements);

/// "float32", "bfloat16", "int64", "bool", "bfloat8_b".
std::string python_name_of(ElementType type);

/// Names that are Python identifiers and distinct: what is no letter, digit or underscore becomes one, and a name
/// that is taken gets _1, _2, ...
class PythonNames {
public:
    std::string next(std::string_view wanted);

private:
    std::unordered_map<std::string, std::uint64_t> taken_;  ///< uses of each, to find a free number fast
};

}  // namespace tilemeter::ir::internal
