# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions that choose, order and look up elements.

Shapes that depend on values (nonzero, unique) are known where the values are: outside of traces.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tilemeter.trace._functions.native import trace as _trace
from tilemeter.trace._library.arguments import (
    Array, as_array, axis_of, common, converted, kind_of, no_out, only, together, wrong,
)
from tilemeter.trace._library.shapes import broadcast_arrays, ravel

_whole = slice(None)


def _places(indices: Any, function: str) -> Any:
    if isinstance(indices, (list, tuple)) and not indices:
        return _trace.full((0,), 0, "int64")
    indices = as_array(indices)
    if kind_of(indices.dtype) == "b":
        return indices.astype("int64")
    if kind_of(indices.dtype) not in "iu":
        wrong(function, f"indices of {indices.dtype}", "integers", "type")
    return indices


def _in_mode(indices: Any, extent: Any, mode: Any, function: str) -> Any:
    """The places that mode= makes of indices outside of the range."""
    if mode == "raise":
        return indices
    indices = indices.astype("int64")
    if mode == "wrap":
        return _trace.mod(indices, extent)
    if mode == "clip":
        return _trace.minimum(_trace.maximum(indices, 0), extent - 1)
    return wrong(f"{function}: mode", repr(mode), "'raise', 'wrap' or 'clip'")


def take(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: Any = "raise") -> Any:
    no_out(out, "numpy.take")
    a, indices = as_array(a), _places(indices, "numpy.take")
    if axis is None:
        a, axis = ravel(a), 0
    axis = axis_of(axis, a.ndim, "numpy.take")
    return _trace.gather(a, _in_mode(indices, a.shape[axis], mode, "numpy.take"), axis)


def along_axis(a: Any, indices: Any, axis: int) -> Any:
    """a's element at the index along one axis, and at the index' own place along the others."""
    parts: list[Any] = []
    for i, extent in enumerate(indices.shape):
        if i == axis:
            parts.append(indices)
        elif a.shape[i] == 1 and extent != 1:
            parts.append(np.zeros([1] * indices.ndim, np.int64))
        else:
            shape = tuple(-1 if k == i else 1 for k in range(indices.ndim))
            parts.append(np.arange(extent).reshape(shape) if isinstance(extent, int) else _trace.reshape(_trace.arange(extent), shape))
    return a[tuple(parts)]


def take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> Any:
    function = "numpy.take_along_axis"
    a, indices = as_array(arr), as_array(indices)
    if kind_of(indices.dtype) not in "iu":
        wrong(function, f"indices of {indices.dtype}", "integers", "index")
    if axis is None:
        if indices.ndim != 1:
            wrong(function, f"indices of rank {indices.ndim} without axis=", "a vector")
        a, axis = ravel(a), 0
    axis = axis_of(axis, a.ndim, function)
    if indices.ndim != a.ndim:
        wrong(function, f"indices of rank {indices.ndim} for an array of rank {a.ndim}", "one rank")
    shape = tuple(n if i == axis else (m if n == 1 else n) for i, (n, m) in enumerate(zip(indices.shape, a.shape)))
    for i, (n, m) in enumerate(zip(shape, a.shape)):
        if i != axis and m not in (1, n):
            wrong(function, f"shapes {indices.shape} and {a.shape}", "extents that are equal or 1 but for the axis", "index")
    return along_axis(a, _trace.broadcast_to(indices, shape), axis)


def where(condition: Any, x: Any = None, y: Any = None, /) -> Any:
    if x is None and y is None:
        return nonzero(condition)
    if x is None or y is None:
        wrong("numpy.where", "one of x and y", "both, or none")
    x, y = (each if type(each) in (int, float, bool) else as_array(each) for each in (x, y))
    if type(x) is bool:
        x = as_array(x)
    if type(y) is bool:
        y = as_array(y)
    if not isinstance(x, Array) and not isinstance(y, Array):
        x, y = together(x, y)
    return _trace.where(condition, x, y)


def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> Any:
    if len(condlist) != len(choicelist) or not condlist:
        wrong("numpy.select", f"{len(condlist)} conditions and {len(choicelist)} choices", "as many of both, one at least")
    for each in condlist:
        if kind_of(as_array(each).dtype) != "b":
            wrong("numpy.select", f"a condition of {as_array(each).dtype}", "bool", "type")
    *choices, result = together(*choicelist, default)
    for condition, choice in zip(reversed(condlist), reversed(choices)):
        result = _trace.where(condition, choice, result)
    return result


