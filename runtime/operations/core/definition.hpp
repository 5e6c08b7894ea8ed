// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The definition of an operation that users call: a struct of its arguments, one table of its parameters, and
// its body. Everything else that has to know the signature is made from the table: the C++ function with its
// default arguments, what a recorded scope lists, the Python function with its documentation
// (tools/python/bindings/operations/operations.cpp), and the call by name that replays recorded rows
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
//             parameters(required<&Rotate::input_tensor>(), required<&Rotate::angle>(),
//                        keyword<&Rotate::fill>(), keyword<&Rotate::memory_config>());
//         Tensor body() const;
//     };
//     inline constexpr Operation<Rotate> rotate;
//
//     Tensor Rotate::body() const {                                // rotate.cpp
//         return launch(RotateOperation{...}, {input_tensor});
//     }
//
//     rotate(image, 30.0F);  rotate({.input_tensor = image, .angle = 30.0F, .fill = 1.0F});
//
// A call runs body() in the operation's scope. A definition that refuses arguments before its scope begins, or
// returns something else than its scope lists, has call() instead, which begins the scope by in_operation().
//
// A parameter has its member's name, or another: keyword("fill_value", &Rotate::fill). A default is the
// member's initializer. Memory that is given for a result is an output(): keyword<&Rotate::output_tensor>().output().
// A family's definitions.hpp lists its definitions.
//
// Operations of one formula are rows of one definition: a `Row`, derived from OperationRow, has a column for
// each thing that differs, and the definition points at its row:
//
//     struct ElementFunction {
//         struct Row : OperationRow {
//             UnaryOpType function;
//         };
//         static constexpr const char* kDocumentation = "Each element by itself ...";
//         const Row* row = nullptr;
//         Tensor input_tensor{};
//         static constexpr auto kParameters = parameters(required<&ElementFunction::input_tensor>());
//         Tensor body() const;
//     };
//     inline constexpr OperationOf<ElementFunction> relu{"relu", UnaryOpType::RELU};

#pragma once

#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <variant>

#include "runtime/operations/core/operation_call.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

/// What is said of an operation beside its parameters.
struct OperationInfo {
    const char* name;           ///< below ttnn: "rotate", "experimental::rotary_embedding"
    const char* documentation;  ///< shapes, dtypes, layouts, the formula
    /// The name below which tools/python/tilemeter/_src/golden/golden_functions.py has the same in torch, where it is
    /// another operation's: "identity" for those that only move values. Null: the operation's own.
    const char* golden = nullptr;
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

/// The name of an operation and that of its scopes, where that is another one.
struct RowName {
    constexpr RowName(const char* name) : operation(name), scope(name) {}
    constexpr RowName(const char* name, const char* of_scopes) : operation(name), scope(of_scopes) {}

    const char* operation;
    const char* scope;
};

/// What of an operation a table of operations has: the base of the rows, which are aggregates.
struct OperationRow {
    OperationInfo operation;
    LazyOperationName scope_name;
};

/// Whether the definition stands for several operations, of which each is a row.
template <typename Definition>
concept HasRows = std::derived_from<typename Definition::Row, OperationRow>;

/// Whether all its rows have one documentation.
template <typename Definition>
concept HasDocumentation = requires {
    Definition::kDocumentation;
};
template <typename Definition>
concept DocumentsEachRow = !HasDocumentation<Definition>;

/// Stands for the name of a member: made of the compiler's text where somebody asks for it.
template <auto Member>
struct MemberName {
    static constexpr const char* get();
};

/// One row of a table of parameters. `Member`: the type of a pointer to the definition's member. `Name`: a
/// text, a MemberName, or, as `Default`, a pointer to that column of the definition's row that says it.
template <typename Member, typename Name = const char*, typename Default = std::nullptr_t>
struct Parameter {
    Name name;
    Member member;
    ParameterKind kind;
    bool is_required;
    bool is_recorded = true;  ///< listed among the arguments of a recorded scope
    bool is_output = false;   ///< memory for a result: written to, of what it held nothing is read
    Default default_column{};

