# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Caches of keys and values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilemeter import _tilemeter
from tilemeter._src.operations.operation import install as _install

if TYPE_CHECKING:
    from tilemeter._tilemeter.operations.kv_cache import *  # noqa: F403
else:
    _install(globals(), _tilemeter.operations.kv_cache, "ttnn.kv_cache")
