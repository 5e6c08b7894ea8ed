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
// Thread safety: all functions may be called from any thread.

#pragma once

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

/// One row of a table of parameters.
template <typename Definition, typename Value>
struct Parameter {
    const char* name;
    Value Definition::*member;
    ParameterKind kind;
    bool is_required;
    bool is_recorded = true;  ///< listed among the arguments of a recorded scope

    /// The same, left out of recorded scopes, as TT-NN leaves it out.
    constexpr Parameter unrecorded() const { return {name, member, kind, is_required, false}; }
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

namespace internal {

template <typename Definition, std::size_t... Index>
constexpr std::size_t count_required(std::index_sequence<Index...>) {
    return (std::size_t{0} + ... + (std::get<Index>(Definition::kParameters).is_required ? 1 : 0));
}

// A call with the first parameters of the table by place.
template <typename Definition, typename Indices>
class CallByPlace;
template <typename Definition, std::size_t... Index>
class CallByPlace<Definition, std::index_sequence<Index...>> {
public:
    auto operator()(const ParameterType<Definition, Index>&... given) const {
        Definition arguments;
        ((arguments.*std::get<Index>(Definition::kParameters).member = given), ...);
        return arguments.call();
    }
};

// One such call for each number of arguments between those required and all.
template <typename Definition, std::size_t Required, typename Further>
class CallsByPlace;
template <typename Definition, std::size_t Required, std::size_t... Further>
class CallsByPlace<Definition, Required, std::index_sequence<Further...>>
    : CallByPlace<Definition, std::make_index_sequence<Required + Further>>... {
public:
    using CallByPlace<Definition, std::make_index_sequence<Required + Further>>::operator()...;
};

template <typename Definition>
inline constexpr std::size_t kRequiredCount =
    count_required<Definition>(std::make_index_sequence<kParameterCount<Definition>>());

template <typename Definition>
using AllCallsByPlace =
    CallsByPlace<Definition, kRequiredCount<Definition>,
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
class Operation : internal::AllCallsByPlace<Definition> {
public:
    using internal::AllCallsByPlace<Definition>::operator();
    auto operator()(const Definition& arguments) const { return arguments.call(); }
};

/// Several definitions under one name, such as prod with and without an output: each call goes to the one
/// whose arguments it has.
template <typename... Operations>
class Overloaded : Operations... {
public:
    using Operations::operator()...;
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
    static const OperationName kName(Definition::kOperation.name);
    return internal::in_operation_listing(kName, recorded_arguments(arguments), std::move(body));
}

}  // namespace tilemeter
