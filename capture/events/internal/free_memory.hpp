// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

namespace tilemeter::record::internal {

/// Bytes of memory that this process could still be given: what the machine has available, and no more than what its
/// control group (v2) leaves. The highest number where neither is told.
std::uint64_t free_memory();

}  // namespace tilemeter::record::internal
