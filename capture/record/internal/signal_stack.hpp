// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace tilemeter::record::internal {

/// Gives the calling thread a stack for signal handlers, so that one can still run where the thread's own
/// stack has overflowed. A thread that has one keeps it. Ours goes when the thread ends.
void ensure_signal_stack();

}  // namespace tilemeter::record::internal
