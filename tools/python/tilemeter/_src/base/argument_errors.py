# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Arguments that do not fit, in one line: nanobind lists all overloads instead."""

from __future__ import annotations

import functools
import re
from typing import Any, Callable, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])
_OVERLOADS = re.compile(r"^ *(?:\d+\. )?\w+(\(.*\)) -> ", re.M)
_FOUND = re.compile(r"Invoked with types: (.*)")


def _plain(text: str) -> str:
    return re.sub(r"\btilemeter\.(?:_tilemeter\.)?", "", text)


def one_line(name: str, error: TypeError) -> TypeError:
    """A native function's refusal as `name: expected (...), found (...)`; any other TypeError as it is."""
    text = str(error)
    if "incompatible function arguments" not in text:
        return error
    expected = " or ".join(dict.fromkeys(_OVERLOADS.findall(text)))
    found = _FOUND.search(text)
    return TypeError(_plain(f"{name}: expected {expected}, found ({found[1] if found else 'no arguments'})"))


def in_words(function: _Function) -> _Function:
    """For a function that hands what it is given to a native one."""

    @functools.wraps(function)
    def told(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            told_error = one_line(function.__name__, error)
            if told_error is error:
                raise
        raise told_error

    return told  # type: ignore[return-value]
