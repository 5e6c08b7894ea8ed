// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Views: tensors that share another one's memory under another shape.

#pragma once

#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// The same tensor under another shape, sharing its memory. Recorded as "Tensor::reshape".
/// Throws RuntimeError unless the volumes are equal and no value changes its place: any shape in ROW_MAJOR
/// that keeps the last dimension, in TILE also the padded rows.
Tensor reshape_view(const Tensor& tensor, const Shape& shape);

/// The same memory, its last rows taken for padding; `tensor` is not to be read again. REQUIRES: on a device.
Tensor without_padding_rows(const Tensor& tensor, const Shape& shape);

}  // namespace tilemeter
