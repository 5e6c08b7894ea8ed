// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The Python function of a definition (runtime/operations/core/definition.hpp): names, kinds, defaults and
// documentation come from its table of parameters, the types from its members. Bound as by `operation`.

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <nanobind/stl/array.h>
#include <nanobind/stl/variant.h>

#include "runtime/operations/core/definition.hpp"
#include "tools/python/bindings/operation.hpp"

namespace nanobind::detail {

// These may be None, which nanobind adds to their type.
template <>
struct has_arg_defaults<tilemeter::Ignored> : std::true_type {};
template <>
struct has_arg_defaults<tilemeter::NotModelled> : std::true_type {};
template <>
struct has_arg_defaults<tilemeter::OnlyDefault> : std::true_type {};

/// Takes any object.
template <>
struct type_caster<tilemeter::Ignored> {
    NB_TYPE_CASTER(tilemeter::Ignored, const_name("object"))

    bool from_python(handle, std::uint32_t, cleanup_list*) noexcept { return true; }
    static handle from_cpp(tilemeter::Ignored, rv_policy, cleanup_list*) noexcept { return none().release(); }
};

/// Takes any object, which call() then refuses.
template <>
struct type_caster<tilemeter::NotModelled> {
    NB_TYPE_CASTER(tilemeter::NotModelled, const_name("object"))

    bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
        value.is_given = !source.is_none();
        return true;
    }
    static handle from_cpp(tilemeter::NotModelled, rv_policy, cleanup_list*) noexcept {
        return none().release();
    }
};

/// Takes any object; call() refuses others than the default.
template <>
struct type_caster<tilemeter::OnlyDefault> {
    NB_TYPE_CASTER(tilemeter::OnlyDefault, const_name("object"))

    bool from_python(handle source, std::uint32_t, cleanup_list*) {
        value.given.clear();
        if (source.is_none()) return true;
        if (isinstance<nanobind::list>(source) || isinstance<nanobind::tuple>(source)) {
            if (len(source) == 0) return true;
        } else if (hasattr(source, "tile_shape")) {
            const object shape = source.attr("tile_shape");
            if (nanobind::cast<std::uint32_t>(shape[0]) == tilemeter::kTileHeight &&
                nanobind::cast<std::uint32_t>(shape[1]) == tilemeter::kTileWidth)
                return true;
        }
        value.given = nanobind::cast<std::string>(repr(source));
        return true;
    }
    static handle from_cpp(const tilemeter::OnlyDefault& argument, rv_policy, cleanup_list*) {
        return argument.is_list ? nanobind::list().release() : none().release();
    }
};

}  // namespace nanobind::detail

namespace tilemeter::python {

namespace internal {

/// Whether the parameter is the first of its table that is given by name only.
template <typename Definition, std::size_t Index>
constexpr bool begins_keywords() {
    if constexpr (kParameter<Definition, Index>.kind != ParameterKind::kKeyword) {
        return false;
    } else if constexpr (Index == 0) {
        return true;
    } else {
        return kParameter<Definition, Index - 1>.kind != ParameterKind::kKeyword;
    }
}

/// nanobind's annotations of one parameter.
template <typename Definition, std::size_t Index>
auto annotations_of(const Definition& defaults) {
    constexpr auto kRow = kParameter<Definition, Index>;
    const auto argument = [&] {
        if constexpr (kRow.is_required) {
            return nb::arg(parameter_name<Index>(defaults));
        } else if constexpr (std::is_same_v<ParameterType<Definition, Index>, std::shared_ptr<Device>>) {
            return nb::arg(parameter_name<Index>(defaults)).none() = defaults.*kRow.member;
        } else {
            return nb::arg(parameter_name<Index>(defaults)) = defaults.*kRow.member;
        }
    };
    if constexpr (begins_keywords<Definition, Index>()) {
        return std::tuple(nb::kw_only(), argument());
    } else {
        return std::tuple(argument());
    }
}

template <typename Definition, std::size_t... Index>
void bind_definition(nb::module_& module, const char* name, const Defaults<Definition>& make_defaults,
                     std::index_sequence<Index...>) {
    // By value: what nanobind made of the Python objects moves into the arguments.
    const auto function = [make_defaults](ParameterType<Definition, Index>... given) {
        Definition arguments = make_defaults();
        ((arguments.*kParameter<Definition, Index>.member = std::move(given)), ...);
        return call_operation(arguments);
    };
    const Definition defaults = make_defaults();
    std::apply([&](const auto&... annotations) { operation(module, name, function, annotations...); },
               std::tuple_cat(annotations_of<Definition, Index>(defaults)...,
                              std::tuple(operation_info(defaults).documentation)));
}

}  // namespace internal

/// Binds the definition under its name: "experimental::rotary_embedding" into the submodule `experimental`.
/// Scopes of some of TT-NN's operations have a dot instead: "experimental.typecast".
template <typename Definition>
void bind_definition(nb::module_& operations, const Defaults<Definition>& defaults = {}) {
    const char* const full_name = operation_info(defaults()).name;
    const std::string_view name = full_name;
    const std::size_t separator = name.find_first_of(":.");
    nb::module_ module = operations;
    std::size_t begin = 0;
    if (separator != std::string_view::npos) {
        module = operations.def_submodule(std::string(name.substr(0, separator)).c_str());
        begin = name.find_first_not_of(":.", separator);
    }
    internal::bind_definition<Definition>(module, full_name + begin, defaults,
                                          std::make_index_sequence<kParameterCount<Definition>>());
}

/// Binds a row of a table of operations: each of its definitions.
template <typename... Each>
void bind_row(nb::module_& operations, const OperationOf<Each...>& row) {
    (bind_definition<Each>(operations, row.template defaults<Each>()), ...);
}

/// Binds each definition of a family.
template <typename... Each>
void bind_definitions(nb::module_& operations, Definitions<Each...> /*family*/) {
    (bind_definition<Each>(operations), ...);
}

}  // namespace tilemeter::python
