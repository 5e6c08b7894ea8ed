// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// fold: blocks of neighbouring pixels as channels of one pixel.
//
// ROW_MAJOR, bfloat16 for block formats. Refused: strides that do not divide the padded height and width,
// padding in front of tiles, and other shards than ROW_MAJOR HEIGHT shards without padding.
// By transposition it takes images [batch, channels, height, width], whose padding behind them rounds height and
// width up to whole tiles before blocks are made.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct Fold {
    /// Zeros around height and width; or top, bottom, left, right; or also before and behind the channels.
    using FoldPadding = std::variant<std::array<std::uint32_t, 2>, std::array<std::uint32_t, 4>,
                                     std::array<std::uint32_t, 6>>;

    Tensor input{};
    std::uint32_t stride_h = 1;
    std::uint32_t stride_w = 1;
    bool use_transpose_as_fold = false;   ///< channels come before the pixels
    std::optional<Shape> output_shape{};  ///< by transposition: the part that is kept; none: what blocks fill
    FoldPadding padding = std::array<std::uint32_t, 2>{0, 0};
    OptionalCores grid_size{};                      ///< by transposition of shards: where they lie on the way
    OptionalMemoryConfig override_memory_config{};  ///< by transposition of shards: of the result
    bool collapse_output = false;

    static constexpr OperationInfo kOperation{
        "fold",
        "Blocks of stride_h x stride_w pixels of images [batch, height, width, channels] as channels of one "
        "pixel: [batch, height / stride_h, width / stride_w, stride_h * stride_w * channels], ROW_MAJOR, "
        "with collapse_output [1, 1, pixels, channels]. padding: zeros at top and bottom, left and right "
        "(2), or top, bottom, left, right (4), and before and behind the channels (6). use_transpose_as_fold: of "
        "images [batch, channels, height, width], by transposing them."};
    static constexpr auto kParameters =
        parameters(required<&Fold::input, &Fold::stride_h, &Fold::stride_w>(),
                   optional<&Fold::use_transpose_as_fold>().unrecorded(), optional<&Fold::output_shape>(),
                   optional<&Fold::padding>().unrecorded(),
                   optional<&Fold::grid_size, &Fold::override_memory_config, &Fold::collapse_output>());
    Tensor call() const;
};

inline constexpr Operation<Fold> fold;

}  // namespace tilemeter
