// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The definitions of this family: who adds one adds it here.

#pragma once

#include "runtime/operations/ccl/collectives.hpp"
#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

using CclDefinitions = Definitions<AllGather, AllReduce, ReduceScatter>;

}  // namespace tilemeter
