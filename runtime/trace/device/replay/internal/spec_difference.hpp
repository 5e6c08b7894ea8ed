// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "runtime/types/tensor_spec.hpp"

namespace tilemeter::trace::internal {

/// The parts of `spec` that are not as in `other`, for a message; all of it where these texts do not tell them apart.
std::string difference(const TensorSpec& spec, const TensorSpec& other);

}  // namespace tilemeter::trace::internal
