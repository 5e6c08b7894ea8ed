# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""`import ttnn` gives tilemeter: for scripts and models that stay as they are.

    python -m tilemeter.as_ttnn [--views=ttnn] SCRIPT [ARGUMENT...]
    python -m tilemeter.as_ttnn [--views=ttnn] -m MODULE [ARGUMENT...]      # such as pytest

A view (reshape, squeeze, ...) of memory that was freed with another tensor is refused, with the line that freed it. TT-NN goes
on, over memory that is free again: so does --views=ttnn, or TILEMETER_VIEWS=ttnn in the environment.

In a program, a conftest.py or a notebook, before the first `import ttnn`:

    from tilemeter.as_ttnn import install
    install()
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import runpy
import sys
import types
from typing import Any, NoReturn, Sequence

from tilemeter._src.captures.views import VIEWS_VARIABLE, set_views

_NAME = "ttnn"
_PACKAGE = "tilemeter"
_BESIDE = ("tt_lib", "tracy")  # packages that TT-NN installs beside ttnn
_TORCH_BACKEND = "torch_ttnn"  # torch.compile's backend for TT-NN


def _module(name: str) -> types.ModuleType | None:
    """tilemeter's module for ttnn.X.Y: one that can be imported, or that another has."""
    path = f"{_PACKAGE}.{name}" if name.partition(".")[0] in _BESIDE else name.replace(_NAME, _PACKAGE, 1)
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError as error:
        if error.name is None or not path.startswith(error.name):
            raise
    found: object = importlib.import_module(_PACKAGE)
    for part in path.split(".")[1:]:
        found = getattr(found, part, None)
    return found if isinstance(found, types.ModuleType) else None


def _hint_int(size: Any, fallback: int | None = None) -> int:
    """The number that stands for a size with a name: what PyTorch had under this name until 2.14."""
    node = getattr(size, "node", None)
    hint = size if node is None else node.hint
    return fallback if hint is None and fallback is not None else int(hint)


def _give_torch_backend_its_name() -> None:
    """Its metrics import hint_int, also where they are switched off."""
    symbolic_shapes = importlib.import_module("torch.fx.experimental.symbolic_shapes")
    if not hasattr(symbolic_shapes, _hint_int.__name__[1:]):
        setattr(symbolic_shapes, _hint_int.__name__[1:], _hint_int)


class _Loader(importlib.abc.Loader):
    def __init__(self, module: types.ModuleType) -> None:
        self.module = module
        self.spec = module.__spec__

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return self.module

    def exec_module(self, module: types.ModuleType) -> None:
        module.__spec__ = self.spec  # it keeps its own: it is the same module under another name
        if not hasattr(module, "__path__"):
            module.__path__ = []  # modules below it may be imported, too


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname == _TORCH_BACKEND:
            _give_torch_backend_its_name()
        if fullname.partition(".")[0] not in (_NAME, *_BESIDE):
            return None
        module = _module(fullname)
        return None if module is None else importlib.machinery.ModuleSpec(fullname, _Loader(module))


def install() -> None:
    """From here on `import ttnn`, and whatever is below it, gives tilemeter. Raises RuntimeError where TT-NN is loaded."""
    if any(isinstance(each, _Finder) for each in sys.meta_path):
        return
    loaded = sys.modules.get(_NAME)
    if loaded is not None and loaded is not sys.modules[_PACKAGE]:
        raise RuntimeError(f"as_ttnn: {_NAME} is loaded already, from {getattr(loaded, '__file__', '?')}")
    sys.meta_path.insert(0, _Finder())


_USAGE = "usage: python -m tilemeter.as_ttnn [--views=ttnn] SCRIPT [ARGUMENT...] | -m MODULE [ARGUMENT...]"


def _refuse(reason: str, status: int = 2) -> NoReturn:
    print(f"as_ttnn: {reason}" if reason else _USAGE, file=sys.stderr)
    sys.exit(status)


def _has_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError as error:  # its package isn't there, or can't import something: that will be said
        return error.name is None or not f"{name}.".startswith(f"{error.name}.")


def main() -> None:
    """The command: runs a script or a module. Exit status 2: wrong usage; 1: there is no such script or module."""
    arguments = sys.argv[1:]
    if arguments[:1] in (["-h"], ["--help"]):
        print(f"{_USAGE}\n\n{__doc__}")
        return
    if arguments and arguments[0].startswith("--views="):
        views = arguments.pop(0).partition("=")[2]
        try:
            set_views(views)
        except ValueError as error:
            _refuse(str(error))
        os.environ[VIEWS_VARIABLE] = views  # of processes that it starts, too
    is_module = arguments[:1] == ["-m"]
    sys.argv = arguments[1:] if is_module else arguments
    if not sys.argv:
        _refuse("")
    if sys.argv[0].startswith("-"):
        _refuse(f"unknown option {sys.argv[0]!r}; {_USAGE}")
    install()
    if is_module:
        sys.path.insert(0, os.getcwd())
        if not _has_module(sys.argv[0]):
            _refuse(f"no module {sys.argv[0]!r}", 1)
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    else:
        if not os.path.exists(sys.argv[0]):
            _refuse(f"{sys.argv[0]}: no such file", 1)
        sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[0])))
        runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    importlib.import_module("tilemeter.as_ttnn").main()  # the module as others import it: it installs once
