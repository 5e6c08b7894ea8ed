// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The arguments of an operation's call by the names of its parameters, as equations of "ttnn" graphs have them.

#pragma once

#include <optional>
#include <string>
#include <typeinfo>
#include <vector>

#include "capture/ir/attributes.hpp"
#include "capture/record/ids.hpp"

namespace tilemeter::trace::internal {

struct TensorArgument {
    record::TensorId tensor{};
    record::BufferId buffer{};  ///< kNone: on the host
    record::TensorSpecId spec{};
};

struct CallArguments {
    std::vector<TensorArgument> tensors;  ///< in the order of the parameters; lists one after the other
    /// All else that was given. What scopes do not list is here only where it differs from its default. With
    /// "operands", the names of the tensors' parameters, where a tensor is left out in front of one that is given or
    /// a list stands in front of one.
    ir::Attributes attributes;
};

/// `definition`: the type of `arguments`. Nothing: it is no operation's definition.
std::optional<CallArguments> describe_call(const std::type_info& definition, const void* arguments);

/// Lists have elements of one kind, or texts.
ir::Attribute list_of(const std::vector<ir::Attribute>& values);

}  // namespace tilemeter::trace::internal
