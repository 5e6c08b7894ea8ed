# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Modules that `import tilemeter` already has, but that are run when something of them is first used: they import torch, or much of
the package."""

from __future__ import annotations

import ast
import functools
import importlib.util
import pathlib
import sys
import threading
import types
from typing import Any

_lock = threading.RLock()


@functools.cache
def _names_in(path: str) -> frozenset[str]:
    """The names that a source defines or imports at its top level."""
    names: set[str] = set()
    for each in ast.parse(pathlib.Path(path).read_text()).body:
        if isinstance(each, (ast.FunctionDef, ast.ClassDef)):
            names.add(each.name)
        elif isinstance(each, (ast.Import, ast.ImportFrom)):
            names.update(alias.asname or alias.name for alias in each.names)
        elif isinstance(each, (ast.Assign, ast.AnnAssign)):
            names.update(node.id for node in ast.walk(each) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return frozenset(names)


class _Late(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        # Whoever asks all modules for some name, as the import system does, does not make it run.
        if name not in _names_in(vars(self)["__file__"]):
            raise AttributeError(f"module {vars(self)['__name__']!r} has no attribute {name!r}")
        with _lock:
            if type(self) is _Late:
                _run(self)
        return getattr(self, name)


def _run(late: types.ModuleType) -> None:
    before = dict(vars(late))
    late.__class__ = types.ModuleType
    assert late.__spec__ is not None and late.__spec__.loader is not None  # module() has seen it
    try:
        late.__spec__.loader.exec_module(late)
    except BaseException:
        vars(late).clear()
        vars(late).update(before)
        late.__class__ = _Late
        raise


def module(name: str) -> types.ModuleType:
    """tilemeter.`name`, not yet run. What it raises when it is run, it raises at each use."""
    full_name = f"tilemeter.{name}"
    spec = importlib.util.find_spec(full_name)
    if spec is None or spec.loader is None:
        raise ImportError(f"{full_name} is not installed")
    made = importlib.util.module_from_spec(spec)
    made.__class__ = _Late
    sys.modules[full_name] = made
    return made
