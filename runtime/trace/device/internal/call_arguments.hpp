// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The arguments of an operation's call by the names of its parameters, as equations of "ttnn" graphs have them.

#pragma once

#include <memory>
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

/// Arguments without their tensors, so that a trace keeps no memory alive.
class GivenArguments {
public:
    GivenArguments() = default;
    GivenArguments(const GivenArguments&) = delete;
    GivenArguments& operator=(const GivenArguments&) = delete;
    virtual ~GivenArguments() = default;

    /// All that was given but tensors. What scopes do not list is here only where it differs from its default. With
    /// "operands", the names of the tensors' parameters, where a tensor is left out in front of one that is given or
    /// a list stands in front of one.
    [[nodiscard]] virtual ir::Attributes attributes() const = 0;
};

/// `definition`: the type of `arguments`, whose tensors are appended to `tensors` in the order of the parameters, lists one
/// after the other. Null: it is no operation's definition.
std::unique_ptr<const GivenArguments> given_arguments(const std::type_info& definition, const void* arguments,
                                                      std::vector<TensorArgument>& tensors);

/// Lists have elements of one kind, or texts.
ir::Attribute list_of(const std::vector<ir::Attribute>& values);

}  // namespace tilemeter::trace::internal
