# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""torch's functions on arrays, with torch's parameters: element by element, along axes, shapes, products.

Where several elements are equally large, derivatives go where torch has them. Nothing here imports torch.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tilemeter.trace._functions.native import trace as _trace
from tilemeter.trace._library import indices, mathematics, products, reductions, shapes
from tilemeter.trace._library.arguments import (
    Array, as_array, axes_of, axis_of, converted, given, integer, kind_of, no_out, refuse, together, wrong,
)

_where, _mul, _add, _sub, _div = _trace.where, _trace.mul, _trace.add, _trace.sub, _trace.div


class ValuesAndIndices(NamedTuple):
    values: Any
    indices: Any


def _cast(x: Any, dtype: Any) -> Any:
    return as_array(x) if dtype is None else converted(x, _dtype(dtype))


def _dtype(dtype: Any) -> Any:
    return _trace.full((), 0, dtype).dtype


def fraction(x: Any) -> Any:
    """torch makes float32 of integers where fractions come out."""
    x = as_array(x)
    return x if kind_of(x.dtype) == "f" else x.astype("float32")


def _dims(dim: Any) -> Any:
    return None if dim is None or isinstance(dim, (tuple, list)) and not dim else dim


# ---- element by element

def formula(name: str, function: Callable[..., Any], is_fraction: bool = True) -> Callable[..., Any]:
    def run(input: Any, *others: Any, out: Any = None) -> Any:
        no_out(out, f"torch.{name}")
        if others:
            return function(*together(input, *others))
        return function(fraction(input) if is_fraction else as_array(input))

    return run


def of_call(name: str, call: str, is_fraction: bool) -> Callable[..., Any]:
    """torch's function of this name, by a call of the graph."""
    operation = getattr(_trace, call)

    def run(input: Any, *other: Any, out: Any = None) -> Any:
        no_out(out, f"torch.{name}")
        operands = (input, *other)
        if is_fraction and _is_whole(*operands):
            operands = tuple(map(fraction, operands))
        return operation(*operands)

    return run


ROWS = {name: of_call(name, call, result == "fractions")
        for call, _, _, result, _, names in _trace._functions() for name in names.split()}


def scaled(operation: Callable[..., Any]) -> Callable[..., Any]:
    def run(input: Any, other: Any, *, alpha: Any = 1, out: Any = None) -> Any:
        no_out(out, "torch.add")
        return operation(input, other if type(alpha) in (int, float) and alpha == 1 else _mul(other, alpha))

    return run


def rsub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    return _sub(other, input if type(alpha) in (int, float) and alpha == 1 else _mul(input, alpha))


def div(input: Any, other: Any, *, rounding_mode: Any = None, out: Any = None) -> Any:
    no_out(out, "torch.div")
    if rounding_mode is None:
        return _div(input, other)
    if rounding_mode == "floor":
        return _trace.floor_divide(input, other) if _is_whole(input, other) else _trace.floor(_div(input, other))
    if rounding_mode == "trunc":
        return _trace.trunc_divide(input, other) if _is_whole(input, other) else _trace.trunc(_div(input, other))
    return wrong("torch.div: rounding_mode", repr(rounding_mode), "None, 'floor' or 'trunc'")


def _is_whole(*values: Any) -> bool:
    return all(kind_of(as_array(each).dtype) in "iub" for each in values)


def clamp(input: Any, min: Any = None, max: Any = None, *, out: Any = None) -> Any:
    no_out(out, "torch.clamp")
    if min is None and max is None:
        wrong("torch.clamp", "neither min nor max", "one of the two")
    x = as_array(input)
    # The derivative of x at a bound that is a number is 0; of two arrays both have half of it.
    if min is not None:
        x = _where(_trace.le(x, min), min, x) if _is_plain(x, min) else _trace.maximum(x, min)
    if max is not None:
        x = _where(_trace.ge(x, max), max, x) if _is_plain(x, max) else _trace.minimum(x, max)
    return x


