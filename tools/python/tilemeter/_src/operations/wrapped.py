# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""TT-NN's operations as users call them: `wrapped.add` is `ttnn.add`, which records the call while a capture is open.

What the package itself is made of operations takes them from here, so that captures show them as they do the user's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilemeter import _tilemeter
from tilemeter._src.operations.operation import install

NAMES: list[str]  # those of all
if TYPE_CHECKING:
    from tilemeter._tilemeter.operations import *  # noqa: F403
else:
    NAMES = install(globals(), _tilemeter.operations)
    # TT-NN's other names of some; `divide` is its div, which takes numbers, too.
    divide = div  # noqa: F821
    sub, mul = subtract, multiply  # noqa: F821
    sub_, mul_, div_ = subtract_, multiply_, divide_  # noqa: F821
    NAMES += ["sub", "mul", "sub_", "mul_", "div_"]
