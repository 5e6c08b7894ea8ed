# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""NumPy's reductions and running sums, with its element types and all of its keywords."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tilemeter.trace._functions.native import trace as _trace
from tilemeter.trace._library.arguments import (
    Array, as_array, axes_of, axis_of, converted, fractions, given, integer, kind_of, no_out, only, or_none, refuse, truth,
    wrong,
)

_where = _trace.where


def _wide(dtype: Any) -> Any:
    """Sums of bool and of narrow integers are of 64 bits."""
    kind = kind_of(dtype)
    if kind in "bi":
        return np.dtype(np.int64)
    return np.dtype(np.uint64) if kind == "u" else dtype


def _axes(a: Any, axis: Any, function: str, takes_scalars: bool = False) -> list[int] | None:
    return None if axis is None else axes_of(axis, a.ndim, function, takes_scalars)


def _masked(a: Any, where: Any, otherwise: Any) -> Any:
    return _where(as_array(where), a, otherwise)


def _limit(dtype: Any, is_largest: bool) -> Any:
    if kind_of(dtype) == "f":
        return math.inf if is_largest else -math.inf
    if kind_of(dtype) == "b":
        return is_largest
    return int(np.iinfo(dtype).max if is_largest else np.iinfo(dtype).min)


def _none_given(where: Any) -> bool:
    return where is True or not given(where) or isinstance(where, np.bool_) and bool(where)


def reduce(name: str, a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, initial: Any = None,
           where: Any = True, function: str = "") -> Any:
    function = function or f"numpy.{name}"
    no_out(out, function)
    a, keep = as_array(a), truth(keepdims, f"{function}: keepdims")
    axes = _axes(a, or_none(axis), function, True)
    native = getattr(_trace, name)
    dtype = or_none(dtype)
    if dtype is not None and str(dtype) != "bfloat16":
        dtype = np.dtype(dtype)
    if name in ("any", "all"):
        if dtype is not None and dtype != np.dtype(bool):
            refuse(function, "", f"dtype={dtype}, which arrays do not take", "type")
        if not _none_given(where):
            a = _masked(_trace.ne(a, 0) if kind_of(a.dtype) != "b" else a, where, name == "all")
        result = native(a, axes, keep)
        if given(initial):
            result = (_trace.logical_or if name == "any" else _trace.logical_and)(result, bool(initial))
        return result
    if name in ("sum", "prod"):
        target = _wide(a.dtype) if dtype is None else dtype
        if str(target) == "bool":
            return reduce("any" if name == "sum" else "all", a, axes, None, None, keep, initial, where, function)
        if a.dtype != target and dtype is not None:
            a = a.astype(target)
        if not _none_given(where):
            a = _masked(a, where, 0 if name == "sum" else 1)
        result = converted(native(a, axes, keep), target)
        if given(initial):
            start = converted(initial, target) if not isinstance(initial, float) or kind_of(target) == "f" else wrong(
                f"{function}: initial", repr(initial), f"a number of {target}", "type")
            result = (_trace.add if name == "sum" else _trace.mul)(result, start)
        return result
    is_largest = name == "max"
    if dtype is not None:
        a = a.astype(dtype)
    if not _none_given(where):
        if not given(initial):
            wrong(function, "where= without initial=, which may leave no elements", "both")
        a = _masked(a, where, _limit(a.dtype, not is_largest))
    if given(initial):
        if isinstance(initial, float) and kind_of(a.dtype) != "f":
            wrong(f"{function}: initial", repr(initial), f"a number of {a.dtype}", "type")
        start = converted(initial, a.dtype)
        shape = a.shape if axes is None else tuple(a.shape[each] for each in axes)
        if 0 in shape:
            rest = tuple(1 if axes is None or i in axes else extent for i, extent in enumerate(a.shape))
            kept = rest if keep else tuple(extent for i, extent in enumerate(a.shape) if axes is not None and i not in axes)
            return _trace.broadcast_to(start, kept)
        return (_trace.maximum if is_largest else _trace.minimum)(native(a, axes, keep), start)
    return native(a, axes, keep)


