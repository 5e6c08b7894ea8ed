// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Numbers from Python as operands: an int stays one, a float stays one.

#pragma once

#include <nanobind/nanobind.h>

#include "runtime/operations/core/scalar.hpp"

namespace nanobind::detail {

template <>
struct type_caster<tilemeter::Scalar> {
    NB_TYPE_CASTER(tilemeter::Scalar, const_name("int | float"))

    bool from_python(handle source, std::uint32_t flags, cleanup_list* /*cleanup*/) noexcept {
        if (PyLong_Check(source.ptr())) {
            const long long number = PyLong_AsLongLong(source.ptr());
            if (PyErr_Occurred() != nullptr) {
                PyErr_Clear();
                return false;
            }
            value = tilemeter::Scalar(number);
            return true;
        }
        // Other kinds of numbers (NumPy's) only if no other signature takes them as they are.
        if (!PyFloat_Check(source.ptr()) && (flags & static_cast<std::uint8_t>(cast_flags::convert)) == 0)
            return false;
        const double number = PyFloat_AsDouble(source.ptr());
        if (PyErr_Occurred() != nullptr) {
            PyErr_Clear();
            return false;
        }
        value = tilemeter::Scalar(number);
        return true;
    }
    static handle from_cpp(const tilemeter::Scalar& number, rv_policy /*policy*/,
                           cleanup_list* /*cleanup*/) noexcept {
        return number.is_integral() ? PyLong_FromLongLong(static_cast<long long>(number.value()))
                                    : PyFloat_FromDouble(number.value());
    }
};

}  // namespace nanobind::detail
