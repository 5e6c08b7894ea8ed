// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A number as an operand, which remembers whether the caller wrote an integer: an integer tensor times 2.5
// becomes floating point, times 2 it stays an integer tensor.
//
// Thread safety: const calls may run at the same time.

#pragma once

#include <cmath>
#include <concepts>
#include <string>
#include <tuple>

#include "runtime/operations/core/attribute_text.hpp"

namespace tilemeter {

class Scalar {
public:
    Scalar() = default;  ///< 0.0
    template <std::integral T>
    Scalar(T value) : value_(static_cast<double>(value)), integral_(true) {}  // NOLINT: a number is one
    template <std::floating_point T>
    Scalar(T value) : value_(static_cast<double>(value)) {}  // NOLINT: a number is one

    double value() const { return value_; }
    float to_float() const { return static_cast<float>(value_); }
    /// True if it was given as an integer.
    bool is_integral() const { return integral_; }
    /// True if its value is a whole number.
    bool is_whole() const { return value_ == std::trunc(value_); }

    auto key_fields() const { return std::tie(value_, integral_); }

private:
    double value_ = 0.0;
    bool integral_ = false;
};

inline std::string attribute_text(const Scalar& scalar) {
    return attribute_text(scalar.value());
}

}  // namespace tilemeter
