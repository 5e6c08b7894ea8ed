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
// A parameter has its member's name, or another: keyword<&Rotate::fill>("fill_value"). A default is the member's
// initializer. Memory that is given for a result is an output(): keyword<&Rotate::output_tensor>().output(). Neighbours
// that differ in their members alone are one group: required<&Rotate::input_tensor, &Rotate::angle>().
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
#include <span>
#include <stdexcept>
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

/// The name of a member, made of the compiler's text where somebody asks for it.
template <auto kMember>
struct MemberName {
    static constexpr const char* get();
};

/// The column of a definition's row that has a parameter's default: one of these, or none.
struct DefaultColumn {
    constexpr DefaultColumn() = default;
    constexpr explicit DefaultColumn(bool OperationRow::*column) : flag(column) {}
    constexpr explicit DefaultColumn(int OperationRow::*column) : integer(column) {}
    constexpr explicit DefaultColumn(float OperationRow::*column) : number(column) {}

    bool OperationRow::*flag = nullptr;
    int OperationRow::*integer = nullptr;
    float OperationRow::*number = nullptr;
};

/// What a table says of a parameter, or of several side by side that differ in their members alone. Not a template:
/// who includes an operation would pay for each of its types.
struct Parameter {
    ParameterKind kind;
    bool is_required;
    std::size_t count;           ///< members of which this is said
    const char* name = nullptr;  ///< null: the member's
    bool is_recorded = true;     ///< listed among the arguments of a recorded scope
    bool is_output = false;      ///< memory for a result: written to, of what it held nothing is read
    /// The column of the definition's row that says the name; null: none.
    const char* OperationRow::*name_column = nullptr;
    DefaultColumn default_column{};
};

/// A group of parameters in a table.
template <auto... kMembers>
struct ParameterGroup {
    Parameter parameter;

    /// A name is that of one member: one for several does not compile.
    static constexpr ParameterGroup of(ParameterKind kind, bool is_required, const char* name = nullptr) {
        if (name != nullptr && sizeof...(kMembers) != 1)
            throw std::invalid_argument("a name for one parameter");
        return {{kind, is_required, sizeof...(kMembers), name}};
    }
    /// The same, left out of recorded scopes, as TT-NN leaves it out.
    constexpr ParameterGroup unrecorded() const {
        ParameterGroup group = *this;
        group.parameter.is_recorded = false;
        return group;
    }
    /// The same, a tensor that a result is written to and that is not read.
    constexpr ParameterGroup output() const {
        ParameterGroup group = *this;
        group.parameter.is_output = true;
        return group;
    }
    /// The same, with the name in that column of the definition's row.
    template <typename Row>
    constexpr ParameterGroup named_by(const char* Row::*column) const {
        ParameterGroup group = *this;
        group.parameter.name_column = static_cast<const char * OperationRow::*>(column);
        return group;
    }
    /// The same, with the default in that column of the definition's row: a bool, an int or a float.
    template <typename Row, typename Value>
    constexpr ParameterGroup default_by(Value Row::*column) const {
        ParameterGroup group = *this;
        group.parameter.default_column = DefaultColumn(static_cast<Value OperationRow::*>(column));
        return group;
    }
};

/// By place or name; a caller must give it. `name`: another one than the member's.
template <auto... kMembers>
constexpr auto required(const char* name = nullptr) {
    return ParameterGroup<kMembers...>::of(ParameterKind::kPositional, true, name);
}
/// By place or name; a caller may leave it out.
template <auto... kMembers>
constexpr auto optional(const char* name = nullptr) {
    return ParameterGroup<kMembers...>::of(ParameterKind::kPositional, false, name);
}
/// In Python by name only; a caller may leave it out.
template <auto... kMembers>
constexpr auto keyword(const char* name = nullptr) {
    return ParameterGroup<kMembers...>::of(ParameterKind::kKeyword, false, name);
}
/// In Python by name only; a caller must give it.
template <auto... kMembers>
constexpr auto required_keyword(const char* name = nullptr) {
    return ParameterGroup<kMembers...>::of(ParameterKind::kKeyword, true, name);
}
/// By name only, a caller may leave it out, left out of recorded scopes.
template <auto... kMembers>
constexpr auto unrecorded_keyword() {
    return keyword<kMembers...>().unrecorded();
}