def _is_plain(x: Any, bound: Any) -> bool:
    return type(bound) in (int, float) and kind_of(x.dtype) == "f"


def round_(input: Any, *, decimals: Any = 0, out: Any = None) -> Any:
    return mathematics.round_(input, decimals, out)


def lerp(input: Any, end: Any, weight: Any, *, out: Any = None) -> Any:
    no_out(out, "torch.lerp")
    return _add(input, _mul(weight, _sub(end, input)))


def addc(operation: Callable[..., Any]) -> Callable[..., Any]:
    def run(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1, out: Any = None) -> Any:
        no_out(out, "torch.addcmul")
        made = operation(tensor1, tensor2)
        return _add(input, made if type(value) in (int, float) and value == 1 else _mul(made, value))

    return run


def xlogy(input: Any, other: Any, *, out: Any = None) -> Any:
    no_out(out, "torch.xlogy")
    x, y = together(input, other)
    x, y = fraction(x), fraction(y)
    made = _where(_trace.eq(x, 0), 0, _mul(x, _trace.log(y)))
    return _where(_trace.isnan(y), math.nan, made)


def logit(input: Any, eps: Any = None, *, out: Any = None) -> Any:
    no_out(out, "torch.logit")
    x = fraction(input)
    if eps is not None:
        x = clamp(x, eps, 1 - eps)
    return _trace.log(_div(x, _sub(1, x)))


def where(condition: Any, input: Any = None, other: Any = None, *, out: Any = None) -> Any:
    no_out(out, "torch.where")
    return indices.where(condition, input, other)


def masked_fill(input: Any, mask: Any, value: Any) -> Any:
    x = as_array(input)
    return _where(mask, converted(value, x.dtype) if not isinstance(value, (int, float)) else value, x)


def masked_select(input: Any, mask: Any, *, out: Any = None) -> Any:
    no_out(out, "torch.masked_select")
    x, known = shapes.broadcast_arrays(input, mask)
    return x[np.asarray(known)]