    /// The same, left out of recorded scopes, as TT-NN leaves it out.
    constexpr Parameter unrecorded() const {
        return {name, member, kind, is_required, false, is_output, default_column};
    }
    /// The same, a tensor that a result is written to and that is not read.
    constexpr Parameter output() const {
        return {name, member, kind, is_required, is_recorded, true, default_column};
    }
    /// The same, with the name in that column of the definition's row.
    template <typename Column>
    constexpr Parameter<Member, Column, Default> named_by(Column column) const {
        return {column, member, kind, is_required, is_recorded, is_output, default_column};
    }
    /// The same, with the default in that column of the definition's row.
    template <typename Column>
    constexpr Parameter<Member, Name, Column> default_by(Column column) const {
        return {name, member, kind, is_required, is_recorded, is_output, column};
    }
};

/// By place or name; a caller must give it.
template <typename Member>
constexpr Parameter<Member> required(const char* name, Member member) {
    return {name, member, ParameterKind::kPositional, true};
}
template <auto kMember>
constexpr Parameter<decltype(kMember), MemberName<kMember>> required() {
    return {{}, kMember, ParameterKind::kPositional, true};
}
/// By place or name; a caller may leave it out.
template <typename Member>
constexpr Parameter<Member> optional(const char* name, Member member) {
    return {name, member, ParameterKind::kPositional, false};
}
template <auto kMember>
constexpr Parameter<decltype(kMember), MemberName<kMember>> optional() {
    return {{}, kMember, ParameterKind::kPositional, false};
}
/// In Python by name only; a caller may leave it out.
template <typename Member>
constexpr Parameter<Member> keyword(const char* name, Member member) {
    return {name, member, ParameterKind::kKeyword, false};
}
template <auto kMember>
constexpr Parameter<decltype(kMember), MemberName<kMember>> keyword() {
    return {{}, kMember, ParameterKind::kKeyword, false};
}
/// In Python by name only; a caller must give it.
template <typename Member>
constexpr Parameter<Member> required_keyword(const char* name, Member member) {
    return {name, member, ParameterKind::kKeyword, true};
}
template <auto kMember>
constexpr Parameter<decltype(kMember), MemberName<kMember>> required_keyword() {
    return {{}, kMember, ParameterKind::kKeyword, true};
}

template <typename... Rows>
struct ParameterTable;
template <typename... Members, typename... Names, typename... Defaults>
constexpr ParameterTable<Parameter<Members, Names, Defaults>...> parameters(
    Parameter<Members, Names, Defaults>... rows);

namespace internal {

template <std::size_t Index, typename Row>
struct TableEntry {
    Row row;
};
template <typename Indices, typename... Rows>
struct TableEntries;
template <std::size_t... Index, typename... Rows>
struct TableEntries<std::index_sequence<Index...>, Rows...> : TableEntry<Index, Rows>... {};

template <std::size_t Index, typename Row>
constexpr const Row& row_at(const TableEntry<Index, Row>& entry) {
    return entry.row;
}

template <typename Member, typename Name, typename Default>
constexpr auto as_group(const Parameter<Member, Name, Default>& row) {
    return parameters(row);
}
template <typename... Rows>
constexpr const ParameterTable<Rows...>& as_group(const ParameterTable<Rows...>& group) {
    return group;
}

}  // namespace internal

/// A table of parameters. A std::tuple would take the compiler three times as long.
template <typename... Rows>
struct ParameterTable : internal::TableEntries<std::index_sequence_for<Rows...>, Rows...> {
    static constexpr std::size_t kSize = sizeof...(Rows);

    /// The same and further rows, one by one or in groups.
    template <typename... Further>
    constexpr ParameterTable<Rows..., Further...> with(Further... further) const {
        return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
            return ParameterTable<Rows..., Further...>{{{internal::row_at<Index>(*this)}..., {further}...}};
        }
        (std::index_sequence_for<Rows...>());
    }
    template <typename... Further, typename... More>
    constexpr auto with(const ParameterTable<Further...>& group, const More&... more) const {
        return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
            const auto joined = with(internal::row_at<Index>(group)...);
            if constexpr (sizeof...(More) == 0) {
                return joined;
            } else {
                return joined.with(more...);
            }
        }
        (std::index_sequence_for<Further...>());
    }
};

/// A table of rows, or of groups of rows.
template <typename... Members, typename... Names, typename... Defaults>
constexpr ParameterTable<Parameter<Members, Names, Defaults>...> parameters(
    Parameter<Members, Names, Defaults>... rows) {
    return {{{rows}...}};
}
template <typename... Groups>
constexpr auto parameters(const Groups&... groups) {
    return ParameterTable<>().with(internal::as_group(groups)...);
}

