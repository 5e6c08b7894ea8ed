// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The Python function of a definition (runtime/operations/core/definition.hpp): names, kinds, defaults and
// documentation come from its table of parameters, the types from its members. Called as what `operation` binds.

#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <nanobind/stl/array.h>
#include <nanobind/stl/variant.h>

#include "runtime/operations/core/definition.hpp"
#include "tools/python/bindings/bound_operation.hpp"
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

template <typename T>
struct DescribedAs {
    using Type = nb::remove_opt_mono_t<nb::detail::intrinsic_t<T>>;
};
template <>
struct DescribedAs<void> {
    using Type = nb::detail::void_type;
};

template <typename T>
inline constexpr auto kTypeName = nb::detail::make_caster<typename DescribedAs<T>::Type>::Name;

template <typename T>
inline constexpr TypeDescription kTypeDescription{
    .text = kTypeName<T>.text,
    .type_count = kTypeName<T>.type_count(),
    .put_types = [](const std::type_info** to) { kTypeName<T>.put_types(to); }};

template <typename T>
inline constexpr ArgumentConversion kArgumentConversion{
    .description = kTypeDescription<T>,
    .flags = (nb::detail::has_arg_defaults_v<T> ? std::uint32_t{nb::detail::cast_flags::accepts_none} : 0U) |
             nb::detail::none_disallowed_flag<T>,
    .from_python = [](nb::handle source, std::uint32_t flags, nb::detail::cleanup_list* cleanup,
                      void* member) {
        nb::detail::make_caster<T> caster;
        if (!caster.from_python(source, flags, cleanup)) return false;
        *static_cast<T*>(member) = caster.operator nb::detail::cast_t<T>();
        return true;
    }};

template <typename T>
[[gnu::cold, gnu::noinline]] nb::object python_object(const T& value) {
    return nb::cast(value);
}

template <typename Definition, std::size_t Index>
[[gnu::cold]] void add_parameter(const Definition& defaults, std::vector<BoundParameter>& parameters) {
    using T = ParameterType<Definition, Index>;
    constexpr auto kRow = kParameter<Definition, Index>;
    const T& member = defaults.*kRow.member;
    parameters.push_back({.type = &kArgumentConversion<T>,
                          .name = parameter_name<Index>(defaults),
                          .offset = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&member) -
                                                             reinterpret_cast<const std::byte*>(&defaults)),
                          .by_name_only = kRow.kind == ParameterKind::kKeyword,
                          .may_be_none = !kRow.is_required && std::is_same_v<T, std::shared_ptr<Device>>,
                          .default_value = {}});
    if constexpr (!kRow.is_required) parameters.back().default_value = python_object<T>(member);
}

/// Calls `operation.function` as from Python, so that other threads of Python run meanwhile.
template <typename Result>
PyObject* call_bound(const BoundOperation& operation, BoundArguments& arguments,
                     nb::detail::cleanup_list* cleanup) {
    const auto function = reinterpret_cast<Result (*)(const void*)>(operation.function);
    const auto run = [&] {
        const Unlocked unlocked;
        const PythonCall style;
        if constexpr (std::is_void_v<Result>) {
            function(arguments.get());
            arguments.destroy();
        } else {
            Result result = function(arguments.get());
            arguments.destroy();
            return result;
        }
    };
    if constexpr (std::is_void_v<Result>) {
        run();
        return nb::none().release().ptr();
    } else {
        return nb::detail::make_caster<Result>::from_cpp(run(), nb::rv_policy::automatic, cleanup).ptr();
    }
}

template <typename Definition>
auto call_definition(const void* arguments) {
    return call_operation(*static_cast<const Definition*>(arguments));
}

}  // namespace internal

/// Binds the definition under its name.
template <typename Definition>
[[gnu::cold]] void bind_definition(nb::module_& operations, const Defaults<Definition>& make_defaults = {}) {
    static_assert(sizeof(Definition) <= kMaxArgumentsSize &&
                  alignof(Definition) <= alignof(std::max_align_t));
    using Result = decltype(internal::call_definition<Definition>(nullptr));
    const Definition defaults = make_defaults();
    BoundOperation operation{
        .row = nullptr,
        .make =
            [](void* at, const void* row) {
                if constexpr (HasRows<Definition>) {
                    new (at)
                        Definition(Defaults<Definition>{static_cast<const typename Definition::Row*>(row)}());
                } else {
                    new (at) Definition();
                }
            },
        .destroy = [](void* arguments) { static_cast<Definition*>(arguments)->~Definition(); },
        .call = &internal::call_bound<Result>,
        .function = reinterpret_cast<void (*)()>(&internal::call_definition<Definition>),
        .result = internal::kTypeDescription<Result>,
        .parameters = {}};
    if constexpr (HasRows<Definition>) operation.row = defaults.row;
    [&]<std::size_t... Index>(std::index_sequence<Index...>) {
        operation.parameters.reserve(sizeof...(Index));
        (internal::add_parameter<Definition, Index>(defaults, operation.parameters), ...);
    }
    (std::make_index_sequence<kParameterCount<Definition>>());
    const OperationInfo& info = operation_info(defaults);
    bind_operation(operations, info.name, info.documentation, std::move(operation));
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
