// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The numbers of generated cases, kills or events: tests take as many as a run of all has time for, tools/soak many more.

#pragma once

#include <cstdint>

namespace tilemeter::test {

/// `count` times TILEMETER_CASES, a factor in the environment that is 1 unless set; a tenth of it with sanitizers, which are that
/// much slower; at least 1. Exits with a line on standard error if TILEMETER_CASES is no number above 0.
std::uint32_t cases(std::uint32_t count);

}  // namespace tilemeter::test
