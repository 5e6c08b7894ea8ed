// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The definition of an operation that users call: a struct of its arguments, one table of its parameters, and
// its body. Everything else that has to know the signature is made from the table: the C++ function with its
// default arguments, what a recorded scope lists, the Python function with its documentation
// (tools/python/bindings/definition.hpp), and the call by name that replays recorded rows
// (tools/oracle_check/definition_call.hpp).
//
//     struct Rotate {                                              // rotate.hpp
//         Tensor input_tensor;
//         float angle = 0.0F;
//         float fill = 0.0F;
//         OptionalMemoryConfig memory_config;
//
//         static constexpr OperationInfo kOperation{"rotate", "Images turned by `angle` degrees ..."};
//         static constexpr auto kParameters =
//             parameters(required("input_tensor", &Rotate::input_tensor), required("angle", &Rotate::angle),
//                        keyword("fill", &Rotate::fill), keyword("memory_config", &Rotate::memory_config));
//         Tensor call() const;
//     };
//     inline constexpr Operation<Rotate> rotate;
//
//     Tensor Rotate::call() const {                                // rotate.cpp
//         return in_operation(*this, [&] { return launch(RotateOperation{...}, {input_tensor}); });
//     }
//
//     rotate(image, 30.0F);  rotate({.input_tensor = image, .angle = 30.0F, .fill = 1.0F});
//
// A default is the member's initializer. A family's definitions.hpp lists its definitions.
//
// Operations of one formula are rows of one definition: a `Row`, derived from OperationRow, has a column for
// each thing that differs, and the definition points at its row:
//
//     struct ElementFunction {
//         struct Row : OperationRow {
//             constexpr Row(const char* name, UnaryOpType type) : OperationRow(name, kDoc), function(type) {}
//             UnaryOpType function;
//         };
//         const Row* row = nullptr;
//         Tensor input_tensor{};
//         static constexpr auto kParameters = parameters(required("input_tensor", &ElementFunction::input_tensor));
//         Tensor call() const;
//     };
//     inline constexpr OperationOf<ElementFunction> relu{"relu", UnaryOpType::RELU};
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/operations/core/require.hpp"

namespace tilemeter {

/// What is said of an operation beside its parameters.
struct OperationInfo {
    const char* name;           ///< below ttnn: "rotate", "experimental::rotary_embedding"
    const char* documentation;  ///< shapes, dtypes, layouts, the formula
    /// The function of tools/python/tilemeter/_golden_functions.py that computes the same in torch; empty: the
    /// one of the operation's own name.
    const char* golden = "";
};

enum class ParameterKind : std::uint8_t {
    kPositional,  ///< by place or by name
    kKeyword,     ///< in Python by name only
};

/// An operation's name that is interned when it is first asked for, so that constants can have one.
class LazyOperationName {
public:
    constexpr explicit LazyOperationName(const char* name) : name_(name) {}
    const OperationName& get() const {
        const OperationName* interned = interned_.load(std::memory_order_acquire);
        return interned != nullptr ? *interned : intern();
    }

private:
    const OperationName& intern() const;

    const char* name_;
    mutable std::atomic<const OperationName*> interned_{nullptr};  ///< lives as long as the process
};

/// What of an operation a table of operations has: the base of the rows.
struct OperationRow {
    /// `scope`: the name of its scopes, where that is another one.
    constexpr OperationRow(const char* name, const char* documentation, const char* scope = nullptr)
        : operation{name, documentation}, scope_name(scope == nullptr ? name : scope) {}

    OperationInfo operation;
    LazyOperationName scope_name;
};

/// Whether the definition stands for several operations, of which each is a row.
template <typename Definition>
concept HasRows = std::derived_from<typename Definition::Row, OperationRow>;

/// One row of a table of parameters. Where the definition has rows itself, `NameColumn` and `DefaultColumn`
/// are pointers to those of its columns that say the parameter's name and default.
template <typename Definition, typename Value, typename NameColumn = std::nullptr_t,
          typename DefaultColumn = std::nullptr_t>
struct Parameter {
    const char* name;
    Value Definition::*member;
    ParameterKind kind;
    bool is_required;
    bool is_recorded = true;  ///< listed among the arguments of a recorded scope
    NameColumn name_column{};
    DefaultColumn default_column{};

