// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// All operations as data: what their definitions say of them. The families' definitions.hpp are the only
// lists that are written by hand.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstddef>
#include <string>
#include <typeinfo>
#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct ListedParameter {
    /// `name_in_row` of those that have one name in all rows.
    static constexpr std::size_t kInNoRow = ~std::size_t{0};

    const char* name;
    ParameterKind kind;
    bool is_required;
    bool is_recorded;            ///< listed among the arguments of a recorded scope
    bool is_output;              ///< a tensor that a result is written to and that is not read
    const std::type_info* type;  ///< of the definition's member: one of ArgumentTypes (argument_types.hpp)
    std::size_t offset;          ///< of the member in the definition, in bytes
    std::size_t name_in_row;     ///< where in the definition's row its name is, in bytes
};

/// A definition whose type is not known where it is used.
struct ErasedDefinition {
    /// `row_offset` of those that have no rows.
    static constexpr std::size_t kNoRow = ~std::size_t{0};
    /// No definition is larger, in bytes.
    static constexpr std::size_t kMaxSize = 4096;

    const char* name;  ///< as the operation's OperationInfo has it: "experimental::rotary_embedding"
    const std::type_info* type;
    const OperationRow* row = nullptr;  ///< of a table of operations; null: the definition has none
    std::size_t row_offset = kNoRow;    ///< of the pointer to the row in the definition
    /// Makes arguments that are all defaults: those of `of_row`, another row of the same table.
    void (*make)(void* at, const OperationRow* of_row);
    void (*destroy)(void* arguments);
    const std::type_info* result;  ///< one of ResultTypes
    /// Calls the operation: a Result (*)(const void* arguments).
    void (*call)();
};

/// The arguments of a call, all of them defaults at first.
class ErasedArguments {
public:
    explicit ErasedArguments(const ErasedDefinition& definition)
        : ErasedArguments(definition, definition.row) {}
    /// The arguments of another row than the definition's.
    ErasedArguments(const ErasedDefinition& definition, const OperationRow* row)
        : destroy_(definition.destroy) {
        definition.make(storage_, row);
    }
    ~ErasedArguments() { destroy(); }
    ErasedArguments(const ErasedArguments&) = delete;
    ErasedArguments& operator=(const ErasedArguments&) = delete;

    std::byte* get() { return storage_; }
    const std::byte* get() const { return storage_; }
    /// Ends their lives before the scope ends.
    void destroy() {
        if (exists_) destroy_(storage_);
        exists_ = false;
    }

private:
    void (*const destroy_)(void* arguments);
    bool exists_ = true;
    alignas(std::max_align_t) std::byte storage_[ErasedDefinition::kMaxSize];  // NOLINT: set by make()
};

struct ListedOperation {
    const char* family;  ///< its folder below runtime/operations: "sliding_window"
    std::string name;    ///< as in Python, below ttnn: "rotate", "experimental.rotary_embedding"
    const char* documentation;
    std::string golden;  ///< the name of the operation that has its golden function; most often its own
    std::vector<ListedParameter> parameters;
    ErasedDefinition definition;

    /// "rotate(input_tensor, angle, *, [center], [fill], ...)": what may be left out stands in brackets.
    std::string signature() const;
};

/// Family by family, in the order of their lists; overloads are entries of one name.
const std::vector<ListedOperation>& all_operations();

}  // namespace tilemeter
