# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The code that tilemeter_attach.pth runs when Python starts: nothing, unless TILEMETER_ATTACH names a report.

TILEMETER_ATTACH=REPORT captures all that TT-NN does in a program that nobody edits, from the import of `ttnn` to the end of
the process. A child process inherits the variable and would write the same file: it leaves it alone (TILEMETER_ATTACH_OWNER).
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import types
from collections.abc import Sequence
from typing import Any

_VARIABLE = "TILEMETER_ATTACH"
_OWNER = "TILEMETER_ATTACH_OWNER"


class _Finder(importlib.abc.MetaPathFinder):
    """Has the capture begin when `ttnn` has been imported, whoever imports it."""

    def __init__(self, report: str) -> None:
        self._report = report

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != "ttnn":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return None
        loader: Any = spec.loader
        execute, report = loader.exec_module, self._report

        def exec_module(module: types.ModuleType) -> None:
            execute(module)
            _begin(report)

        loader.exec_module = exec_module
        return spec


def _begin(report: str) -> None:
    import atexit

    from tilemeter_attach import AttachError, Capture
    from tilemeter_attach._captures import WholeRun

    try:
        whole = WholeRun(Capture(report))
    except AttachError as error:
        print(f"tilemeter: {error}", file=sys.stderr)
        return
    atexit.register(whole.end)


def start() -> None:
    # In a virtual environment Python reads .pth files twice.
    if any(isinstance(each, _Finder) for each in sys.meta_path):
        return
    report = os.environ.get(_VARIABLE)
    if not report or os.environ.setdefault(_OWNER, str(os.getpid())) != str(os.getpid()):
        return
    sys.meta_path.insert(0, _Finder(os.path.abspath(report)))