def isclose(input: Any, other: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    return mathematics.isclose(input, other, rtol, atol, equal_nan)


def allclose(input: Any, other: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> bool:
    return bool(mathematics.allclose(input, other, rtol, atol, equal_nan))


def equal(input: Any, other: Any) -> bool:
    return bool(mathematics.array_equal(input, other))


def to(input: Any, *args: Any, dtype: Any = None, device: Any = None, copy: Any = False, non_blocking: Any = False,
       memory_format: Any = None) -> Any:
    for each in args:
        if isinstance(each, Array) or hasattr(each, "dtype") and hasattr(each, "shape"):
            dtype = each.dtype
        elif isinstance(each, str) and each in ("cpu",) or type(each).__name__ == "device":
            device = each
        elif isinstance(each, bool):
            continue
        else:
            dtype = each
    if device is not None and str(device) != "cpu":
        refuse("to", "from_numpy(..., device=device) makes a tensor of an array", f"device {device}", "value")
    return as_array(input) if dtype is None else _trace._convert(input, dtype)


def to_type(name: str) -> Callable[..., Any]:
    return lambda input, memory_format=None: converted(input, name) if str(as_array(input).dtype) != name else as_array(input)


# ---- along axes

def reduction(name: str, is_fraction: bool = False) -> Callable[..., Any]:
    def run(input: Any, dim: Any = None, keepdim: Any = False, *, dtype: Any = None, axis: Any = None, keepdims: Any = False,
            out: Any = None) -> Any:
        no_out(out, f"torch.{name}")
        x = _cast(input, dtype)
        x = fraction(x) if is_fraction and kind_of(x.dtype) != "f" else x
        return getattr(_trace, name)(x, _dims(axis if dim is None else dim), bool(keepdim or keepdims))

    return run


def amax(name: str) -> Callable[..., Any]:
    def run(input: Any, dim: Any = (), keepdim: Any = False, *, out: Any = None, axis: Any = None, keepdims: Any = False) -> Any:
        no_out(out, f"torch.a{name}")
        return getattr(_trace, name)(input, _dims(dim if axis is None else axis), bool(keepdim or keepdims))

    return run


def arg(name: str) -> Callable[..., Any]:
    def run(input: Any, dim: Any = None, keepdim: Any = False, *, axis: Any = None, keepdims: Any = False, out: Any = None) -> Any:
        no_out(out, f"torch.{name}")
        dim = axis if dim is None else dim
        return reductions.arg_extreme(name, input, dim, keepdims=bool(keepdim or keepdims))

    return run


def chosen(x: Any, place: Any, dim: int, keepdim: Any) -> Any:
    """The elements at these places along an axis, and the places."""
    place = _trace.stop_gradient(place)
    values = indices.along_axis(x, place, dim)
    if not keepdim:
        values, place = _trace.squeeze(values, dim), _trace.squeeze(place, dim)
    return ValuesAndIndices(values, place)


def extreme(name: str, place: str) -> Callable[..., Any]:
    def run(input: Any, dim: Any = None, keepdim: Any = False, *, other: Any = None, axis: Any = None, keepdims: Any = False,
            out: Any = None) -> Any:
        no_out(out, f"torch.{name}")
        x = as_array(input)
        if other is not None or isinstance(dim, Array) or hasattr(dim, "detach"):
            return getattr(_trace, name + "imum")(x, dim if other is None else other)
        dim = axis if dim is None else dim
        if dim is None:
            return getattr(_trace, name)(x)
        if x.ndim == 0:
            return ValuesAndIndices(x, _trace.full((), 0, "int64"))
        dim = axis_of(dim, x.ndim, f"torch.{name}")
        found = _trace.expand_dims(getattr(_trace, place)(x, dim), dim).astype("int64")
        return chosen(x, found, dim, keepdim or keepdims)

    return run


def _spread_of(input: Any, dim: Any, unbiased: Any, keepdim: Any, correction: Any, is_root: bool) -> Any:
    if isinstance(dim, bool):  # torch's older form: var(input, unbiased)
        dim, unbiased = None, dim
    if not given(correction):
        correction = 1 if unbiased in (None, True) else 0
    made = reductions.var(fraction(input), _dims(dim), None, None, 0, bool(keepdim), correction=correction, function="torch.var")
    return _trace.sqrt(made) if is_root else made


def var(input: Any, dim: Any = None, unbiased: Any = None, keepdim: Any = False, *, correction: Any = None, axis: Any = None,
        out: Any = None) -> Any:
    no_out(out, "torch.var")
    return _spread_of(input, axis if dim is None else dim, unbiased, keepdim, correction, False)


def std(input: Any, dim: Any = None, unbiased: Any = None, keepdim: Any = False, *, correction: Any = None, axis: Any = None,
        out: Any = None) -> Any:
    no_out(out, "torch.std")
    return _spread_of(input, axis if dim is None else dim, unbiased, keepdim, correction, True)


def var_mean(input: Any, dim: Any = None, unbiased: Any = None, keepdim: Any = False, *, correction: Any = None) -> Any:
    return (_spread_of(input, dim, unbiased, keepdim, correction, False),
            _trace.mean(fraction(input), _dims(None if isinstance(dim, bool) else dim), bool(keepdim)))


def std_mean(input: Any, dim: Any = None, unbiased: Any = None, keepdim: Any = False, *, correction: Any = None) -> Any:
    variance, middle = var_mean(input, dim, unbiased, keepdim, correction=correction)
    return _trace.sqrt(variance), middle


def norm(input: Any, p: Any = "fro", dim: Any = None, keepdim: Any = False, out: Any = None, dtype: Any = None) -> Any:
    no_out(out, "torch.norm")
    x = fraction(_cast(input, dtype))
    return products.vector_norm(x, axis=_dims(dim), keepdims=bool(keepdim), ord=2 if p in ("fro", None) else p)


def linalg_norm(A: Any = None, ord: Any = None, dim: Any = None, keepdim: Any = False, *, out: Any = None, dtype: Any = None,
                input: Any = None) -> Any:
    no_out(out, "torch.linalg.norm")
    x = fraction(_cast(A if input is None else input, dtype))
    if ord is None and (dim is None or not isinstance(dim, int)):
        return products.vector_norm(x, axis=_dims(dim), keepdims=bool(keepdim))
    return products.norm(x, ord, _dims(dim), bool(keepdim))


def vector_norm(x: Any, ord: Any = 2, dim: Any = None, keepdim: Any = False, *, dtype: Any = None, out: Any = None) -> Any:
    no_out(out, "torch.linalg.vector_norm")
    return products.vector_norm(fraction(_cast(x, dtype)), axis=_dims(dim), keepdims=bool(keepdim), ord=ord)


def logsumexp(input: Any, dim: Any = None, keepdim: Any = False, *, out: Any = None) -> Any:
    no_out(out, "torch.logsumexp")
    x = fraction(input)
    axes = tuple(range(x.ndim)) if dim is None else tuple(axes_of(dim, x.ndim, "torch.logsumexp"))
    largest = _trace.stop_gradient(_trace.max(x, axes, True))
    shift = _where(_trace.isfinite(largest), largest, 0)
    made = _add(_trace.log(_trace.sum(_trace.exp(_sub(x, shift)), axes, True)), shift)
    return made if keepdim or not axes else _trace.squeeze(made, axes)


def logcumsumexp(input: Any, dim: Any, *, out: Any = None) -> Any:
    no_out(out, "torch.logcumsumexp")
    x = fraction(input)
    return reductions.scan_by_halves(_trace.logaddexp, x, axis_of(dim, x.ndim, "torch.logcumsumexp"))


def cumulative(name: str) -> Callable[..., Any]:
    def run(input: Any, dim: Any, *, dtype: Any = None, out: Any = None) -> Any:
        return reductions.cumulative(name, input, dim, None if dtype is None else _dtype(dtype), out)

    return run


def cumulative_extreme(name: str, choose: Callable[..., Any]) -> Callable[..., Any]:
    def run(input: Any, dim: Any, *, out: Any = None) -> Any:
        no_out(out, f"torch.{name}")
        x = as_array(input)
        dim = axis_of(dim, x.ndim, f"torch.{name}")
        values = reductions.scan_by_halves(choose, _trace.stop_gradient(x), dim)
        shape = tuple(-1 if i == dim else 1 for i in range(x.ndim))
        places = _where(_trace.eq(x, values), _trace.reshape(_trace.arange(x.shape[dim]), shape), 0)
        places = reductions.scan_by_halves(_trace.maximum, places, dim)
        return ValuesAndIndices(indices.along_axis(x, places, dim), places)

    return run


def sort(input: Any, dim: Any = -1, descending: Any = False, stable: Any = False, *, out: Any = None) -> Any:
    no_out(out, "torch.sort")
    x = as_array(input)
    if x.ndim == 0:
        return ValuesAndIndices(x, _trace.full((), 0, "int64"))
    dim = axis_of(dim, x.ndim, "torch.sort")
    places = indices.sorted_places(x, dim, bool(descending))
    return ValuesAndIndices(indices.along_axis(x, places, dim), places)


def argsort(input: Any, dim: Any = -1, descending: Any = False, stable: Any = False) -> Any:
    return sort(input, dim, descending, stable).indices


def topk(input: Any, k: Any, dim: Any = -1, largest: Any = True, sorted: Any = True, *, out: Any = None) -> Any:
    no_out(out, "torch.topk")
    x, k = as_array(input), integer(k, "torch.topk: k")
    dim = axis_of(dim, x.ndim, "torch.topk")
    if not 0 <= k <= x.shape[dim]:
        wrong("torch.topk: k", k, f"0 to {x.shape[dim]}")
    places = indices.sorted_places(x, dim, bool(largest))[(slice(None),) * dim + (slice(None, k),)]
    return ValuesAndIndices(indices.along_axis(x, places, dim), places)


def kthvalue(input: Any, k: Any, dim: Any = -1, keepdim: Any = False, *, out: Any = None) -> Any:
    no_out(out, "torch.kthvalue")
    x, k = as_array(input), integer(k, "torch.kthvalue: k")
    dim = axis_of(dim, x.ndim, "torch.kthvalue")
    if not 1 <= k <= x.shape[dim]:
        wrong("torch.kthvalue: k", k, f"1 to {x.shape[dim]}")
    places = indices.sorted_places(x, dim)[(slice(None),) * dim + (slice(k - 1, k),)]
    return chosen(x, places, dim, keepdim)


def median(input: Any, dim: Any = None, keepdim: Any = False, *, out: Any = None) -> Any:
    """The lower of both in the middle; nan where there is one."""
    no_out(out, "torch.median")
    x = as_array(input)
    is_whole = dim is None
    if is_whole:
        x, dim = shapes.ravel(x), 0
    dim = axis_of(dim, x.ndim, "torch.median")
    places, count = indices.sorted_places(x, dim), x.shape[dim]
    at = (slice(None),) * dim
    place = places[tuple([*at, slice((count - 1) // 2, (count - 1) // 2 + 1)])]
    if kind_of(x.dtype) == "f":
        last = places[tuple([*at, slice(count - 1, count)])]
        place = _where(_trace.isnan(indices.along_axis(_trace.stop_gradient(x), last, dim)), last, place)
    found = chosen(x, place, dim, keepdim and not is_whole)
    return found.values if is_whole else found


def quantile(input: Any, q: Any, dim: Any = None, keepdim: Any = False, *, interpolation: str = "linear", out: Any = None) -> Any:
    return reductions.quantile(fraction(input), q, dim, out, False, interpolation, bool(keepdim), function="torch.quantile")


def softmax(input: Any, dim: Any = None, _stacklevel: Any = 3, dtype: Any = None, *, out: Any = None) -> Any:
    no_out(out, "torch.softmax")
    x = _cast(input, dtype)
    return _trace.softmax(x, _implicit(x, dim))


def log_softmax(input: Any, dim: Any = None, _stacklevel: Any = 3, dtype: Any = None, *, out: Any = None) -> Any:
    no_out(out, "torch.log_softmax")
    x = _cast(input, dtype)
    return _trace.log_softmax(x, _implicit(x, dim))


def _implicit(x: Any, dim: Any) -> int:
    """torch's older rule where no axis is said."""
    return (0 if x.ndim in (0, 1, 3) else 1) if dim is None else dim


def count_nonzero(input: Any, dim: Any = None) -> Any:
    return reductions.count_nonzero(input, dim)


def nan_to_num(input: Any, nan: Any = None, posinf: Any = None, neginf: Any = None, *, out: Any = None) -> Any:
    no_out(out, "torch.nan_to_num")
    return mathematics.nan_to_num(input, True, 0.0 if nan is None else nan, posinf, neginf)


def nansum(input: Any, dim: Any = None, keepdim: Any = False, *, dtype: Any = None, out: Any = None) -> Any:
    x = _cast(input, dtype)
    return reductions.nan_reduction("sum")(x, _dims(dim), None, out, bool(keepdim))


def nanmean(input: Any, dim: Any = None, keepdim: Any = False, *, dtype: Any = None, out: Any = None) -> Any:
    return reductions.nanmean(_cast(input, dtype), _dims(dim), None, out, bool(keepdim))


def detach(input: Any) -> Any:
    return _trace.stop_gradient(input)


def same(input: Any, *_: Any, **__: Any) -> Any:
    return as_array(input)


def clone(input: Any, *, memory_format: Any = None) -> Any:
    return as_array(input)


def numel(input: Any) -> Any:
    return as_array(input).size