/// A group of rows, each with its member's name: required<&Rotate::input_tensor, &Rotate::angle>().
template <auto First, auto Second, auto... More>
constexpr auto required() {
    return parameters(required<First>(), required<Second>(), required<More>()...);
}
template <auto First, auto Second, auto... More>
constexpr auto optional() {
    return parameters(optional<First>(), optional<Second>(), optional<More>()...);
}
template <auto First, auto Second, auto... More>
constexpr auto keyword() {
    return parameters(keyword<First>(), keyword<Second>(), keyword<More>()...);
}
template <auto First, auto Second, auto... More>
constexpr auto required_keyword() {
    return parameters(required_keyword<First>(), required_keyword<Second>(), required_keyword<More>()...);
}
/// By name only, a caller may leave it out, left out of recorded scopes.
template <auto... Members>
constexpr auto unrecorded_keyword() {
    return parameters(keyword<Members>().unrecorded()...);
}

/// A family's definitions.
template <typename... Each>
struct Definitions {};

/// Calls the operation with these arguments.
template <typename Definition>
auto call_operation(const Definition& arguments);

template <typename Definition>
inline constexpr std::size_t kParameterCount = Definition::kParameters.kSize;

/// The row at `Index` of a definition's table.
template <typename Definition, std::size_t Index>
inline constexpr const auto& kParameter = internal::row_at<Index>(Definition::kParameters);

namespace internal {

template <typename Value, typename Definition>
Value value_of(Value Definition::*);

}  // namespace internal

/// The type of a definition's member that the parameter at `Index` of its table sets.
template <typename Definition, std::size_t Index>
using ParameterType = decltype(internal::value_of(internal::row_at<Index>(Definition::kParameters).member));

/// The definition's name and documentation, or those of its row.
template <typename Definition>
const OperationInfo& operation_info(const Definition& arguments) {
    if constexpr (HasRows<Definition>) {
        return arguments.row->operation;
    } else {
        return Definition::kOperation;
    }
}

namespace internal {

// The member's name, which ends what the compiler calls this function: "... [with auto Member =
// &tilemeter::Rotate::angle]".
template <auto Member>
constexpr auto member_name() {
    constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    constexpr std::string_view kFunction = __PRETTY_FUNCTION__;
    constexpr std::size_t kEnd = kFunction.find_last_of(kLetters) + 1;
    constexpr std::size_t kBegin = kFunction.find_last_not_of(kLetters, kEnd - 1) + 1;
    std::array<char, kEnd - kBegin + 1> name{};
    for (std::size_t i = kBegin; i < kEnd; ++i)
        name[i - kBegin] = kFunction[i];
    return name;
}
template <auto Member>
inline constexpr auto kMemberName = member_name<Member>();

}  // namespace internal

template <auto Member>
constexpr const char* MemberName<Member>::get() {
    return internal::kMemberName<Member>.data();
}

