# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The names that dir() and `import *` offer of a module: its own names, not what it imports for itself."""

from __future__ import annotations

import collections.abc
import types
import typing

_FOR_ANNOTATIONS = (typing, collections.abc)


def _is_public(name: str, value: object) -> bool:
    if name.startswith("_") or name == "annotations":
        return False
    if isinstance(value, types.ModuleType):
        full_name = types.ModuleType.__getattribute__(value, "__name__")  # so that a late module is not run
        return bool(full_name.partition(".")[0] == "tilemeter")
    return not any(name in vars(module) and vars(module)[name] is value for module in _FOR_ANNOTATIONS)


def public_names(module: types.ModuleType) -> list[str]:
    """Sorted; also those that a program has registered since."""
    return sorted(name for name, value in vars(module).items() if _is_public(name, value))


def tidy(module: types.ModuleType) -> None:
    """Gives a module that is complete its __all__ and its dir()."""
    special = sorted(name for name in vars(module) if name.startswith("__"))
    setattr(module, "__all__", public_names(module))
    setattr(module, "__dir__", lambda: special + public_names(module))
