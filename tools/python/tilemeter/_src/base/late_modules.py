# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Modules that `import tilemeter` already has, but that are run when something of them is first used: they import torch, or much of
the package. The import system does not know them until then, so that `python -m` and `import` of one find it as always."""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib
import importlib.machinery
import importlib.util
import sys
import types
from typing import Any, Iterator, Sequence

_PACKAGE = "tilemeter"


def _spec(full_name: str) -> importlib.machinery.ModuleSpec:
    spec = importlib.util.find_spec(full_name)
    if spec is None or spec.loader is None:
        raise ImportError(f"{full_name} is not installed")
    return spec


@functools.cache
def _source(full_name: str) -> ast.Module:
    loader: Any = _spec(full_name).loader
    made: ast.Module = ast.parse(loader.get_source(full_name))
    return made


@functools.cache
def _names_in(full_name: str) -> frozenset[str]:
    """The names that a source defines or imports at its top level."""
    names: set[str] = set()
    for each in _source(full_name).body:
        if isinstance(each, (ast.FunctionDef, ast.ClassDef)):
            names.add(each.name)
        elif isinstance(each, (ast.Import, ast.ImportFrom)):
            names.update(alias.asname or alias.name.partition(".")[0] for alias in each.names)
        elif isinstance(each, (ast.Assign, ast.AnnAssign)):
            names.update(node.id for node in ast.walk(each) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return frozenset(names)


def _name(late: types.ModuleType) -> str:
    return str(vars(late)["__name__"])


def _is_run(late: types.ModuleType) -> None:
    late.__class__ = types.ModuleType


class _Late(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        # Whoever asks all modules for some name, as the import system does, does not make it run.
        if name in _names_in(_name(self)):
            with _found_as(self):
                values = vars(importlib.import_module(_name(self)))
            if values is not vars(self) and type(self) is _Late:  # somebody had imported it
                vars(self).update(values)
                _is_run(self)
            if name in values:  # else it is being run, and asked for in a circle
                return values[name]
        raise AttributeError(f"module {_name(self)!r} has no attribute {name!r}")

    def __dir__(self) -> list[str]:
        return sorted({*vars(self), *(name for name in _names_in(_name(self)) if not name.startswith("_"))})

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return ast.get_docstring(_source(_name(self)))


class _Loader:  # importlib.abc has a class for it, and imports much
    """Runs a module in the object that is there."""

    def __init__(self, late: types.ModuleType, loader: Any) -> None:
        self._late = late
        self._loader = loader
        self._before: dict[str, Any] = {}

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        self._before = dict(vars(self._late))
        return self._late

    def exec_module(self, module: Any) -> None:
        module.__spec__.loader = module.__loader__ = self._loader
        try:
            self._loader.exec_module(module)
        except BaseException:
            vars(module).clear()
            vars(module).update(self._before)
            raise
        _is_run(module)


class _Finder:
    def __init__(self, late: types.ModuleType) -> None:
        self._name = _name(late)
        self._made = _spec(self._name)
        loader: Any = _Loader(late, self._made.loader)
        self._made.loader = loader

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        return self._made if fullname == self._name else None


@contextlib.contextmanager
def _found_as(late: types.ModuleType) -> Iterator[None]:
    """An import inside finds this object, under the import system's own locks."""
    if _name(late) in sys.modules:
        yield
        return
    finder = _Finder(late)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


def module(name: str) -> types.ModuleType:
    """tilemeter.`name`, not yet run. What it raises when it is run, it raises at each use."""
    return _Late(f"{_PACKAGE}.{name}")
