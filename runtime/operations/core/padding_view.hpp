// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Padding of tiles that becomes part of a tensor. Part of other operations: recorded as "Tensor::reshape".
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// The same memory, of whose padding, which holds `value`, so much counts as `shape` has more. REQUIRES: on a
/// device; the same tiles.
Tensor with_padding(const Tensor& tensor, const Shape& shape, float value);

}  // namespace tilemeter
