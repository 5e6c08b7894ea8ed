// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The tensors of an operation's call, by the names of the parameters that they were given for.

#pragma once

#include <string_view>
#include <typeinfo>
#include <vector>

#include "runtime/tensor/tensor.hpp"

namespace tilemeter::trace::backward {

/// As long as the call's arguments are there.
struct GivenTensor {
    std::string_view parameter;
    bool is_output;  ///< what it holds is written over and not read
    const Tensor* tensor;
};

/// Appends them in the order of the parameters, lists one after the other. Returns the operation's name below ttnn
/// ("experimental::rotary_embedding"), which lives as long as the process; null: it is no operation's definition.
const char* list_tensors(const std::type_info& definition, const void* arguments,
                         std::vector<GivenTensor>& tensors);

}  // namespace tilemeter::trace::backward