def count_of(a: Any, axes: list[int] | None) -> Any:
    count: Any = 1
    for i, extent in enumerate(a.shape):
        if axes is None or i in axes:
            count = count * extent
    return count


def _counted(a: Any, axes: list[int] | None, where: Any, dtype: Any) -> Any:
    """The number of elements that count, for each of the results with the axes kept."""
    spread = _trace.broadcast_to(as_array(where).astype("int64"), a.shape)
    return _trace.sum(spread, axes, True).astype(dtype)


def _steps(dtype: Any) -> Any:
    """The element type that NumPy computes means of 16 bits in."""
    return np.dtype(np.float32) if str(dtype) in ("float16", "bfloat16") else dtype


def mean(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = True) -> Any:
    function = "numpy.mean"
    no_out(out, function)
    a, keep = as_array(a), truth(keepdims, f"{function}: keepdims")
    axes = _axes(a, or_none(axis), function)
    target = fractions(a.dtype) if not given(dtype) else dtype
    if kind_of(target) != "f":
        # NumPy adds in that type, and divides as floats do.
        total = reduce("sum", a, axes, target, None, keep, None, where, function).astype("float64")
        count = count_of(a, axes) if _none_given(where) else _counted(a, axes, where, "float64")
        if isinstance(count, Array) and not keep:
            count = _trace.reshape(count, total.shape)
        return _trace.div(total, count).astype(target)
    if _none_given(where):
        return _trace.mean(a if a.dtype == target or kind_of(a.dtype) != "f" and str(target) == "float64" else a.astype(target), axes, keep)
    steps = _steps(target)
    total = reduce("sum", a.astype(steps), axes, steps, None, True, None, where, function)
    result = _trace.div(total, _counted(a, axes, where, steps)).astype(target)
    return result if keep else _dropped(result, axes)


def _dropped(x: Any, axes: list[int] | None) -> Any:
    return _trace.squeeze(x, tuple(range(x.ndim)) if axes is None else tuple(axes)) if x.ndim else x


def var(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: Any = False, *, where: Any = True,
        mean: Any = None, correction: Any = None, function: str = "numpy.var") -> Any:
    no_out(out, function)
    if given(correction):
        if ddof not in (0, None):
            wrong(function, "ddof= and correction=", "one of the two")
        ddof = correction
    a, keep = as_array(a), truth(keepdims, f"{function}: keepdims")
    if not isinstance(ddof, (int, float, np.integer, np.floating)):
        wrong(f"{function}: ddof", f"an object of type {type(ddof).__name__}", "a number", "type")
    axes = _axes(a, or_none(axis), function)
    target = fractions(a.dtype) if not given(dtype) else np.dtype(dtype) if str(dtype) != "bfloat16" else dtype
    if kind_of(target) != "f":
        refuse(function, "", f"dtype={target}, expected floats")
    plain = _none_given(where) and not given(mean)
    steps = target if plain and str(target) not in ("float16", "bfloat16") else _steps(target)
    x = converted(a, steps)
    if _none_given(where):
        middle = _trace.mean(x, axes, True) if not given(mean) else converted(mean, steps)
        squares = _trace.square(_trace.sub(x, middle))
        if not ddof:
            result = _trace.mean(squares, axes, keep)
            return converted(result, target)
        total = _trace.sum(squares, axes, True)
        count = count_of(a, axes)
        count = max(count - ddof, 0) if isinstance(count, int) else count - ddof
        result = _trace.div(total, float(count) if isinstance(count, (int, float, np.number)) else count)
    else:
        count = _counted(a, axes, where, steps)
        middle = _trace.div(reduce("sum", x, axes, steps, None, True, None, where, function), count)
        middle = middle if not given(mean) else converted(mean, steps)
        total = reduce("sum", _trace.square(_trace.sub(x, middle)), axes, steps, None, True, None, where, function)
        result = _trace.div(total, _trace.maximum(_trace.sub(count, float(ddof)), 0.0))
    return converted(result if keep else _dropped(result, axes), target)


