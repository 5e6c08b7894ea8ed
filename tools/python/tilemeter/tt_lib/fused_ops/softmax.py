# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""softmax of elementwise operations and sums."""

from __future__ import annotations

from typing import Any


def softmax(x: Any, stable: bool = False) -> Any:
    """Along the last dimension of four; stable: of the differences from the largest element."""
    import tilemeter as ttnn

    if stable:
        largest = ttnn.max(x, 3)
        x = ttnn.subtract(x, largest)
    numerator = ttnn.exp(x)
    total = ttnn.sum(numerator, 3)
    denominator = ttnn.reciprocal(total)
    return ttnn.multiply(numerator, denominator)
