# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Methods of arrays that are defined out of line, and how to add more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from tilemeter.trace._native import trace as _trace
from tilemeter.trace import _numpy

_F = TypeVar("_F", bound=Callable[..., Any])
_Array = _trace.Array


def register_method(name: str, replace: bool = False) -> Callable[[_F], _F]:
    """Makes a function a method of arrays: @register_method("twice")."""

    def register(function: _F) -> _F:
        if not name.isidentifier() or name.startswith("__"):
            _trace._raise("bad_argument", f"register_method: found the name {name!r}, expected an identifier", "register_method")
        if hasattr(_Array, name) and not replace:
            _trace._raise("bad_argument", f"register_method: found the name {name!r}, which arrays have already", "register_method",
                          "pass replace=True")
        setattr(_Array, name, function)
        return function

    return register


def _numbers(given: tuple[Any, ...]) -> Any:
    return given[0] if len(given) == 1 else given


@register_method("reshape")
def _reshape(self: Any, *shape: Any) -> Any:
    return _trace.reshape(self, _numbers(shape))


@register_method("view")
def _view(self: Any, *shape: Any) -> Any:
    return _trace.reshape(self, _numbers(shape))


@register_method("transpose")
def _transpose(self: Any, *axes: Any) -> Any:
    return _trace.transpose(self, _numbers(axes) if axes else None)


@register_method("permute")
def _permute(self: Any, *axes: Any) -> Any:
    return _trace.transpose(self, _numbers(axes))


for _name in ("ravel", "swapaxes", "take", "clip", "dot"):
    register_method(_name)(getattr(_numpy, _name))
register_method("flatten")(_numpy.ravel)
register_method("copy")(lambda self: self)
register_method("var")(_numpy.variance)
register_method("std")(_numpy.deviation)
register_method("to")(lambda self, dtype: self.astype(dtype))
setattr(_Array, "__array_priority__", 1000)  # of operators with classes that look at it