    /// The same, left out of recorded scopes, as TT-NN leaves it out.
    constexpr Parameter unrecorded() const {
        return {name, member, kind, is_required, false, name_column, default_column};
    }
    /// The same, with the name in that column of the definition's row.
    template <typename Column>
    constexpr Parameter<Definition, Value, Column, DefaultColumn> named_by(Column column) const {
        return {name, member, kind, is_required, is_recorded, column, default_column};
    }
    /// The same, with the default in that column of the definition's row.
    template <typename Column>
    constexpr Parameter<Definition, Value, NameColumn, Column> default_by(Column column) const {
        return {name, member, kind, is_required, is_recorded, name_column, column};
    }
};

/// By place or name; a caller must give it.
template <typename Definition, typename Value>
constexpr Parameter<Definition, Value> required(const char* name, Value Definition::*member) {
    return {name, member, ParameterKind::kPositional, true};
}
/// By place or name; a caller may leave it out.
template <typename Definition, typename Value>
constexpr Parameter<Definition, Value> optional(const char* name, Value Definition::*member) {
    return {name, member, ParameterKind::kPositional, false};
}
/// In Python by name only; a caller may leave it out.
template <typename Definition, typename Value>
constexpr Parameter<Definition, Value> keyword(const char* name, Value Definition::*member) {
    return {name, member, ParameterKind::kKeyword, false};
}
/// In Python by name only; a caller must give it.
template <typename Definition, typename Value>
constexpr Parameter<Definition, Value> required_keyword(const char* name, Value Definition::*member) {
    return {name, member, ParameterKind::kKeyword, true};
}

template <typename... Rows>
constexpr std::tuple<Rows...> parameters(Rows... rows) {
    return {rows...};
}

/// An argument that TT-NN takes and that changes nothing here: any value is accepted.
struct Ignored {};

/// An argument of TT-NN's that is not modelled: refused in call() unless it is None.
struct NotModelled {
    bool is_given = false;
};

/// Throws RuntimeError, in one line, if it is given.
inline void require_none(NotModelled value, const char* operation, const char* argument) {
    require(!value.is_given, [&] {
        return std::string(operation) + ": " + argument + ": expected None, other values are not modelled";
    });
}

/// An argument of which only TT-NN's default is modelled: None, an empty list, tiles of 32 x 32.
/// require_default() in call() refuses others.
struct OnlyDefault {
    std::string given{};   ///< another value as Python writes it; empty: the default
    bool is_list = false;  ///< the default is an empty list, else None
};
inline void require_default(const OnlyDefault& argument, const char* name) {
    require(argument.given.empty(), [&] {
        return std::string(name) + ": expected None, got " + argument.given + ", which is not modelled";
    });
}

/// None of these is listed by recorded scopes.
template <typename Value>
inline constexpr bool kIsNoArgument = std::is_same_v<Value, Ignored> || std::is_same_v<Value, NotModelled> ||
                                      std::is_same_v<Value, OnlyDefault>;

/// A family's definitions.
template <typename... Each>
struct Definitions {};

template <typename Definition>
inline constexpr std::size_t kParameterCount = std::tuple_size_v<decltype(Definition::kParameters)>;

/// The type of a definition's member that the parameter at `Index` of its table sets.
template <typename Definition, std::size_t Index>
using ParameterType = std::remove_cvref_t<decltype(std::declval<const Definition&>().*
                                                   std::get<Index>(Definition::kParameters).member)>;

/// The definition's name and documentation, or those of its row.
template <typename Definition>
const OperationInfo& operation_info(const Definition& arguments) {
    if constexpr (HasRows<Definition>) {
        return arguments.row->operation;
    } else {
        return Definition::kOperation;
    }
}

/// The name of the parameter at `Index` of the table.
template <std::size_t Index, typename Definition>
const char* parameter_name(const Definition& arguments) {
    constexpr auto kParameter = std::get<Index>(Definition::kParameters);
    if constexpr (std::is_same_v<decltype(kParameter.name_column), std::nullptr_t>) {
        return kParameter.name;
    } else {
        return arguments.row->*kParameter.name_column;
    }
}

/// Makes a definition's arguments, all of them defaults.
template <typename Definition>
struct Defaults {
    Definition operator()() const { return {}; }
};
template <HasRows Definition>
struct Defaults<Definition> {
    const typename Definition::Row* row;

