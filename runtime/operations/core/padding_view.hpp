// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Views in which padding of tiles becomes part of the tensor. Other operations use them; recorded as
// "Tensor::reshape".

#pragma once

#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// The same memory, of whose padding, which holds `value`, so much counts as `shape` has more. REQUIRES: on a
/// device; the same tiles.
Tensor with_padding(const Tensor& tensor, const Shape& shape, float value);

}  // namespace tilemeter
