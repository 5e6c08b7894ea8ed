# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""tilemeter.load_compiled, whose module is run when it is first called: it traces functions."""

from __future__ import annotations

import os
import sys
from typing import Any


def load_compiled(path: str | os.PathLike[str], function: str | None = None) -> Any:
    """A tilemeter.compiled.CompiledProgram from a file: a module of the TTNN dialect, a log or dump with one, a flatbuffer (.ttnn), or
    an executable as plugins keep it. function: which of its functions; else the first that no other calls.

    Raises ValueError in one line (file, place, what was expected and found), FileNotFoundError."""
    return sys.modules["tilemeter"].compiled.load_compiled(path, function)
