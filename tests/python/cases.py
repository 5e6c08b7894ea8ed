# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The numbers of generated cases: tests take as many as a run of all has time for, tools/soak many more."""

from __future__ import annotations

import os

_FACTOR = float(os.environ.get("TILEMETER_CASES", "1"))
if not 0 < _FACTOR <= 1e6:
    raise ValueError(f"TILEMETER_CASES: expected a number above 0, at most 1e6, found {_FACTOR:g}")


def cases(count: int) -> int:
    """`count` times TILEMETER_CASES, a factor that is 1 unless set; at least 1. As tests/cases.hpp."""
    return max(1, int(count * _FACTOR))
