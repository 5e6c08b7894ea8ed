// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Conversions of arguments of operations and of their results, by their types (runtime/operations/argument_types.hpp).

#pragma once

#include <cstdint>
#include <typeinfo>

#include <nanobind/nanobind.h>

#include "runtime/operation_list.hpp"

namespace tilemeter::python {

namespace nb = nanobind;

/// The name of a type in signatures.
struct TypeDescription {
    const char* text;  ///< with a '%' for each of the types
    std::size_t type_count;
    void (*put_types)(const std::type_info** to);  ///< and a null behind them
};

struct ArgumentConversion {
    TypeDescription description;
    std::uint32_t flags;        ///< nanobind's cast_flags: what is said of None
    bool takes_none_if_absent;  ///< None is taken, too, where the argument may be left out
    /// Sets `*member` to what `source` is as a value of the type; false if it is none.
    bool (*from_python)(nb::handle source, std::uint32_t flags, nb::detail::cleanup_list* cleanup,
                        void* member);
    nb::object (*to_python)(const void* member);  ///< null: of this type there is no default
};

struct ResultConversion {
    TypeDescription description;
    /// Calls the operation without the interpreter lock, then destroys the arguments.
    PyObject* (*call)(void (*function)(), ErasedArguments& arguments, nb::detail::cleanup_list* cleanup);
};

/// `type`: one of ArgumentTypes. Lives as long as the process.
const ArgumentConversion& argument_conversion(const std::type_info& type);
/// `type`: one of ResultTypes. Lives as long as the process.
const ResultConversion& result_conversion(const std::type_info& type);

}  // namespace tilemeter::python
