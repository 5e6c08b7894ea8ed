// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// TT-NN's C++ functions: in which order they take which parameters. Read from the tables that TT-NN's headers here are made of
// (tools/compat/functions).
//
// Thread safety: calls are free.

#pragma once

#include <string_view>
#include <vector>

namespace tilemeter::compiled {

struct FormParameter {
    std::string_view type;  ///< "const std::optional<::ttnn::Tensor>&"
    std::string_view name;  ///< of the operation's parameter; "-": none
    std::string_view fallback;
    bool is_required = false;
};

struct Form {
    std::string_view header;  ///< "ttnn/operations/matmul/matmul.hpp"
    std::string_view name;    ///< "ttnn::matmul"
    std::string_view operation;
    std::string_view result;  ///< its type
    std::vector<FormParameter> parameters;
};

/// In the order of the tables; nothing where C++ has no such function.
const std::vector<Form>& forms_of(std::string_view operation);

}  // namespace tilemeter::compiled
