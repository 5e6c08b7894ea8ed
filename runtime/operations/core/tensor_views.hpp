// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Views: tensors that share another one's memory under another shape.

#pragma once

#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// The same tensor under another shape, sharing its memory. Recorded as "Tensor::reshape".
/// Throws RuntimeError unless the volumes are equal; where shards would be cut, too. The caller sees to it that no
/// value changes its place: any shape in ROW_MAJOR, in TILE one that keeps rows and columns of tiles. Shards of rows
/// become as wide as the new last dimension; where that stays, they keep what fills rows up to whole shards.
Tensor reshape_view(const Tensor& tensor, const Shape& shape);

/// The same without what fills rows up.
Tensor unpadded_view(const Tensor& tensor, const Shape& shape);

/// Throws RuntimeError, in TT-NN's words, where shards let no view have the padded shape `to`.
void require_view_of_shards(const Tensor& tensor, const Shape& to);

/// A tensor of more than four dimensions under four, which is what programs know; others as they are. The way there is
/// TT-NN's, which captures show: dimensions of 1 in front go one by one, then the outer ones become one.
Tensor view_in_four(const Tensor& tensor);

/// The same tiles under a shape that takes other rows and columns of them for padding: what was padding and is no more
/// reads as zeros. Throws RuntimeError where the memory is too small. REQUIRES: on a device, in TILE; `shape` of two
/// dimensions or more.
Tensor view_of_tiles(const Tensor& tensor, const Shape& shape);

/// The same memory, its last rows taken for padding; `tensor` is not to be read again. REQUIRES: on a device.
Tensor without_padding_rows(const Tensor& tensor, const Shape& shape);

}  // namespace tilemeter
