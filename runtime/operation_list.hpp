// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// All operations as data: what their definitions say of them. The families' definitions.hpp are the only
// lists that are written by hand.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <string>
#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct ListedParameter {
    const char* name;
    ParameterKind kind;
    bool is_required;
};

struct ListedOperation {
    const char* family;  ///< its folder below runtime/operations: "sliding_window"
    std::string name;    ///< as in Python, below ttnn: "rotate", "experimental.rotary_embedding"
    const char* documentation;
    std::string golden;  ///< the name of the operation that has its golden function; most often its own
    std::vector<ListedParameter> parameters;

    /// "rotate(input_tensor, angle, *, [center], [fill], ...)": what may be left out stands in brackets.
    std::string signature() const;
};

/// Family by family, in the order of their lists; overloads are entries of one name.
const std::vector<ListedOperation>& all_operations();

}  // namespace tilemeter
