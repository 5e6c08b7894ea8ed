# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Attention."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilemeter import _tilemeter
from tilemeter._src.operations.operation import install as _install

if TYPE_CHECKING:
    from tilemeter._tilemeter.operations.transformer import *  # noqa: F403
else:
    SDPAProgramConfig = _tilemeter.SDPAProgramConfig
    _install(globals(), _tilemeter.operations.transformer, "ttnn.transformer")
