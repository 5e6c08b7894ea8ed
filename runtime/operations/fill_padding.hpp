// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Padding of tiles given a value that an operation over whole tiles can bear. Part of other operations: no
// scope of its own.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

bool has_padding(const Tensor& tensor);

/// In place, but for block formats: those become a new tensor.
Tensor fill_padding(const Tensor& input, float value);

}  // namespace tilemeter
