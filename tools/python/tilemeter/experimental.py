# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Operations that TT-NN calls experimental."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilemeter import _tilemeter
from tilemeter._src.operations.operation import install as _install

if TYPE_CHECKING:
    from tilemeter._tilemeter.operations.experimental import *  # noqa: F403
else:
    _install(globals(), _tilemeter.operations.experimental, "ttnn.experimental")
