# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The texts that the records behind X.python_io.json need of Python: texts of arguments, stacks of callers.

The records themselves are the extension module's (`recording`); text is made when they are read.
"""

from __future__ import annotations

import functools
import linecache
import os
import pathlib
import sys
import types
from typing import Any

from tilemeter._tilemeter import recording

# Frames of these packages say nothing about the program: the package itself and the test runner. They are known by where
# they were loaded from: a program may lie below a folder of the same name.
_TEST_RUNNER = ("_pytest", "pytest", "pluggy")

Stack = list[tuple[types.CodeType, int]]


def value_text(value: object) -> str:
    """An argument that is no tensor of ours: arrays by shape and type, everything else as str() has it."""
    try:
        shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
        if shape is not None and dtype is not None:
            kind = type(value)
            return f"{kind.__module__.partition('.')[0]}.{kind.__name__}(shape={list(shape)}, dtype={dtype})"
        return str(value)
    except Exception as error:
        return f"<unprintable {type(value).__name__}: {type(error).__name__}: {error}>"


def python_stack() -> Stack:
    """The callers, innermost first: code and instruction."""
    stack: Stack = []
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        stack.append((frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return stack


def _is_below(path: str, module_file: str | None) -> bool:
    """True if a file lies in the folder of a module, as the module was found or with links resolved."""
    if module_file is None:
        return False
    folder = os.path.dirname(os.path.abspath(module_file))
    return any(path.startswith(os.path.join(place, "")) for place in (folder, os.path.realpath(folder)))


@functools.lru_cache(maxsize=4096)
def _is_hidden(path: str) -> bool:
    # A package whose frames are on the stack is loaded, so the answer for a path never changes.
    runner = (getattr(sys.modules.get(name), "__file__", None) for name in _TEST_RUNNER)
    return (
        any(_is_below(path, file) for file in (__file__, *runner))
        or pathlib.PurePath(path).parts[-2:] == ("bin", "pytest")
    )


@functools.lru_cache(maxsize=65536)
def _frame_text(file: str, code: types.CodeType, instruction: int) -> str:
    # The file is asked for apart: code objects of the same text in two files are equal.
    line = code.co_firstlineno
    for start, end, number in code.co_lines():
        if start <= instruction < end and number is not None:
            line = number
            break
    source = linecache.getline(file, line).strip()
    return f'  File "{file}", line {line}, in {code.co_name}\n    {source}\n'


def stack_text(stack: Stack) -> list[str]:
    """The callers outside this package, innermost first."""
    return [_frame_text(code.co_filename, code, at) for code, at in stack if not _is_hidden(code.co_filename)]


recording.stack = python_stack
recording.stack_text = stack_text
recording.value_text = value_text
