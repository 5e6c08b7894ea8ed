# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions on arrays, by its protocols: __array_ufunc__ and __array_function__."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tilemeter.trace._native import trace as _trace

_Array = _trace.Array
_UNIVERSAL = {
    "add": "add", "subtract": "sub", "multiply": "mul", "divide": "div", "true_divide": "div", "floor_divide": "floor_divide",
    "remainder": "mod", "mod": "mod", "power": "pow", "float_power": "pow", "arctan2": "atan2", "matmul": "matmul",
    "maximum": "maximum", "minimum": "minimum", "fmax": "fmax", "fmin": "fmin", "logaddexp": "logaddexp",
    "equal": "eq", "not_equal": "ne", "less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge",
    "logical_and": "logical_and", "logical_or": "logical_or", "logical_xor": "logical_xor", "logical_not": "logical_not",
    "negative": "neg", "absolute": "abs", "fabs": "abs", "exp": "exp", "expm1": "expm1", "log": "log", "log1p": "log1p",
    "sqrt": "sqrt", "cbrt": "cbrt", "sin": "sin", "cos": "cos", "tan": "tan", "tanh": "tanh", "square": "square",
    "sign": "sign", "floor": "floor", "ceil": "ceil", "rint": "round", "reciprocal": "reciprocal", "positive": "identity",
    "exp2": "exp2", "log2": "log2", "log10": "log10", "sinh": "sinh", "cosh": "cosh", "trunc": "trunc", "isnan": "isnan",
    "isfinite": "isfinite",
}
_REDUCTIONS = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all", "logical_or": "any"}


def refuse(function: str, hint: str = "") -> Any:
    _trace._raise("bad_argument", f"{function}: found an array, which it does not take", function, hint)


def _universal(self: Any, function: Any, method: str, inputs: Sequence[Any], keywords: dict[str, Any]) -> Any:
    """What is no plain call of a function that is known."""
    name = function.__name__
    out = keywords.pop("out", None)
    if out is not None and any(each is not None for each in out):
        _trace._raise("immutable", f"{name}: found out=, expected a call that makes a new array", name)
    if keywords.pop("where", True) is not True:
        refuse(name, "use where() on the result")
    dtype = keywords.pop("dtype", None)
    result: Any = None
    if method == "reduce" and name in _REDUCTIONS:
        axis = keywords.pop("axis", 0)
        result = getattr(_trace, _REDUCTIONS[name])(inputs[0], axis, bool(keywords.pop("keepdims", False)))
    elif method == "accumulate" and name == "add":
        result = _trace.cumsum(inputs[0], keywords.pop("axis", 0))
    elif method == "__call__" and name in _UNIVERSAL:
        result = _trace.apply(_UNIVERSAL[name], inputs)[0]
    elif method == "__call__" and name in _MORE_UNIVERSAL:
        result = _MORE_UNIVERSAL[name](*inputs)
    else:
        refuse(f"numpy.{name}{'' if method == '__call__' else '.' + method}")
    keywords.pop("casting", None), keywords.pop("order", None), keywords.pop("subok", None)
    if keywords:
        refuse(f"numpy.{name}({next(iter(keywords))}=...)")
    return result if dtype is None else result.astype(dtype)


_MORE_UNIVERSAL: dict[str, Callable[..., Any]] = {
    "arctan": lambda x: _trace.atan2(x, 1.0),
    "invert": _trace.bitwise_not,
    "bitwise_and": _trace.bitwise_and,
    "bitwise_or": _trace.bitwise_or,
    "bitwise_xor": _trace.bitwise_xor,
    "divmod": lambda x, y: (_trace.floor_divide(x, y), _trace.mod(x, y)),
}

FUNCTIONS: dict[Any, Callable[..., Any]] = {}