def std(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: Any = False, *, where: Any = True,
        mean: Any = None, correction: Any = None) -> Any:
    return _trace.sqrt(var(a, axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction, function="numpy.std"))


def arg_extreme(name: str, a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
    function = f"numpy.{name}"
    no_out(out, function)
    a, keep = as_array(a), truth(keepdims, f"{function}: keepdims")
    axis = or_none(axis)
    if axis is not None and a.ndim == 0:
        axes_of(integer(axis, f"{function}: axis"), 0, function, True)
        axis = None
    if axis is not None:
        axis = axis_of(axis, a.ndim, function)
    result = getattr(_trace, name)(a, axis).astype("int64")
    if not keep:
        return result
    return _trace.reshape(result, (1,) * a.ndim) if axis is None else _trace.expand_dims(result, axis)


def scan_by_halves(combine: Callable[[Any, Any], Any], x: Any, axis: int) -> Any:
    """x0, x0 * x1, x0 * x1 * x2 ... of an operation that may be grouped anyhow, in as many steps as the extent has bits."""
    extent, step = x.shape[axis], 1
    if not isinstance(extent, int):
        refuse("a running operation", "", f"an axis of {extent} elements, expected a number of them", "value")
    whole = (slice(None),) * axis
    while step < extent:
        head, tail = x[tuple([*whole, slice(None, step)])], combine(x[tuple([*whole, slice(None, extent - step)])], x[tuple([*whole, slice(step, None)])])
        x = _trace.concat([head, tail], axis)
        step *= 2
    return x


def cumulative(name: str, a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    function = f"numpy.{name}"
    no_out(out, function)
    a = as_array(a)
    if axis is None or a.ndim == 0:
        axis = 0 if axis is None else axis_of(axis, 1, function)
        a = _trace.reshape(a, (-1,)) if a.ndim != 1 else a
    axis = axis_of(axis, a.ndim, function)
    target = _wide(a.dtype) if not given(dtype) else dtype
    if a.dtype != target:
        a = a.astype(target)
    if name == "cumsum" and str(a.dtype) != "bool":
        return _trace.cumsum(a, axis)
    combine = {"cumsum": _trace.add, "cumprod": _trace.mul}[name]
    return scan_by_halves(combine, a, axis)


def cumulative_array_api(name: str) -> Callable[..., Any]:
    function = {"cumsum": "numpy.cumulative_sum", "cumprod": "numpy.cumulative_prod"}[name]

    def run(x: Any, /, *, axis: Any = None, dtype: Any = None, out: Any = None, include_initial: Any = False) -> Any:
        x = as_array(x)
        if axis is None:
            if x.ndim != 1:
                wrong(function, f"an array of rank {x.ndim} without axis=", "axis=")
            axis = 0
        axis = axis_of(axis, x.ndim, function)
        result = cumulative(name, x, axis, dtype, out)
        if not truth(include_initial, f"{function}: include_initial"):
            return result
        shape = tuple(1 if i == axis else extent for i, extent in enumerate(result.shape))
        return _trace.concat([_trace.full(shape, 0 if name == "cumsum" else 1, result.dtype), result], axis)

    return run


def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    return _trace.sub(reduce("max", a, axis, None, out, keepdims, function="numpy.ptp"),
                      reduce("min", a, axis, None, out, keepdims, function="numpy.ptp"))


def count_nonzero(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    a = as_array(a)
    return reduce("sum", _trace.ne(a, 0) if str(a.dtype) != "bool" else a, axis, None, None, keepdims, function="numpy.count_nonzero")


def average(a: Any, axis: Any = None, weights: Any = None, returned: Any = False, *, keepdims: Any = False) -> Any:
    a = as_array(a)
    if weights is None:
        result = mean(a, axis, None, None, keepdims)
        return (result, _trace.full(result.shape, float(count_of(a, _axes(a, axis, "numpy.average"))), result.dtype)) if truth(
            returned, "returned") else result
    weights = as_array(weights)
    if weights.shape != a.shape:
        if axis is None or isinstance(axis, (tuple, list)) or weights.ndim != 1:
            wrong("numpy.average", f"weights of shape {weights.shape} for an array of shape {a.shape}", "one shape, or one axis", "type")
        shape = [1] * a.ndim
        shape[axis_of(axis, a.ndim, "numpy.average")] = -1
        weights = _trace.broadcast_to(_trace.reshape(weights, shape), a.shape)
    dtype = np.result_type(a.dtype, weights.dtype, *(("f8",) if kind_of(a.dtype) in "biu" else ()))
    a, weights = a.astype(dtype), weights.astype(dtype)
    total = reduce("sum", weights, axis, None, None, keepdims)
    result = _trace.div(reduce("sum", _trace.mul(a, weights), axis, None, None, keepdims), total)
    return (result, total) if truth(returned, "returned") else result


# ---- without nan

def _filled(a: Any, number: Any) -> Any:
    a = as_array(a)
    return _where(_trace.isnan(a), number, a) if kind_of(a.dtype) == "f" else a


def nan_reduction(name: str) -> Callable[..., Any]:
    number = 0 if name == "sum" else 1

    def run(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, initial: Any = None,
            where: Any = True) -> Any:
        return reduce(name, _filled(a, number), axis, dtype, out, keepdims, initial, where, f"numpy.nan{name}")

    return run


def nan_extreme(name: str) -> Callable[..., Any]:
    def run(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, initial: Any = None, where: Any = True) -> Any:
        a = as_array(a)
        if kind_of(a.dtype) != "f":
            return reduce(name, a, axis, None, out, keepdims, initial, where, f"numpy.nan{name}")
        limit = -math.inf if name == "max" else math.inf
        result = reduce(name, _filled(a, limit), axis, None, out, keepdims, initial, where, f"numpy.nan{name}")
        nothing = _trace.all(_trace.isnan(a), _axes(a, or_none(axis), name, True), truth(keepdims, "keepdims"))
        return result if given(initial) else _where(nothing, math.nan, result)

    return run


def nan_cumulative(name: str) -> Callable[..., Any]:
    return lambda a, axis=None, dtype=None, out=None: cumulative(name, _filled(a, 0 if name == "cumsum" else 1), axis, dtype, out)


def _valid(a: Any, where: Any) -> Any:
    valid = _trace.logical_not(_trace.isnan(a))
    return valid if _none_given(where) else _trace.logical_and(valid, as_array(where))


def nanmean(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = True) -> Any:
    a = as_array(a)
    if kind_of(a.dtype) != "f":
        return mean(a, axis, dtype, out, keepdims, where=where)
    return mean(_filled(a, 0), axis, dtype, out, keepdims, where=_valid(a, where))


def nanvar(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: Any = False, *, where: Any = True,
           mean: Any = None, correction: Any = None) -> Any:
    a = as_array(a)
    if kind_of(a.dtype) != "f":
        return var(a, axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction)
    valid = _valid(a, where)
    result = var(_filled(a, 0), axis, dtype, out, ddof, True, where=valid, mean=mean, correction=correction, function="numpy.nanvar")
    axes = _axes(a, or_none(axis), "numpy.nanvar")
    count = _counted(a, axes, valid, "int64")
    result = _where(_trace.le(count, correction if given(correction) else ddof), math.nan, result)
    return result if truth(keepdims, "keepdims") else _dropped(result, axes)


def nanstd(*args: Any, **kwargs: Any) -> Any:
    return _trace.sqrt(nanvar(*args, **kwargs))


# ---- ranks

def _along(a: Any, axis: Any, function: str) -> tuple[Any, list[int]]:
    """The array with the reduced axes as its last one, and which these were."""
    axes = list(range(a.ndim)) if axis is None else axes_of(axis, a.ndim, function)
    kept = [i for i in range(a.ndim) if i not in axes]
    moved = _trace.transpose(a, (*kept, *axes)) if a.ndim else a
    return _trace.reshape(moved, (*(a.shape[i] for i in kept), count_of(a, axes))), axes


def _kept(result: Any, a: Any, axes: list[int]) -> Any:
    return _trace.reshape(result, tuple(1 if i in axes else extent for i, extent in enumerate(a.shape)))


_METHODS = ("linear", "lower", "higher", "midpoint", "nearest")


def quantile(a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, method: str = "linear",
             keepdims: Any = False, *, weights: Any = None, function: str = "numpy.quantile", scale: float = 1.0) -> Any:
    no_out(out, function)
    only(function, weights=(weights, (None,)), overwrite_input=(overwrite_input, (False,)))
    if method not in _METHODS:
        refuse(function, "", f"method={method!r}, expected one of {', '.join(_METHODS)}", "value")
    a = as_array(a)
    if kind_of(a.dtype) == "b":
        refuse(function, "", "elements of bool, expected numbers")
    points = np.asarray(q, np.float64) / scale
    if np.any((points < 0) | (points > 1) | np.isnan(points)):
        wrong(function, f"q = {q}", "numbers from 0 to " + str(int(scale)))
    rows, axes = _along(a, or_none(axis), function)
    dtype = fractions(a.dtype)
    rows = _trace.sort(converted(rows, dtype), -1)
    count = rows.shape[-1]
    if not isinstance(count, int) or count == 0:
        wrong(function, f"{count} elements along the axes", "a number of them, 1 at least")
    places = points * (count - 1)
    low, high = np.floor(places).astype(np.int64), np.ceil(places).astype(np.int64)
    if method == "nearest":
        low = high = np.round(places).astype(np.int64)
    below, above = rows[..., low], rows[..., high]
    part = {"linear": places - low, "lower": 0.0, "higher": 1.0, "midpoint": 0.5, "nearest": 0.0}[method]
    weight = converted(np.asarray(part, np.float64) * (low != high), dtype)
    step = _trace.sub(above, below)
    made = _where(_trace.lt(weight, 0.5), _trace.add(below, _trace.mul(step, weight)),
                  _trace.sub(above, _trace.mul(step, _trace.sub(1.0, weight))))
    made = _where(_trace.eq(below, above), below, made)
    if kind_of(a.dtype) == "f":  # nan sorts last, and is the answer then
        last = rows[..., count - 1]
        last = _trace.reshape(last, (*last.shape, *(1,) * points.ndim))
        made = _where(_trace.isnan(last), math.nan, made)
    # q's axes come first.
    made = _trace.transpose(made, (*range(made.ndim - points.ndim, made.ndim), *range(made.ndim - points.ndim)))
    if not truth(keepdims, f"{function}: keepdims"):
        return made
    return _trace.reshape(made, (*points.shape, *(1 if i in axes else extent for i, extent in enumerate(a.shape))))


def percentile(a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, method: str = "linear",
               keepdims: Any = False, *, weights: Any = None) -> Any:
    return quantile(a, q, axis, out, overwrite_input, method, keepdims, weights=weights, function="numpy.percentile", scale=100.0)


def median(a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: Any = False) -> Any:
    function = "numpy.median"
    no_out(out, function)
    only(function, overwrite_input=(overwrite_input, (False,)))
    a = as_array(a)
    rows, axes = _along(a, or_none(axis), function)
    count = rows.shape[-1]
    dtype = fractions(a.dtype)
    if not isinstance(count, int):
        wrong(function, f"{count} elements along the axes", "a number of them")
    if count == 0:
        made = _trace.full(rows.shape[:-1], math.nan, dtype)
    else:
        rows = _trace.sort(rows, -1)
        first, second = rows[..., (count - 1) // 2], rows[..., count // 2]
        made = converted(first, dtype) if count % 2 else _trace.mean(_trace.stack([first, second], -1), -1)
        if kind_of(a.dtype) == "f":
            made = _where(_trace.isnan(rows[..., count - 1]), math.nan, made)
    return _kept(made, a, axes) if truth(keepdims, f"{function}: keepdims") else made
