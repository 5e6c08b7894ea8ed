// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Counters of tokens.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

/// One more in place, negative ones left alone if asked; the input is returned. INT32 or UINT32, ROW_MAJOR.
/// One core does it, the first of sub_core_grids. Throws RuntimeError.
Tensor plus_one(const Tensor& input_tensor, const OptionalCores& sub_core_grids = std::nullopt,
                bool skip_negative_entries = false);

}  // namespace tilemeter
