// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What operations that slide windows over images are called with, and what convolutions give back.

#pragma once

#include <array>
#include <tuple>
#include <variant>

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>

#include "runtime/operations/sliding_window/conv2d.hpp"
#include "tools/python/bindings/operation.hpp"

namespace tilemeter::python {

/// Height and width.
using Pair = std::array<std::uint32_t, 2>;
/// Height and width, or top, bottom, left, right.
using Padding = std::variant<Pair, std::array<std::uint32_t, 4>>;

inline std::array<std::uint32_t, 4> four_sides(const Padding& padding) {
    if (const auto* four = std::get_if<std::array<std::uint32_t, 4>>(&padding)) return *four;
    const Pair& both = std::get<Pair>(padding);
    return {both[0], both[0], both[1], both[1]};
}

using PreparedWeights = std::tuple<Tensor, OptionalTensor>;
using ConvolutionResult =
    std::variant<Tensor, std::tuple<Tensor, std::tuple<std::uint32_t, std::uint32_t>>,
                 std::tuple<Tensor, PreparedWeights>,
                 std::tuple<Tensor, std::tuple<std::uint32_t, std::uint32_t>, PreparedWeights>>;

/// With the output's size and the prepared weights, where they are asked for.
inline ConvolutionResult as_asked(const Conv2dResult& result, bool output_size, bool prepared) {
    const std::tuple size{result.output_height, result.output_width};
    if (!prepared) {
        if (!output_size) return result.output;
        return std::tuple{result.output, size};
    }
    const PreparedWeights both{*result.weight, result.bias};
    if (!output_size) return std::tuple{result.output, both};
    return std::tuple{result.output, size, both};
}

}  // namespace tilemeter::python
