# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Arguments of calls."""

from __future__ import annotations

from typing import Any


def pop_argument(name: str, args: Any, kwargs: dict[str, Any]) -> tuple[Any, Any, dict[str, Any]]:
    """The first positional argument, else the one of that name; and the others. Raises ValueError where it is missing."""
    if args:
        return args[0], list(args[1:]), kwargs
    if name not in kwargs:
        raise ValueError(f"Missing argument: {name}")
    return kwargs[name], args, {key: value for key, value in kwargs.items() if key != name}