/// A table of parameters: what is said of each group, and in its type the groups' members.
template <typename... Groups>
struct ParameterTable {
    Parameter groups[sizeof...(Groups)];
};
template <typename... Groups>
constexpr ParameterTable<Groups...> parameters(const Groups&... groups) {
    return {{groups.parameter...}};
}

namespace internal {

constexpr std::size_t count_of(std::span<const Parameter> groups) {
    std::size_t count = 0;
    for (const Parameter& group : groups)
        count += group.count;
    return count;
}

constexpr const Parameter& parameter_at(std::span<const Parameter> groups, std::size_t index) {
    std::size_t group = 0;
    for (; index >= groups[group].count; ++group)
        index -= groups[group].count;
    return groups[group];
}

// The members of several groups, each with its place.
template <std::size_t Index, auto kMember>
struct MemberAt {};
template <typename Indices, auto... kMembers>
struct MembersAt;
template <std::size_t... Index, auto... kMembers>
struct MembersAt<std::index_sequence<Index...>, kMembers...> : MemberAt<Index, kMembers>... {};

template <typename... Groups>
struct Members;
template <auto... kMembers>
struct Members<ParameterGroup<kMembers...>>
    : MembersAt<std::make_index_sequence<sizeof...(kMembers)>, kMembers...> {};
template <auto... kFirst, auto... kSecond, typename... Groups>
struct Members<ParameterGroup<kFirst...>, ParameterGroup<kSecond...>, Groups...>
    : Members<ParameterGroup<kFirst..., kSecond...>, Groups...> {};

template <typename... Groups>
constexpr Members<Groups...> members_of(const ParameterTable<Groups...>& /*table*/) {
    return {};
}
template <std::size_t Index, auto kMember>
constexpr auto member_at(const MemberAt<Index, kMember>& /*members*/) {
    return kMember;
}

template <typename Value, typename Definition>
Value value_of(Value Definition::*);

}  // namespace internal

/// A family's definitions.
template <typename... Each>
struct Definitions {};

/// Calls the operation with these arguments.
template <typename Definition>
auto call_operation(const Definition& arguments);

template <typename Definition>
inline constexpr std::size_t kParameterCount = internal::count_of(Definition::kParameters.groups);

/// What the table of a definition says of the parameter at `Index`.
template <typename Definition, std::size_t Index>
inline constexpr const Parameter& kParameter = internal::parameter_at(Definition::kParameters.groups, Index);

/// The definition's member that the parameter at `Index` of its table sets.
template <typename Definition, std::size_t Index>
inline constexpr auto kParameterMember =
    internal::member_at<Index>(internal::members_of(Definition::kParameters));

/// The type of this member.
template <typename Definition, std::size_t Index>
using ParameterType = decltype(internal::value_of(kParameterMember<Definition, Index>));

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

constexpr bool is_in_name(char letter) {
    return (letter >= 'a' && letter <= 'z') || letter == '_' || (letter >= '0' && letter <= '9') ||
           (letter >= 'A' && letter <= 'Z');
}

// The member's name, which ends what the compiler calls this function: "... [with auto Member =
// &tilemeter::Rotate::angle]". By hand, as std::string_view takes compilers seconds for the members of all operations.
template <auto Member>
constexpr auto member_name() {
    constexpr auto kLast = [](const char* text, std::size_t end, bool in_name) {
        while (is_in_name(text[end - 1]) != in_name)
            --end;
        return end;
    };
    constexpr std::size_t kEnd = kLast(__PRETTY_FUNCTION__, sizeof(__PRETTY_FUNCTION__) - 1, true);
    constexpr std::size_t kBegin = kLast(__PRETTY_FUNCTION__, kEnd, false);
    std::array<char, kEnd - kBegin + 1> name{};
    for (std::size_t i = kBegin; i < kEnd; ++i)
        name[i - kBegin] = __PRETTY_FUNCTION__[i];
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
    constexpr const Parameter& kRow = kParameter<Definition, Index>;
    if constexpr (kRow.name_column != nullptr) {
        return arguments.row->*kRow.name_column;
    } else if constexpr (kRow.name != nullptr) {
        return kRow.name;
    } else {
        return MemberName<kParameterMember<Definition, Index>>::get();
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
            (set_default<Index>(arguments), ...);
        }
        (std::make_index_sequence<kParameterCount<Definition>>());
        return arguments;
    }

