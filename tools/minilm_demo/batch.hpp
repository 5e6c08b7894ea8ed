// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Sentences as the encoder takes them.

#pragma once

#include <vector>

#include "runtime/tensor/tensor.hpp"
#include "tools/minilm_demo/sentences.hpp"

namespace tilemeter::demo {

/// Host tensors of all sentences, padded to the encoder's length.
struct Batch {
    Tensor tokens;  ///< [sentences, 128] uint32, ROW_MAJOR
    Tensor mask;    ///< [sentences, 1, 1, 128], TILE: 0 for a token, a large negative number for padding
};

/// Throws std::runtime_error for a sentence that is too long.
Batch make_batch(const std::vector<Sentence>& sentences, DataType dtype);

}  // namespace tilemeter::demo
