// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// An operation set for tests of graphs: a few elementwise operations, a reduction, one with an effect, and one of
// each kind that holds subgraphs.

#pragma once

#include "capture/ir/operation_set.hpp"
#include "capture/ir/type.hpp"

namespace tilemeter::test {

const ir::OperationSet& operations();

inline const ir::TensorType kScalar{ir::ElementType::kF64, {}, {}};

}  // namespace tilemeter::test