/// The name of the parameter at `Index` of the table.
template <std::size_t Index, typename Definition>
const char* parameter_name(const Definition& arguments) {
    constexpr auto kName = kParameter<Definition, Index>.name;
    if constexpr (std::is_same_v<decltype(kName), const char* const>) {
        return kName;
    } else if constexpr (requires { kName.get(); }) {
        return kName.get();
    } else {
        return arguments.row->*kName;
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
        [&]<std::size_t... Index>(std::index_sequence<Index...>) {
            (set_default(arguments, kParameter<Definition, Index>), ...);
        }
        (std::make_index_sequence<kParameterCount<Definition>>());
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

// How many parameters a call by place gives at least: up to the last that a caller must give.
template <typename Definition, std::size_t... Index>
constexpr std::size_t count_required(std::index_sequence<Index...>) {
    std::size_t count = 0;
    ((count = kParameter<Definition, Index>.is_required ? Index + 1 : count), ...);
    return count;
}

// A call with the first parameters of the table by place. `Caller` derives from it and has `defaults`.
template <typename Caller, typename Definition, typename Indices>
class CallByPlace;
template <typename Caller, typename Definition, std::size_t... Index>
class CallByPlace<Caller, Definition, std::index_sequence<Index...>> {
public:
    auto operator()(const ParameterType<Definition, Index>&... given) const {
        Definition arguments = static_cast<const Caller&>(*this).template defaults<Definition>()();
        ((arguments.*kParameter<Definition, Index>.member = given), ...);
        return call_operation(arguments);
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
constexpr std::size_t required_count() {
    return count_required<Definition>(std::make_index_sequence<kParameterCount<Definition>>());
}

template <typename Caller, typename Definition>
using AllCallsByPlace =
    CallsByPlace<Caller, Definition, required_count<Definition>(),
                 std::make_index_sequence<kParameterCount<Definition> - required_count<Definition>() + 1>>;

template <typename Definition, std::size_t Index>
inline constexpr bool kIsListed =
    kParameter<Definition, Index>.is_recorded && !kIsNoArgument<ParameterType<Definition, Index>>;

template <bool IsListed, typename T>
void emit_if_listed(const T& argument) {
    if constexpr (IsListed) emit_one(argument);
}
template <bool IsListed, typename T>
void emit_if_listed_input(const T& argument) {
    if constexpr (IsListed) emit_if_input(argument);
}

// Begins a scope that lists the recorded rows of the table.
template <typename Definition, std::size_t... Index>
void begin_scope_of(record::TextId name, const Definition& arguments, std::index_sequence<Index...>) {
    begin_scope(name, (std::uint64_t{0} + ... + (kIsListed<Definition, Index> ? 1 : 0)));
    if (record::recording_arguments())
        (emit_if_listed<kIsListed<Definition, Index>>(arguments.*kParameter<Definition, Index>.member), ...);
    (emit_if_listed_input<kIsListed<Definition, Index>>(arguments.*kParameter<Definition, Index>.member),
     ...);
}

}  // namespace internal

/// The C++ function of a definition: called with its arguments by place, in the order of the table, or with a
/// whole `Definition`.
template <typename Definition>
class Operation : public internal::AllCallsByPlace<Operation<Definition>, Definition> {
public:
    using internal::AllCallsByPlace<Operation<Definition>, Definition>::operator();
    auto operator()(const Definition& arguments) const { return call_operation(arguments); }
    template <typename Of>
    constexpr Defaults<Of> defaults() const {
        return {};
    }
};

/// The C++ function of a row, called with its arguments by place. Several definitions with the same `Row` are
/// overloads. Made of the name, the documentation unless the definition has one for all rows
/// (`kDocumentation`), and the row's columns.
template <typename First, typename... Others>
class OperationOf : public internal::AllCallsByPlace<OperationOf<First, Others...>, First>,
                    public internal::AllCallsByPlace<OperationOf<First, Others...>, Others>... {
public:
    using Row = typename First::Row;

    template <typename... Columns>
    requires HasDocumentation<First>
    constexpr OperationOf(RowName name, Columns... columns)  // NOLINT: part of Overloaded's braces
        : row_{OperationInfo{name.operation, First::kDocumentation}, LazyOperationName(name.scope),
               columns...} {}
    template <typename... Columns>
    requires DocumentsEachRow<First>
    constexpr OperationOf(RowName name, const char* documentation, Columns... columns)
        : row_{OperationInfo{name.operation, documentation}, LazyOperationName(name.scope), columns...} {}

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

// Begins a scope that lists the recorded rows of the table, or what `recorded()` of the definition returns
// where TT-NN lists something else: a tuple, or a variant of tuples where it depends on the arguments.
template <typename Definition>
void begin_scope_of(record::TextId name, const Definition& arguments) {
    if constexpr (requires { arguments.recorded().index(); }) {
        std::visit([&](const auto& recorded) { begin_scope(name, recorded); }, arguments.recorded());
    } else if constexpr (requires { arguments.recorded(); }) {
        begin_scope(name, arguments.recorded());
    } else {
        begin_scope_of(name, arguments, std::make_index_sequence<kParameterCount<Definition>>());
    }
}

template <typename Definition>
inline constexpr CallSite kCallSite{.definition = &typeid(Definition),
                                    .scope_name = [](const void* arguments) -> const OperationName& {
                                        return scope_name_of(*static_cast<const Definition*>(arguments));
                                    },
                                    .begin_scope =
                                        [](record::TextId name, const void* arguments) {
                                            begin_scope_of(name, *static_cast<const Definition*>(arguments));
                                        }};

}  // namespace internal

/// Runs `body` as a call of the operation: the one place through which every call of a definition goes.
template <typename Definition, typename Body>
auto in_operation(const Definition& arguments, const Body& body) {
    using Result = decltype(body());
    return internal::run_call<Result>(internal::kCallSite<Definition>, &arguments,
                                      {.context = &body, .run = [](const void* context) {
                                           return (*static_cast<const Body*>(context))();
                                       }});
}

template <typename Definition>
auto call_operation(const Definition& arguments) {
    if constexpr (requires { arguments.body(); }) {
        // Not by in_operation(): with a lambda between, a planned operation takes 3 % more.
        using Result = decltype(arguments.body());
        return internal::run_call<Result>(internal::kCallSite<Definition>, &arguments,
                                          {.context = &arguments, .run = [](const void* context) {
                                               return static_cast<const Definition*>(context)->body();
                                           }});
    } else {
        return arguments.call();
    }
}

}  // namespace tilemeter