def choose(a: Any, choices: Any, out: Any = None, mode: Any = "raise") -> Any:
    no_out(out, "numpy.choose")
    parts = together(*choices)
    index, *parts = broadcast_arrays(_places(a, "numpy.choose"), *parts)
    stacked = _trace.stack(parts, 0)
    place = _in_mode(index, len(parts), mode, "numpy.choose")
    if mode == "raise" and not place.is_traced and np.any((np.asarray(place) < 0) | (np.asarray(place) >= len(parts))):
        wrong("numpy.choose", "an index outside", f"0 to {len(parts) - 1}")
    return along_axis(stacked, _trace.expand_dims(place, 0), 0)[0]


def compress(condition: Any, a: Any, axis: Any = None, out: Any = None) -> Any:
    no_out(out, "numpy.compress")
    a = as_array(a)
    if axis is None:
        a, axis = ravel(a), 0
    axis = axis_of(axis, a.ndim, "numpy.compress")
    places = np.flatnonzero(np.asarray(condition))
    return a[(_whole,) * axis + (places,)]


def extract(condition: Any, arr: Any) -> Any:
    return ravel(arr)[np.flatnonzero(np.asarray(condition))]


def _of_values(function: Callable[..., Any]) -> Callable[..., Any]:
    """NumPy's function of values that are known: places, counts and sets, which have no derivatives."""
    def run(*args: Any, **kwargs: Any) -> Any:
        plain = [np.asarray(each) if isinstance(each, Array) else each for each in args]
        named = {name: np.asarray(each) if isinstance(each, Array) else each for name, each in kwargs.items()}
        made = function(*plain, **named)
        if isinstance(made, np.ndarray):
            return _trace.array(made)
        if isinstance(made, tuple):
            parts = [_trace.array(each) if isinstance(each, np.ndarray) else each for each in made]
            return type(made)(*parts) if hasattr(made, "_fields") else tuple(parts)
        return made

    return run


nonzero, flatnonzero, argwhere = _of_values(np.nonzero), _of_values(np.flatnonzero), _of_values(np.argwhere)
OF_VALUES = ("unique", "unique_values", "unique_counts", "unique_inverse", "unique_all", "union1d", "intersect1d", "setdiff1d",
             "setxor1d", "bincount", "histogram", "histogram_bin_edges", "packbits", "unpackbits", "array2string", "array_repr",
             "array_str", "partition", "argpartition", "lexsort", "ediff1d")
of_values = _of_values


# ---- order

def _check_sort(function: str, kind: Any, order: Any, stable: Any) -> None:
    # Equal elements are the same value, and places of equal ones stay in order, as stable sorts have them.
    only(function, order=(order, (None,)), stable=(stable, (None, True, False)))
    if kind not in (None, "quicksort", "mergesort", "heapsort", "stable"):
        wrong(f"{function}: kind", repr(kind), "'quicksort', 'mergesort', 'heapsort' or 'stable'")
    if kind is not None and stable is not None:
        wrong(function, "kind= and stable=", "one of the two")


def sort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    _check_sort("numpy.sort", kind, order, stable)
    a = as_array(a)
    if axis is None:
        a, axis = ravel(a), 0
    return _trace.sort(a, axis_of(axis, a.ndim, "numpy.sort"))


def sorted_places(a: Any, axis: int, is_descending: bool = False) -> Any:
    shape = tuple(-1 if k == axis else 1 for k in range(a.ndim))
    places = _trace.broadcast_to(_trace.reshape(_trace.arange(a.shape[axis]), shape), a.shape)
    keys = a.astype("int8") if str(a.dtype) == "bool" else a
    attributes = {"axis": axis, **({"descending": True} if is_descending else {})}
    return _trace.apply("flat.sort", [_trace.stop_gradient(keys), places], attributes)[1]


def argsort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    _check_sort("numpy.argsort", kind, order, stable)
    a = as_array(a)
    if axis is None:
        a, axis = ravel(a), 0
    if a.ndim == 0:
        axis_of(axis, 1, "numpy.argsort")
        return _trace.full((1,), 0, "int64")
    return sorted_places(a, axis_of(axis, a.ndim, "numpy.argsort"))


