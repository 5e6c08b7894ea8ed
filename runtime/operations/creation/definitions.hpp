// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The definitions of this family: who adds one adds it here.

#pragma once

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/creation/random.hpp"

namespace tilemeter {

using CreationDefinitions = Definitions<ArangeFromZero, Arange, Bernoulli, Empty, FromDevice, Full, Ones,
                                        Rand, Randn, ToDevice, Uniform, Zeros, experimental::Dropout>;

}  // namespace tilemeter
