# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Methods of arrays that are defined out of line, and how to add more.

Where NumPy's and torch's methods of one name differ, NumPy's meaning holds; torch's words (dim=, keepdim=) are taken beside
NumPy's.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from tilemeter.trace._functions.native import trace as _trace
from tilemeter.trace._library import numpy_dispatch as _numpy, mathematics, shapes, torch_functions, torch_shapes
from tilemeter.trace._library.arguments import wrong

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


def _method(name: str) -> Callable[[_F], _F]:
    def register(function: _F) -> _F:
        setattr(_Array, name, function)
        return function

    return register


def _numbers(given: tuple[Any, ...]) -> Any:
    return given[0] if len(given) == 1 else given


@_method("reshape")
def _reshape(self: Any, *shape: Any, order: Any = "C", copy: Any = None) -> Any:
    return shapes.reshape(self, _numbers(shape), order, copy=copy)


@_method("view")
def _view(self: Any, *shape: Any) -> Any:
    return _trace.reshape(self, _numbers(shape))


@_method("transpose")
def _transpose(self: Any, *axes: Any) -> Any:
    return _trace.transpose(self, _numbers(axes) if axes else None)


@_method("permute")
def _permute(self: Any, *axes: Any) -> Any:
    return _trace.transpose(self, _numbers(axes))


def _with_torchs_words(own: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(own)
    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        for word, same in (("dim", "axis"), ("keepdim", "keepdims")):
            if word in kwargs:
                if same in kwargs:
                    wrong(getattr(own, "__name__", "a method"), f"{word}= and {same}=", "one of the two", "type")
                kwargs[same] = kwargs.pop(word)
        return own(self, *args, **kwargs)

    return run


for _name in ("sum", "prod", "max", "min", "any", "all", "argmax", "argmin", "cumsum", "cumprod", "mean", "var", "std", "sort"):
    _function = _numpy.FUNCTIONS[getattr(np, _name)]
    _method(_name)(_with_torchs_words(_function))
for _name in ("ravel", "swapaxes", "take", "clip", "dot", "ptp", "diagonal", "trace", "searchsorted", "nonzero", "compress", "choose",
              "argsort"):
    _method(_name)(_numpy.FUNCTIONS[getattr(np, _name)])
_method("round")(mathematics.round_)
_method("__round__")(lambda self, ndigits=None: mathematics.round_(self, 0 if ndigits is None else ndigits))
_method("__trunc__")(lambda self: int(self))
_method("__divmod__")(lambda self, other: (self // other, self % other))
_method("__rdivmod__")(lambda self, other: (other // self, other % self))
_method("__contains__")(lambda self, value: bool(_trace.any(_trace.eq(self, value))))
_method("copy")(lambda self, order="C": shapes.copy(self, order))
_method("to")(torch_functions.to)
_method("tobytes")(lambda self, order="C": np.asarray(self).tobytes(order))
_method("conj")(lambda self: self)
_method("conjugate")(lambda self: self)


@_method("astype")
def _astype(self: Any, dtype: Any, order: Any = "K", casting: Any = "unsafe", subok: Any = True, copy: Any = True) -> Any:
    if order == "K" and casting == "unsafe":
        return _trace._convert(self, dtype)
    return shapes.astype(self, dtype, order=order, casting=casting)


@_method("flatten")
def _flatten(self: Any, order: Any = "C", end_dim: Any = -1, *, start_dim: Any = None) -> Any:
    if isinstance(order, str) and start_dim is None:
        return shapes.ravel(self, order)
    return torch_shapes.flatten(self, (0 if isinstance(order, str) else order) if start_dim is None else start_dim, end_dim)


@_method("repeat")
def _repeat(self: Any, *repeats: Any, axis: Any = None) -> Any:
    """NumPy's with one number, or axis=; torch's, which is tile(), with a number for each axis."""
    if len(repeats) == 1 and (axis is not None or not isinstance(repeats[0], tuple)):
        return shapes.repeat(self, repeats[0], axis)
    sizes = repeats[0] if len(repeats) == 1 else repeats
    if len(repeats) == 2 and -self.ndim <= repeats[1] < self.ndim:
        wrong("repeat", f"{repeats[0]} and {repeats[1]}, which NumPy reads as an axis and torch as sizes", "axis=, or tile()", "type")
    return torch_shapes.repeat(self, sizes)


@_method("squeeze")
def _squeeze(self: Any, axis: Any = None, *, dim: Any = None) -> Any:
    return _trace.squeeze(self, axis) if dim is None else torch_shapes.squeeze(self, dim)


@_method("flip")
def _flip(self: Any, axis: Any = None, *more: Any, dims: Any = None) -> Any:
    return _trace.flip(self, (axis, *more) if more else axis if dims is None else dims)


@_method("softmax")
def _softmax(self: Any, axis: Any = -1, *, dim: Any = None, dtype: Any = None) -> Any:
    return torch_functions.softmax(self, axis if dim is None else dim, dtype=dtype)


@_method("log_softmax")
def _log_softmax(self: Any, axis: Any = -1, *, dim: Any = None, dtype: Any = None) -> Any:
    return torch_functions.log_softmax(self, axis if dim is None else dim, dtype=dtype)


def _unpickled(*parts: Any) -> Any:
    return _trace._unpickled(*parts)


_reduced = _Array.__reduce__
_method("__reduce__")(lambda self: (_unpickled, _reduced(self)[1]))


class _Size(int):
    """The number of elements, as NumPy has it; called, the extents, as torch has them."""

    shape: tuple[Any, ...]

    def __call__(self, dim: Any = None) -> Any:
        return self.shape if dim is None else self.shape[dim]


def _size(self: Any) -> Any:
    count = _count(self)
    if not isinstance(count, int):
        return count
    made = _Size(count)
    made.shape = self.shape
    return made


_count = _Array.size.fget
setattr(_Array, "size", property(_size))
for _name, _function in torch_shapes.METHODS.items():
    if not hasattr(_Array, _name):
        register_method(_name)(_function)
setattr(_Array, "mT", property(lambda self: shapes.swapaxes(self, -1, -2)))
setattr(_Array, "H", property(lambda self: shapes.swapaxes(self, -1, -2)))
setattr(_Array, "real", property(lambda self: self))
setattr(_Array, "imag", property(mathematics.imag))
setattr(_Array, "nbytes", property(lambda self: self.size * np.dtype(self.dtype).itemsize))
setattr(_Array, "itemsize", property(lambda self: np.dtype(self.dtype).itemsize))
setattr(_Array, "flat", property(lambda self: iter(shapes.ravel(self))))
setattr(_Array, "requires_grad", False)
setattr(_Array, "__array_priority__", 1000)  # of operators with classes that look at it
