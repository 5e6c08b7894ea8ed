// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The definitions of this family: who adds one adds it here.

#pragma once

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/matmul/attn_matmul.hpp"
#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/operations/matmul/minimal_matmul.hpp"
#include "runtime/operations/matmul/outer.hpp"
#include "runtime/operations/matmul/sparse_matmul.hpp"

namespace tilemeter {

using MatmulDefinitions = Definitions<Addmm, Linear, Matmul, Outer, SparseMatmul, experimental::AttnMatmul,
                                      experimental::AttnMatmulFromCache, experimental::GroupAttnMatmul,
                                      experimental::MinimalMatmul, experimental::MinimalMatmulSplit>;

}  // namespace tilemeter
