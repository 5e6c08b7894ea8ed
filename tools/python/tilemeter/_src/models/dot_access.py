# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Dictionaries whose keys are attributes as well."""

from __future__ import annotations

from typing import Any


class DotAccessDict(dict[Any, Any]):
    """A dictionary d with d.key for d["key"]; KeyError, as for the latter, where there is none."""

    def __getattr__(self, name: str) -> Any:
        return self[name]

    def __delattr__(self, name: str) -> None:
        del self[name]


def make_dot_access_dict(dictionary: dict[Any, Any], *, ignore_types: Any = None) -> Any:
    """The dictionary, and those within it, as DotAccessDict; those of ignore_types as they are."""
    if isinstance(dictionary, DotAccessDict) or ignore_types is not None and isinstance(dictionary, ignore_types):
        return dictionary
    return DotAccessDict(
        (key, make_dot_access_dict(value, ignore_types=ignore_types) if isinstance(value, dict) else value)
        for key, value in dictionary.items()
    )