def searchsorted(a: Any, v: Any, side: Any = "left", sorter: Any = None) -> Any:
    if side not in ("left", "right"):
        wrong("numpy.searchsorted: side", repr(side), "'left' or 'right'")
    a, v = as_array(a), as_array(v)
    if a.ndim != 1:
        wrong("numpy.searchsorted", f"an array of rank {a.ndim}", "a vector")
    if sorter is not None:
        a = take(a, sorter)
    a, v = together(a, v)
    spread = _trace.expand_dims(v, -1)
    is_before = _trace.lt(a, spread) if side == "left" else _trace.le(a, spread)
    if kind_of(a.dtype) == "f":  # nan is behind all numbers
        of_nan = _trace.isnan(spread)
        behind = _trace.logical_not(_trace.isnan(a)) if side == "left" else _trace.isnan(a)
        behind = behind if side == "left" else _trace.logical_or(behind, _trace.logical_not(behind))
        is_before = _trace.where(of_nan, behind, is_before)
    return _trace.sum(is_before, -1)


def digitize(x: Any, bins: Any, right: Any = False) -> Any:
    x, bins = as_array(x), as_array(bins)
    if kind_of(x.dtype) not in "fiub" or bins.ndim != 1:
        wrong("numpy.digitize", f"bins of rank {bins.ndim}", "a vector")
    known = np.asarray(bins)
    steps = np.diff(known.astype(np.float64) if known.dtype.kind == "u" else known)
    if len(known) > 1 and np.all(steps <= 0) and not np.all(steps >= 0):
        return _trace.sub(bins.shape[0], searchsorted(_trace.flip(bins), x, "left" if not right else "right"))
    if not np.all(steps >= 0):
        wrong("numpy.digitize", "bins in no order", "bins that grow or shrink")
    return searchsorted(bins, x, "right" if not right else "left")


def isin(element: Any, test_elements: Any, assume_unique: Any = False, invert: Any = False, *, kind: Any = None) -> Any:
    only("numpy.isin", kind=(kind, (None, "sort", "table")))
    element, values = as_array(element), ravel(test_elements)
    found = _trace.any(_trace.eq(_trace.expand_dims(element, -1), values), -1)
    return _trace.logical_not(found) if invert else found


def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    only("numpy.interp", period=(period, (None,)))
    xp, fp = converted(xp, "float64"), converted(fp, "float64")
    x = converted(x, "float64")
    if xp.ndim != 1 or fp.shape != xp.shape or xp.shape[0] == 0:
        wrong("numpy.interp", f"points of shapes {xp.shape} and {fp.shape}", "two vectors of one length, 1 at least")
    count = xp.shape[0]
    if count > 1:
        at = _trace.minimum(_trace.maximum(_trace.sub(searchsorted(xp, x, "right"), 1), 0), count - 2)
        above = _trace.add(at, 1)
        x0, x1, f0, f1 = (_trace.gather(each, place, 0) for each, place in ((xp, at), (xp, above), (fp, at), (fp, above)))
        width = _trace.sub(x1, x0)
        inside = _trace.add(_trace.mul(_trace.div(_trace.sub(f1, f0), _trace.where(_trace.eq(width, 0), 1, width)), _trace.sub(x, x0)), f0)
        inside = _trace.where(_trace.eq(x, xp[-1]), fp[-1], inside)
    else:
        inside = _trace.broadcast_to(fp[0], x.shape)
    below = fp[0] if left is None else converted(left, "float64")
    beyond = fp[-1] if right is None else converted(right, "float64")
    result = _trace.where(_trace.lt(x, xp[0]), below, _trace.where(_trace.gt(x, xp[-1]), beyond, inside))
    return _trace.where(_trace.isnan(x), x, result)


def refuse_writes(name: str) -> Callable[..., Any]:
    def run(*_: Any, **__: Any) -> Any:
        _trace._raise("immutable", f"numpy.{name}: found a write to elements of an array, which never change", f"numpy.{name}",
                      "make a new array: where(mask, new, x) or dynamic_update_slice(x, new, start)")

    return run

