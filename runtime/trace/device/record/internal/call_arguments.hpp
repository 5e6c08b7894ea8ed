// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The arguments of an operation's call by the names of its parameters, as equations of "ttnn" graphs have them.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include "capture/events/ids.hpp"
#include "capture/ir/attributes.hpp"
#include "runtime/operations/core/object_room.hpp"

namespace tilemeter {
class Tensor;
struct OperationRow;
}  // namespace tilemeter

namespace tilemeter::trace::internal {

struct TensorArgument {
    record::TensorId tensor{};
    record::BufferId buffer{};  ///< kNone: on the host
    record::TensorSpecId spec{};
};

/// The table of parameters of one definition.
struct ArgumentTable;

/// Arguments without their tensors, so that a trace keeps no memory alive. What is false holds none.
class GivenArguments {
public:
    GivenArguments() = default;
    /// `room` outlives it.
    GivenArguments(const ArgumentTable& table, const void* arguments, std::vector<TensorArgument>& tensors,
                   ObjectRoom& room);
    GivenArguments(GivenArguments&& other) noexcept
        : table_(std::exchange(other.table_, nullptr)), row_(other.row_), kept_(other.kept_) {}
    GivenArguments& operator=(GivenArguments&& other) noexcept {
        if (this == &other) return *this;
        destroy();
        table_ = std::exchange(other.table_, nullptr);
        row_ = other.row_;
        kept_ = other.kept_;
        return *this;
    }
    ~GivenArguments() { destroy(); }

    explicit operator bool() const { return table_ != nullptr; }

    /// All that was given but tensors. What scopes do not list is here only where it differs from its default. With
    /// "operands", the names of the tensors' parameters, where a tensor is left out in front of one that is given or
    /// a list stands in front of one.
    [[nodiscard]] ir::Attributes attributes() const;

    /// One of them, without making the others; none: it is not among them.
    [[nodiscard]] std::optional<ir::Attribute> attribute(std::string_view name) const;

private:
    void destroy() noexcept {
        if (table_ != nullptr) destroy_kept();
    }
    void destroy_kept() noexcept;

    const ArgumentTable* table_ = nullptr;
    const OperationRow* row_ = nullptr;  ///< the definition's, where it has rows
    std::byte* kept_ = nullptr;          ///< as the table lays it out
};

/// `definition`: the type of `arguments`, whose tensors are appended to `tensors` in the order of the parameters, lists one
/// after the other. `room` outlives what is returned. False: it is no operation's definition.
GivenArguments given_arguments(const std::type_info& definition, const void* arguments,
                               std::vector<TensorArgument>& tensors, ObjectRoom& room);

/// `is_output`: what the tensor holds is written over and not read.
using VisitTensor = void (*)(void* context, std::string_view parameter, bool is_output, const Tensor& tensor);

/// Visits the tensors of `arguments` in that order; names of parameters live as long as the process. Returns the operation's name below ttnn ("experimental::rotary_embedding"),
/// which lives as long as the process; null: `definition` is no operation's.
const char* visit_tensors(const std::type_info& definition, const void* arguments, VisitTensor visit,
                          void* context);

/// "experimental.rotary_embedding" of "experimental::rotary_embedding".
std::string dotted(std::string_view name);

/// Lists have elements of one kind, or texts.
ir::Attribute list_of(const std::vector<ir::Attribute>& values);

}  // namespace tilemeter::trace::internal
