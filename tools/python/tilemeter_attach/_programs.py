# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A program of somebody else's, run in this process: as Python itself would, and with something to be done at its end."""

from __future__ import annotations

import functools
import os
import runpy
import sys
from collections.abc import Callable
from typing import NoReturn


def run_program(program: str, arguments: list[str], module: bool) -> None:
    """`program`: the path of a script, or the name of a module."""
    sys.argv = [program, *arguments]
    if module:
        runpy.run_module(program, run_name="__main__", alter_sys=True)
    else:
        sys.path.insert(0, os.path.dirname(os.path.abspath(program)))
        # As Python itself names a script in call stacks, from 3.9 on.
        runpy.run_path(os.path.abspath(program), run_name="__main__")


def before_sudden_exit(end: Callable[[], None]) -> None:
    """Has os._exit() call it: that ends a process without anything that is registered to run then; programs that fork use it."""
    original = os._exit

    @functools.wraps(original)
    def _exit(status: int) -> NoReturn:
        try:
            end()
        finally:
            original(status)

    os._exit = _exit
