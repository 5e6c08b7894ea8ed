// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The part of a tensor that composite operations keep, where the tensor became larger than its result on the way.

#pragma once

#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// The first elements of `tensor` along each dimension, up to the extents of `shape`, by a program
/// (SliceDeviceOperation); the result is looked at under its own shape once more, as TT-NN does. `tensor` is
/// let go of before that. Throws OutOfMemoryError.
Tensor leading_part(Tensor tensor, const Shape& shape, const MemoryConfig& memory_config);

}  // namespace tilemeter