def implements(*functions: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def register(own: Callable[..., Any]) -> Callable[..., Any]:
        for each in functions:
            FUNCTIONS[each] = own
        return own

    return register


def _array_function(self: Any, function: Any, classes: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    own = FUNCTIONS.get(function)
    if own is None:
        refuse(f"{function.__module__}.{function.__name__}", "use a function of tilemeter.trace, or make it a custom_op")
        return None
    return own(*args, **kwargs)


def _reduction(name: str) -> Callable[..., Any]:
    native = getattr(_trace, name)

    def reduce(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, initial: Any = None,
               where: Any = True) -> Any:
        if out is not None or initial not in (None, np._NoValue) or where not in (True, np._NoValue):
            refuse(f"numpy.{name}(out=, initial=, where=)")
        result = native(a, axis, keepdims is True)
        return result if dtype is None else result.astype(dtype)

    return reduce


def _extreme(name: str) -> Callable[..., Any]:
    native = _reduction(name)
    return lambda a, axis=None, out=None, keepdims=False, initial=None, where=True: native(a, axis, None, out, keepdims, initial, where)


def _arg_extreme(name: str) -> Callable[..., Any]:
    native = getattr(_trace, name)

    def find(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
        result = native(a, axis)
        return _trace.expand_dims(result, axis) if keepdims is True and axis is not None else result

    return find


for _name in ("sum", "mean", "prod"):
    FUNCTIONS[getattr(np, _name)] = _reduction(_name)
for _name in ("max", "min", "any", "all"):
    FUNCTIONS[getattr(np, _name)] = _extreme(_name)
FUNCTIONS[np.amax], FUNCTIONS[np.amin] = FUNCTIONS[np.max], FUNCTIONS[np.min]
for _name in ("argmax", "argmin"):
    FUNCTIONS[getattr(np, _name)] = _arg_extreme(_name)


@implements(np.var)
def variance(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: float = 0, keepdims: Any = False) -> Any:
    centred = _trace.sub(a, _trace.mean(a, axis, True))
    squares = _trace.square(centred)
    if not ddof:
        return _trace.mean(squares, axis, keepdims is True)
    total = _trace.sum(squares, axis, keepdims is True)
    return _trace.div(total, max(float(centred.size // max(total.size, 1) - ddof), 0.0))


@implements(np.std)
def deviation(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: float = 0, keepdims: Any = False) -> Any:
    return _trace.sqrt(variance(a, axis, dtype, out, ddof, keepdims))


@implements(np.where)
def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    if x is None:
        refuse("numpy.where(condition)", "use where(condition, x, y)")
    return _trace.where(condition, x, y)


@implements(np.cumsum)
def cumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    result = _trace.cumsum(a, axis)
    return result if dtype is None else result.astype(dtype)


@implements(np.reshape)
def reshape(a: Any, shape: Any = None, order: str = "C", *, newshape: Any = None, copy: Any = None) -> Any:
    return _trace.reshape(a, newshape if shape is None else shape)


@implements(np.ravel)
def ravel(a: Any, order: str = "C") -> Any:
    return _trace.reshape(a, (-1,))


@implements(np.transpose)
def transpose(a: Any, axes: Any = None) -> Any:
    return _trace.transpose(a, axes)


@implements(np.swapaxes)
def swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    order = list(range(np.ndim(a)))
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return _trace.transpose(a, order)


@implements(np.moveaxis)
def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    sources = [each % np.ndim(a) for each in ((source,) if isinstance(source, int) else source)]
    targets = [each % np.ndim(a) for each in ((destination,) if isinstance(destination, int) else destination)]
    order = [each for each in range(np.ndim(a)) if each not in sources]
    for target, origin in sorted(zip(targets, sources)):
        order.insert(target, origin)
    return _trace.transpose(a, order)


@implements(np.broadcast_to)
def broadcast_to(array: Any, shape: Any, subok: bool = False) -> Any:
    return _trace.broadcast_to(array, shape)


@implements(np.expand_dims)
def expand_dims(a: Any, axis: Any) -> Any:
    for each in sorted((axis,) if isinstance(axis, int) else axis):
        a = _trace.expand_dims(a, each)
    return a


@implements(np.squeeze)
def squeeze(a: Any, axis: Any = None) -> Any:
    return _trace.squeeze(a, axis)


@implements(np.concatenate)
def concatenate(arrays: Any, axis: int | None = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    result = _trace.concat([ravel(each) for each in arrays], 0) if axis is None else _trace.concat(list(arrays), axis)
    return result if dtype is None else result.astype(dtype)


@implements(np.stack)
def stack(arrays: Any, axis: int = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    result = _trace.stack(list(arrays), axis)
    return result if dtype is None else result.astype(dtype)


@implements(np.split)
def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    extent = ary.shape[axis]
    if isinstance(indices_or_sections, int):
        step = extent // indices_or_sections
        if step * indices_or_sections != extent:
            _trace._raise("bad_argument", f"split: found an extent of {extent}, expected a multiple of {indices_or_sections}", "split")
        cuts = [step * i for i in range(1, indices_or_sections)]
    else:
        cuts = list(indices_or_sections)
    whole = [slice(None)] * (axis % ary.ndim)
    return [ary[tuple([*whole, slice(first, last)])] for first, last in zip([0, *cuts], [*cuts, extent])]


@implements(np.pad)
def pad(array: Any, pad_width: Any, mode: str = "constant", *, constant_values: Any = 0) -> Any:
    if mode != "constant":
        refuse(f"numpy.pad(mode={mode!r})")
    widths = np.broadcast_to(np.asarray(pad_width), (np.ndim(array), 2)).tolist()
    return _trace.pad(array, [low for low, _ in widths], [high for _, high in widths], float(constant_values))


@implements(np.take)
def take(a: Any, indices: Any, axis: int | None = None, out: Any = None, mode: str = "raise") -> Any:
    return _trace.gather(ravel(a) if axis is None else a, indices, 0 if axis is None else axis)


@implements(np.clip)
def clip(a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, *, min: Any = None, max: Any = None) -> Any:
    low, high = a_min if min is None else min, a_max if max is None else max
    a = a if low is None else _trace.maximum(a, low)
    return a if high is None else _trace.minimum(a, high)


@implements(np.dot)
def dot(a: Any, b: Any, out: Any = None) -> Any:
    if 0 in (np.ndim(a), np.ndim(b)):
        return _trace.mul(a, b)
    if np.ndim(b) <= 2:
        return _trace.matmul(a, b)
    # Of many dimensions the last one by the last but one, each row of a with each matrix of b.
    inner, kept = b.shape[-2], (*b.shape[:-2], b.shape[-1])
    columns = _trace.reshape(moveaxis(b, -2, 0), (inner, -1))
    return _trace.reshape(_trace.matmul(a, columns), (*a.shape[:-1], *kept))


@implements(np.outer)
def outer(a: Any, b: Any, out: Any = None) -> Any:
    return _trace.mul(_trace.expand_dims(ravel(a), 1), ravel(b))


@implements(np.round, np.around)
def round_(a: Any, decimals: int = 0, out: Any = None) -> Any:
    if decimals == 0 or (decimals > 0 and np.dtype(a.dtype).kind in "biu"):
        return _trace.round(a)
    scale = 10.0 ** abs(decimals)
    made = _trace.mul(_trace.round(_trace.div(a, scale)), scale) if decimals < 0 else _trace.div(_trace.round(_trace.mul(a, scale)), scale)
    return made.astype(a.dtype)


@implements(np.flip)
def flip(m: Any, axis: Any = None) -> Any:
    return _trace.flip(m, axis)


@implements(np.sort)
def sort(a: Any, axis: int = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    return _trace.sort(a, axis)


@implements(np.zeros_like)
def zeros_like(a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, *, device: Any = None) -> Any:
    return _trace.full(a.shape if shape is None else shape, 0.0, dtype or a.dtype)


@implements(np.ones_like)
def ones_like(a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, *, device: Any = None) -> Any:
    return _trace.full(a.shape if shape is None else shape, 1.0, dtype or a.dtype)


@implements(np.full_like)
def full_like(a: Any, fill_value: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, *,
              device: Any = None) -> Any:
    shape = a.shape if shape is None else shape
    if isinstance(fill_value, _Array):
        return _trace.broadcast_to(fill_value.astype(dtype or a.dtype), shape)
    return _trace.full(shape, float(fill_value), dtype or a.dtype)


FUNCTIONS[np.shape] = lambda a: a.shape
FUNCTIONS[np.ndim] = lambda a: a.ndim
FUNCTIONS[np.size] = lambda a, axis=None: a.size if axis is None else a.shape[axis]
FUNCTIONS[np.copy] = lambda a, order="K", subok=False: a
FUNCTIONS[np.real] = lambda a: a
FUNCTIONS[np.result_type] = lambda *a: np.result_type(*(each.dtype if isinstance(each, _Array) else each for each in a))


def install() -> None:
    for name, operation in _UNIVERSAL.items():
        function = getattr(np, name, None)
        if function is not None:
            _trace._set_universal_function(function, operation)
    _trace._set_universal_fallback(_universal)
    setattr(_Array, "__array_function__", _array_function)


install()
