// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The places of windows in an operand: one number for each dimension, as the attributes of reductions over windows and
// of convolution say.

#pragma once

#include <string_view>
#include <utility>

#include "runtime/trace/primitives/internal/inference.hpp"

namespace tilemeter::trace::internal {

struct Windows {
    Integers window, strides, low, high, base_dilation, window_dilation;

    /// Side by side, without padding and dilation.
    explicit Windows(const Integers& extents)
        : window(extents),
          strides(extents.size(), 1),
          low(extents.size(), 0),
          high(low),
          base_dilation(strides),
          window_dilation(strides) {}
    /// The further attributes; they have these names for dilation.
    Windows(const ir::Attributes& attributes, const Integers& extents,
            std::string_view base = "base_dilation", std::string_view dilation = "window_dilation")
        : Windows(extents) {
        for (const auto& [name, numbers] : {std::pair<std::string_view, Integers*>{"strides", &strides},
                                            {"low", &low},
                                            {"high", &high},
                                            {base, &base_dilation},
                                            {dilation, &window_dilation}})
            *numbers = attributes.get_or<Integers>(name, *numbers);
    }

    /// The place of the element, in dimension i, that is the `inside`th of a window; -1: in padding or a gap.
    [[nodiscard]] std::int64_t place(std::size_t i, std::int64_t number, std::int64_t inside,
                                     std::int64_t extent) const {
        const std::int64_t place = number * strides[i] + inside * window_dilation[i] - low[i];
        if (place < 0 || place % base_dilation[i] != 0 || place / base_dilation[i] >= extent) return -1;
        return place / base_dilation[i];
    }
};

/// The number of windows in dimension i of this extent. Throws Error (kBadArgument) where it is an expression and it is
/// not certain that the window fits. REQUIRES: strides, dilations >= 1
std::int64_t window_extent(const Site& site, const Windows& windows, std::size_t i, std::int64_t extent);

}  // namespace tilemeter::trace::internal