private:
    template <std::size_t Index>
    void set_default(Definition& arguments) const {
        constexpr DefaultColumn kColumn = kParameter<Definition, Index>.default_column;
        constexpr auto kMember = kParameterMember<Definition, Index>;
        if constexpr (kColumn.flag != nullptr) arguments.*kMember = row->*kColumn.flag;
        if constexpr (kColumn.integer != nullptr) arguments.*kMember = row->*kColumn.integer;
        if constexpr (kColumn.number != nullptr) arguments.*kMember = row->*kColumn.number;
    }
};

namespace internal {

// How many parameters a call by place gives at least: up to the last that a caller must give.
constexpr std::size_t required_count(std::span<const Parameter> groups) {
    std::size_t count = 0;
    std::size_t required = 0;
    for (const Parameter& group : groups) {
        count += group.count;
        if (group.is_required) required = count;
    }
    return required;
}

// The type of a parameter. `Called` is `Definition`, as a parameter of the function that is called, so that the type is
// looked up by who calls it and not by all who include the operation.
template <typename Definition, typename Called, std::size_t Index>
struct GivenType {
    using Type = ParameterType<Called, Index>;
};

// A call with the first parameters of the table by place. `Caller` derives from it and has `defaults`.
template <typename Caller, typename Definition, typename Indices>
class CallByPlace;
template <typename Caller, typename Definition, std::size_t... Index>
class CallByPlace<Caller, Definition, std::index_sequence<Index...>> {
public:
    template <typename Called = Definition>
    auto operator()(const typename GivenType<Definition, Called, Index>::Type&... given) const {
        Definition arguments = static_cast<const Caller&>(*this).template defaults<Definition>()();
        ((arguments.*kParameterMember<Definition, Index> = given), ...);
        return call_operation(arguments);
    }
};

// One such call for each number of arguments between those required and all, and one with a whole definition.
template <typename Caller, typename Definition, std::size_t Required, typename Further>
class Calls;
template <typename Caller, typename Definition, std::size_t Required, std::size_t... Further>
class Calls<Caller, Definition, Required, std::index_sequence<Further...>>
    : public CallByPlace<Caller, Definition, std::make_index_sequence<Required + Further>>... {
public:
    using CallByPlace<Caller, Definition, std::make_index_sequence<Required + Further>>::operator()...;
    auto operator()(const Definition& arguments) const requires(!HasRows<Definition>) {
        return call_operation(arguments);
    }
};

template <typename Caller, typename Definition>
using AllCalls = Calls<Caller, Definition, required_count(Definition::kParameters.groups),
                       std::make_index_sequence<kParameterCount<Definition> -
                                                required_count(Definition::kParameters.groups) + 1>>;

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
        (emit_if_listed<kIsListed<Definition, Index>>(arguments.*kParameterMember<Definition, Index>), ...);
    (emit_if_listed_input<kIsListed<Definition, Index>>(arguments.*kParameterMember<Definition, Index>), ...);
    record::emit_function_begun();
}

}  // namespace internal

/// The C++ function of a definition: called with its arguments by place, in the order of the table, or with a
/// whole `Definition`.
template <typename Definition>
class Operation : public internal::AllCalls<Operation<Definition>, Definition> {
public:
    template <typename Of>
    constexpr Defaults<Of> defaults() const {
        return {};
    }
};

/// The C++ function of a row, called with its arguments by place. Several definitions with the same `Row` are
/// overloads. Made of the name, the documentation unless the definition has one for all rows
/// (`kDocumentation`), and the row's columns.
template <typename First, typename... Others>
class OperationOf : public internal::AllCalls<OperationOf<First, Others...>, First>,
                    public internal::AllCalls<OperationOf<First, Others...>, Others>... {
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

    using internal::AllCalls<OperationOf, First>::operator();
    using internal::AllCalls<OperationOf, Others>::operator()...;
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
