# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Views of freed memory: they go on, as TT-NN's do, or are refused."""

from __future__ import annotations

import os

from tilemeter import _tilemeter

VIEWS_VARIABLE = "TILEMETER_VIEWS"


def set_views(views: str) -> None:
    """"refuse": a view of memory that was freed with another tensor is refused; "ttnn": it is used. Raises ValueError."""
    if views not in ("refuse", "ttnn"):
        raise ValueError(f"views: expected 'refuse' or 'ttnn', got {views!r}")
    _tilemeter.operations.set_freed_views_stay(views == "ttnn")


def read_environment() -> None:
    """Reads the environment. Raises ValueError."""
    if views := os.environ.get(VIEWS_VARIABLE):
        try:
            set_views(views)
        except ValueError as error:
            raise ValueError(f"{VIEWS_VARIABLE}: {error}") from None