    Definition operator()() const {
        Definition arguments;
        arguments.row = row;
        std::apply([&](const auto&... parameter) { (set_default(arguments, parameter), ...); },
                   Definition::kParameters);
        return arguments;
    }

private:
    template <typename Parameter>
    void set_default(Definition& arguments, const Parameter& parameter) const {
        if constexpr (!std::is_same_v<decltype(parameter.default_column), std::nullptr_t>)
            arguments.*parameter.member = row->*parameter.default_column;
    }
};

namespace internal {

template <typename Definition, std::size_t... Index>
constexpr std::size_t count_required(std::index_sequence<Index...>) {
    return (std::size_t{0} + ... + (std::get<Index>(Definition::kParameters).is_required ? 1 : 0));
}

// A call with the first parameters of the table by place. `Caller` derives from it and has `defaults`.
template <typename Caller, typename Definition, typename Indices>
class CallByPlace;
template <typename Caller, typename Definition, std::size_t... Index>
class CallByPlace<Caller, Definition, std::index_sequence<Index...>> {
public:
    auto operator()(const ParameterType<Definition, Index>&... given) const {
        Definition arguments = static_cast<const Caller&>(*this).template defaults<Definition>()();
        ((arguments.*std::get<Index>(Definition::kParameters).member = given), ...);
        return arguments.call();
    }
};

// One such call for each number of arguments between those required and all.
template <typename Caller, typename Definition, std::size_t Required, typename Further>
class CallsByPlace;
template <typename Caller, typename Definition, std::size_t Required, std::size_t... Further>
class CallsByPlace<Caller, Definition, Required, std::index_sequence<Further...>>
    : public CallByPlace<Caller, Definition, std::make_index_sequence<Required + Further>>... {
public:
    using CallByPlace<Caller, Definition, std::make_index_sequence<Required + Further>>::operator()...;
};

template <typename Definition>
inline constexpr std::size_t kRequiredCount =
    count_required<Definition>(std::make_index_sequence<kParameterCount<Definition>>());

template <typename Caller, typename Definition>
using AllCallsByPlace =
    CallsByPlace<Caller, Definition, kRequiredCount<Definition>,
                 std::make_index_sequence<kParameterCount<Definition> - kRequiredCount<Definition> + 1>>;

// The member as a tuple of a reference, or nothing where scopes do not list it.
template <std::size_t Index, typename Definition>
auto recorded_argument(const Definition& arguments) {
    constexpr auto kRow = std::get<Index>(Definition::kParameters);
    if constexpr (kRow.is_recorded && !kIsNoArgument<ParameterType<Definition, Index>>) {
        return std::tie(arguments.*kRow.member);
    } else {
        return std::tuple<>();
    }
}

template <typename Definition, std::size_t... Index>
auto recorded_arguments(const Definition& arguments, std::index_sequence<Index...>) {
    return std::tuple_cat(recorded_argument<Index>(arguments)...);
}

}  // namespace internal

/// The C++ function of a definition: called with its arguments by place, in the order of the table, or with a
/// whole `Definition`. REQUIRES: required parameters come first in the table.
template <typename Definition>
class Operation : public internal::AllCallsByPlace<Operation<Definition>, Definition> {
public:
    using internal::AllCallsByPlace<Operation<Definition>, Definition>::operator();
    auto operator()(const Definition& arguments) const { return arguments.call(); }
    template <typename Of>
    constexpr Defaults<Of> defaults() const {
        return {};
    }
};

/// The C++ function of a row, called with its arguments by place. Several definitions with the same `Row` are
/// overloads.
template <typename First, typename... Others>
class OperationOf : public internal::AllCallsByPlace<OperationOf<First, Others...>, First>,
                    public internal::AllCallsByPlace<OperationOf<First, Others...>, Others>... {
public:
    using Row = typename First::Row;

    template <typename... Columns>
    constexpr OperationOf(Columns... columns) : row_(columns...) {}  // NOLINT: part of Overloaded's braces

    using internal::AllCallsByPlace<OperationOf, First>::operator();
    using internal::AllCallsByPlace<OperationOf, Others>::operator()...;
    const Row& row() const { return row_; }
    template <typename Of>
    constexpr Defaults<Of> defaults() const {
        return {&row_};
    }

private:
    Row row_;
};

/// Several functions under one name, such as prod with and without an output: each call goes to the one whose
/// arguments it has.
template <typename... Each>
struct Overloaded : Each... {
    using Each::operator()...;
};

/// What a scope of the operation lists: the recorded rows of the table, or what `recorded()` of the
/// definition returns where TT-NN lists something else: a tuple, or a variant of tuples where it depends on
/// the arguments.
template <typename Definition>
auto recorded_arguments(const Definition& arguments) {
    if constexpr (requires { arguments.recorded(); }) {
        return arguments.recorded();
    } else {
        return internal::recorded_arguments(arguments,
                                            std::make_index_sequence<kParameterCount<Definition>>());
    }
}

namespace internal {

template <typename Definition>
const OperationName& scope_name_of(const Definition& arguments) {
    if constexpr (HasRows<Definition>) {
        return arguments.row->scope_name.get();
    } else {
        static const OperationName kName(Definition::kOperation.name);
        return kName;
    }
}

template <typename... Arguments, typename Body>
auto in_operation_listing(const OperationName& name, const std::tuple<Arguments...>& recorded, Body body) {
    return in_operation(name, recorded, std::move(body));
}
template <typename... Tuples, typename Body>
auto in_operation_listing(const OperationName& name, const std::variant<Tuples...>& recorded, Body body) {
    return std::visit([&](const auto& each) { return in_operation(name, each, body); }, recorded);
}

}  // namespace internal

/// Runs `body` as a call of the operation: the one place through which every call of a definition goes.
template <typename Definition, typename Body>
auto in_operation(const Definition& arguments, Body body) {
    const OperationName& name = internal::scope_name_of(arguments);
    if (!record::recording()) {  // recorded_arguments() would copy tensors and memory configs for nobody
        const ScopedUserOperation scope(name.in_style(call_style()));
        return body();
    }
    return internal::in_operation_listing(name, recorded_arguments(arguments), std::move(body));
}

}  // namespace tilemeter
