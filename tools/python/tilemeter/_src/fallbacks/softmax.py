# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""softmax of elementwise operations and sums."""

from __future__ import annotations

from typing import Any

from tilemeter._src.operations import wrapped


def softmax(x: Any, stable: bool = False) -> Any:
    """Along the last dimension of four; stable: of the differences from the largest element."""
    if stable:
        largest = wrapped.max(x, 3)
        x = wrapped.subtract(x, largest)
    numerator = wrapped.exp(x)
    total = wrapped.sum(numerator, 3)
    denominator = wrapped.reciprocal(total)
    return wrapped.multiply(numerator, denominator)
