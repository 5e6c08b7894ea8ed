// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The same values in tiles or in rows.
//
// Any shape. To TILE: bfloat16, float32, uint32, int32, uint16, and bfloat8_b as `dtype` of the result; rows
// and columns are padded to whole tiles. To ROW_MAJOR: the same and bfloat8_b, which becomes bfloat16; the
// padding goes. memory_config of the result: that of the input unless given. Programs run on all cores, on
// the first alone, or on those of sub_core_grids. Throws RuntimeError (a layout or dtype that does not fit),
// OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/operations/core/work_cores.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// The input itself where it has that layout already. `pad_value` fills rows and columns up to whole tiles.
Tensor to_layout(const Tensor& input, Layout layout, const OptionalDataType& dtype = std::nullopt,
                 const OptionalMemoryConfig& memory_config = std::nullopt,
                 const OptionalCores& sub_core_grids = std::nullopt, float pad_value = 0);

/// REQUIRES of their inputs, checked: whole tiles. `low_memory`: one core, a tile at a time.
Tensor tilize(const Tensor& input, const OptionalMemoryConfig& memory_config = std::nullopt,
              const OptionalDataType& dtype = std::nullopt, const CoreChoice& cores = {},
              bool low_memory = false);
Tensor untilize(const Tensor& input, const OptionalMemoryConfig& memory_config = std::nullopt,
                const CoreChoice& cores = {});

/// With `pad_value` around the values, up to whole tiles, or up to `padded_shape`, which may be more of them.
Tensor tilize_with_val_padding(const Tensor& input, const Shape& padded_shape, float pad_value,
                               const OptionalMemoryConfig& memory_config = std::nullopt,
                               const OptionalDataType& dtype = std::nullopt, const CoreChoice& cores = {});
Tensor tilize_with_zero_padding(const Tensor& input, const OptionalMemoryConfig& memory_config = std::nullopt,
                                const OptionalDataType& dtype = std::nullopt, const CoreChoice& cores = {});
/// The elements up to `last`, without the padding behind them, or with a part of it (zeros).
Tensor untilize_with_unpadding(const Tensor& input, const Shape& last,
                               const OptionalMemoryConfig& memory_config = std::nullopt,
                               const CoreChoice& cores = {});

namespace unscoped {
Tensor to_layout(const Tensor& input, Layout layout, const OptionalDataType& dtype = std::nullopt,
                 const OptionalMemoryConfig& memory_config = std::nullopt,
                 const OptionalCores& sub_core_grids = std::nullopt, float pad_value = 0);
Tensor untilize(const Tensor& input, const OptionalMemoryConfig& memory_config = std::nullopt,
                const CoreChoice& cores = {});
/// Up to whole tiles.
Tensor tilize_with_val_padding(const Tensor& input, float pad_value,
                               const OptionalMemoryConfig& memory_config = std::nullopt,
                               const OptionalDataType& dtype = std::nullopt, const CoreChoice& cores = {});
/// The logical elements.
Tensor untilize_with_unpadding(const Tensor& input, const OptionalMemoryConfig& memory_config = std::nullopt,
                               const CoreChoice& cores = {});
}  // namespace unscoped

}  // namespace tilemeter
