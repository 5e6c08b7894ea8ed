// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Arguments of calls, as code that people read: of Python, and of C++ where the parameter's type says which form is right.
//
// Thread safety: calls are free.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tools/compat/src/call.hpp"

namespace tilemeter::compiled {

/// Throws RuntimeError for one that Python code cannot say.
std::string python_text(const compat::Argument& argument);

/// None: an argument of that type cannot be this. `type` is a parameter's, without const, references and optionals.
std::optional<std::string> cpp_text(const compat::Argument& argument, std::string_view type);

/// "const std::optional<::ttnn::Tensor>&" is "::ttnn::Tensor".
std::string_view bare_type(std::string_view type);

/// The alternatives of a bare type; itself where it is no variant.
std::vector<std::string_view> alternatives_of(std::string_view type);

}  // namespace tilemeter::compiled
