// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The same values in tiles or in rows.
//
// Any shape. To TILE: bfloat16, float32, uint32, int32, uint16, and bfloat8_b as `dtype` of the result; rows
// and columns are padded to whole tiles. To ROW_MAJOR: the same and bfloat8_b, which becomes bfloat16; the
// padding goes. memory_config of the result: that of the input unless given. Throws RuntimeError (a layout or
// dtype that does not fit), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// The input itself where it has that layout already.
Tensor to_layout(const Tensor& input, Layout layout, const OptionalDataType& dtype = std::nullopt,
                 const OptionalMemoryConfig& memory_config = std::nullopt);

/// REQUIRES of their inputs, checked: whole tiles.
Tensor tilize(const Tensor& input, const OptionalMemoryConfig& memory_config = std::nullopt,
              const OptionalDataType& dtype = std::nullopt);
Tensor untilize(const Tensor& input, const OptionalMemoryConfig& memory_config = std::nullopt);

/// With `pad_value` around the values, up to whole tiles; and without what lies around them.
Tensor tilize_with_val_padding(const Tensor& input, float pad_value,
                               const OptionalMemoryConfig& memory_config = std::nullopt,
                               const OptionalDataType& dtype = std::nullopt);
Tensor untilize_with_unpadding(const Tensor& input, const OptionalMemoryConfig& memory_config = std::nullopt);

namespace untraced {
Tensor to_layout(const Tensor& input, Layout layout, const OptionalDataType& dtype = std::nullopt,
                 const OptionalMemoryConfig& memory_config = std::nullopt);
Tensor untilize(const Tensor& input, const OptionalMemoryConfig& memory_config = std::nullopt);
Tensor tilize_with_val_padding(const Tensor& input, float pad_value,
                               const OptionalMemoryConfig& memory_config = std::nullopt,
                               const OptionalDataType& dtype = std::nullopt);
Tensor untilize_with_unpadding(const Tensor& input, const OptionalMemoryConfig& memory_config = std::nullopt);
}  // namespace untraced

}  // namespace tilemeter
