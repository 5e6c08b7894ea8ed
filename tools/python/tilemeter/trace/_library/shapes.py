# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions that move, join, repeat and take apart, and those that make arrays like others."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tilemeter.trace._functions.native import trace as _trace
from tilemeter.trace._library.arguments import (
    Array, as_array, axes_of, axis_of, check_casting, common, converted, given, integer, integers, no_out, only, order_of,
    refuse, wrong,
)
from tilemeter.trace._library.reductions import reduce

_whole = slice(None)


def _zero(x: Any) -> Any:
    return False if str(x.dtype) == "bool" else 0


def reshape(a: Any, /, shape: Any = None, order: Any = "C", *, newshape: Any = None, copy: Any = None) -> Any:
    if copy is False:
        refuse("numpy.reshape", "", "copy=False, expected a call that may make a new array", "value")
    shape = newshape if shape is None else shape
    if order in ("F",):
        a = as_array(a)
        extents = integers(shape, "numpy.reshape: shape")
        return _trace.transpose(_trace.reshape(_trace.transpose(a), tuple(reversed(extents))))
    order_of(order, "numpy.reshape", ("C", "A"))
    return _trace.reshape(a, shape)


def ravel(a: Any, order: Any = "C") -> Any:
    if order == "F":
        a = _trace.transpose(a)
    else:
        order_of(order, "numpy.ravel", ("C", "A", "K"))
    return _trace.reshape(a, (-1,)) if as_array(a).ndim != 1 else as_array(a)


def transpose(a: Any, axes: Any = None) -> Any:
    return _trace.transpose(a, axes)


def swapaxes(a: Any, axis1: Any, axis2: Any) -> Any:
    a = as_array(a)
    first, second = axis_of(axis1, a.ndim, "numpy.swapaxes"), axis_of(axis2, a.ndim, "numpy.swapaxes")
    order = list(range(a.ndim))
    order[first], order[second] = order[second], order[first]
    return _trace.transpose(a, order)


def matrix_transpose(x: Any, /) -> Any:
    x = as_array(x)
    if x.ndim < 2:
        wrong("numpy.matrix_transpose", f"an array of rank {x.ndim}", "matrices")
    return swapaxes(x, -1, -2)


def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    a = as_array(a)
    sources, targets = axes_of(source, a.ndim, "numpy.moveaxis"), axes_of(destination, a.ndim, "numpy.moveaxis")
    if len(sources) != len(targets):
        wrong("numpy.moveaxis", f"{len(sources)} and {len(targets)} axes", "as many to move as places")
    order = [each for each in range(a.ndim) if each not in sources]
    for target, origin in sorted(zip(targets, sources)):
        order.insert(target, origin)
    return _trace.transpose(a, order)


def rollaxis(a: Any, axis: Any, start: Any = 0) -> Any:
    a = as_array(a)
    axis, start = axis_of(axis, a.ndim, "numpy.rollaxis"), integer(start, "numpy.rollaxis: start")
    if not -a.ndim <= start <= a.ndim:
        wrong("numpy.rollaxis", f"start {start}", f"a place of an array of rank {a.ndim}", "axis")
    start += a.ndim if start < 0 else 0
    order = [each for each in range(a.ndim) if each != axis]
    order.insert(start - (axis < start), axis)
    return _trace.transpose(a, order)


def broadcast_to(array: Any, shape: Any, subok: Any = False) -> Any:
    return _trace.broadcast_to(array, shape)


def broadcast_arrays(*args: Any, subok: Any = False) -> tuple[Any, ...]:
    arrays = [as_array(each) for each in args]
    try:
        shape = np.broadcast_shapes(*(each.shape for each in arrays))
    except ValueError as error:
        wrong("numpy.broadcast_arrays", str(error).split("\n")[0], "extents that are equal or 1")
    return tuple(_trace.broadcast_to(each, shape) for each in arrays)


def expand_dims(a: Any, axis: Any) -> Any:
    a = as_array(a)
    axes = integers(axis, "numpy.expand_dims: axis")
    for each in sorted(axes_of(axes, a.ndim + len(axes), "numpy.expand_dims")):
        a = _trace.expand_dims(a, each)
    return a


def squeeze(a: Any, axis: Any = None) -> Any:
    return _trace.squeeze(a, axis)


def _joined(arrays: Any, function: str, dtype: Any, casting: Any, out: Any) -> list[Any]:
    no_out(out, function)
    if isinstance(arrays, Array):
        arrays = list(arrays)
    parts = [as_array(each) for each in arrays]
    if not parts:
        wrong(function, "no arrays", "at least one")
    target = common(*parts) if not given(dtype) else np.dtype(dtype) if str(dtype) != "bfloat16" else dtype
    for each in parts:
        check_casting(each.dtype, target, casting, function)
    return [converted(each, target) for each in parts]


def concatenate(arrays: Any, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: Any = "same_kind",
                function: str = "numpy.concatenate") -> Any:
    parts = _joined(arrays, function, dtype, casting, out)
    if axis is None:
        return _trace.concat([ravel(each) for each in parts], 0)
    if any(each.ndim == 0 for each in parts):
        wrong(function, "a scalar", "arrays with an axis")
    return _trace.concat(parts, axis)


def stack(arrays: Any, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: Any = "same_kind") -> Any:
    parts = _joined(arrays, "numpy.stack", dtype, casting, out)
    for each in parts:
        if each.shape != parts[0].shape:
            wrong("numpy.stack", f"shapes {parts[0].shape} and {each.shape}", "one shape")
    return _trace.stack(parts, axis)


def atleast(rank: int, a: Any) -> Any:
    a = as_array(a)
    if rank == 3 and a.ndim < 3:
        return _trace.reshape(a, {0: (1, 1, 1), 1: (1, *a.shape, 1), 2: (*a.shape, 1)}[a.ndim])
    return _trace.reshape(a, (*(1,) * (rank - a.ndim), *a.shape)) if a.ndim < rank else a


def at_least(rank: int) -> Callable[..., Any]:
    def run(*arys: Any) -> Any:
        return atleast(rank, arys[0]) if len(arys) == 1 else tuple(atleast(rank, each) for each in arys)

    return run


def hstack(tup: Any, *, dtype: Any = None, casting: Any = "same_kind") -> Any:
    parts = [atleast(1, each) for each in tup]
    return concatenate(parts, 0 if parts and parts[0].ndim == 1 else 1, dtype=dtype, casting=casting, function="numpy.hstack")


def vstack(tup: Any, *, dtype: Any = None, casting: Any = "same_kind") -> Any:
    return concatenate([atleast(2, each) for each in tup], 0, dtype=dtype, casting=casting, function="numpy.vstack")


def dstack(tup: Any) -> Any:
    return concatenate([atleast(3, each) for each in tup], 2, function="numpy.dstack")


def column_stack(tup: Any) -> Any:
    parts = [as_array(each) for each in tup]
    return concatenate([_trace.transpose(atleast(2, each)) if each.ndim < 2 else each for each in parts], 1,
                       function="numpy.column_stack")


def block(arrays: Any) -> Any:
    def depth(each: Any) -> int:
        return 1 + max(map(depth, each)) if isinstance(each, list) else 0

    levels = depth(arrays)

    def leaves(each: Any) -> list[Any]:
        return [leaf for part in each for leaf in leaves(part)] if isinstance(each, list) else [as_array(each)]

    rank = max(levels, *(each.ndim for each in leaves(arrays))) if leaves(arrays) else levels

    def made(each: Any, level: int) -> Any:
        if not isinstance(each, list):
            return atleast_any(as_array(each), rank)
        return concatenate([made(part, level + 1) for part in each], -(levels - level), function="numpy.block")

    return made(arrays, 0)


def atleast_any(a: Any, rank: int) -> Any:
    return _trace.reshape(a, (*(1,) * (rank - a.ndim), *a.shape)) if a.ndim < rank else a


# ---- parts

def _cut(a: Any, cuts: Sequence[int], axis: int) -> list[Any]:
    before = [_whole] * axis
    return [a[tuple([*before, slice(first, last)])] for first, last in zip([0, *cuts], [*cuts, None])]


def array_split(ary: Any, indices_or_sections: Any, axis: Any = 0, function: str = "numpy.array_split", is_equal: bool = False) -> list[Any]:
    ary = as_array(ary)
    axis = axis_of(axis, ary.ndim, function)
    extent = ary.shape[axis]
    if isinstance(indices_or_sections, (int, np.integer)) or np.ndim(indices_or_sections) == 0:
        sections = integer(indices_or_sections, f"{function}: sections")
        if sections <= 0:
            wrong(function, f"{sections} sections", "at least 1")
        if is_equal and extent % sections:
            wrong(function, f"an extent of {extent}", f"a multiple of {sections}")
        size, more = divmod(extent, sections)
        sizes = [size + 1] * more + [size] * (sections - more)
        return _cut(ary, [sum(sizes[:i]) for i in range(1, sections)], axis)
    return _cut(ary, [operator.index(each) for each in np.asarray(indices_or_sections).tolist()], axis)


def split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> list[Any]:
    return array_split(ary, indices_or_sections, axis, "numpy.split", True)


def split_along(name: str, axis: int, least: int) -> Callable[..., Any]:
    def run(ary: Any, indices_or_sections: Any) -> list[Any]:
        ary = as_array(ary)
        if ary.ndim < least:
            wrong(f"numpy.{name}", f"an array of rank {ary.ndim}", f"rank {least} at least")
        return array_split(ary, indices_or_sections, axis if ary.ndim > axis else 0, f"numpy.{name}", True)

    return run


def unstack(x: Any, /, *, axis: Any = 0) -> tuple[Any, ...]:
    x = as_array(x)
    axis = axis_of(axis, x.ndim, "numpy.unstack")
    return tuple(x[(_whole,) * axis + (i,)] for i in range(x.shape[axis]))


def tile(A: Any, reps: Any) -> Any:
    a, times = as_array(A), integers(reps, "numpy.tile: reps")
    rank = max(a.ndim, len(times))
    a, times = atleast_any(a, rank), [1] * (rank - len(times)) + times
    if any(each < 0 for each in times):
        wrong("numpy.tile", f"reps {times}", "numbers from 0")
    if all(each == 1 for each in times):
        return a
    between = [part for extent in a.shape for part in (1, extent)]
    spread = [part for count, extent in zip(times, a.shape) for part in (count, extent)]
    return _trace.reshape(_trace.broadcast_to(_trace.reshape(a, between), spread), [count * extent for count, extent in zip(times, a.shape)])


def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    a = as_array(a)
    if axis is None:
        a, axis = ravel(a), 0
    axis = axis_of(axis, a.ndim, "numpy.repeat")
    counts = [operator.index(each) for each in np.ravel(np.asarray(repeats)).tolist()]
    extent = a.shape[axis]
    if any(each < 0 for each in counts):
        wrong("numpy.repeat", f"repeats {counts}", "numbers from 0")
    if len(counts) == 1:
        shape = (*a.shape[:axis + 1], counts[0], *a.shape[axis + 1:])
        spread = _trace.broadcast_to(_trace.expand_dims(a, axis + 1), shape)
        return _trace.reshape(spread, (*a.shape[:axis], extent * counts[0], *a.shape[axis + 1:]))
    if len(counts) != extent:
        wrong("numpy.repeat", f"{len(counts)} repeats", f"one, or {extent}")
    return a[(_whole,) * axis + (np.repeat(np.arange(extent), counts),)]


def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    a = as_array(a)
    if axis is None:
        return _trace.reshape(_rolled(ravel(a), sum(integers(shift, "numpy.roll: shift")), 0), a.shape)
    axes = [axis_of(each, a.ndim, "numpy.roll") for each in integers(axis, "numpy.roll: axis")]
    shifts = integers(shift, "numpy.roll: shift")
    try:
        pairs = list(zip(*(each.tolist() for each in np.broadcast_arrays(np.atleast_1d(shifts), np.atleast_1d(axes)))))
    except ValueError:
        wrong("numpy.roll", f"{len(shifts)} shifts of {len(axes)} axes", "as many of both, or one")
    for by, each in pairs:
        a = _rolled(a, by, each)
    return a


def _rolled(a: Any, by: int, axis: int) -> Any:
    extent = a.shape[axis]
    by = by % extent if isinstance(extent, int) and extent else 0 if isinstance(extent, int) else by
    if isinstance(by, int) and by == 0:
        return a
    before = (_whole,) * axis
    return _trace.concat([a[tuple([*before, slice(extent - by, None)])], a[tuple([*before, slice(None, extent - by)])]], axis)


def flip(m: Any, axis: Any = None) -> Any:
    m = as_array(m)
    return _trace.flip(m, None if axis is None else axes_of(axis, m.ndim, "numpy.flip"))


def flip_of(axis: int, name: str) -> Callable[..., Any]:
    def run(m: Any) -> Any:
        m = as_array(m)
        if m.ndim <= axis:
            wrong(f"numpy.{name}", f"an array of rank {m.ndim}", f"rank {axis + 1} at least")
        return _trace.flip(m, axis)

    return run


def rot90(m: Any, k: Any = 1, axes: Any = (0, 1)) -> Any:
    m = as_array(m)
    first, second = axes_of(tuple(axes), m.ndim, "numpy.rot90")
    turns = integer(k, "numpy.rot90: k") % 4
    if turns == 2:
        return _trace.flip(m, (first, second))
    if turns == 1:
        return swapaxes(_trace.flip(m, second), first, second)
    return _trace.flip(swapaxes(m, first, second), second) if turns == 3 else m


# ---- borders

def _widths(pad_width: Any, rank: int) -> list[tuple[int, int]]:
    if isinstance(pad_width, dict):
        widths: list[tuple[int, int]] = [(0, 0)] * rank
        for axis, each in pad_width.items():
            low, high = np.broadcast_to(np.asarray(each), (2,)).tolist()
            widths[axis_of(axis, rank, "numpy.pad")] = (low, high)
        return widths
    given_widths = np.asarray(pad_width)
    if given_widths.dtype.kind not in "iu":
        wrong("numpy.pad: pad_width", f"elements of {given_widths.dtype}", "integers", "type")
    try:
        widths = [(int(low), int(high)) for low, high in np.broadcast_to(given_widths, (rank, 2)).tolist()]
    except ValueError:
        wrong("numpy.pad", f"pad_width of shape {given_widths.shape}", f"pairs for {rank} axes")
    if any(each < 0 for pair in widths for each in pair):
        wrong("numpy.pad", f"pad_width {pad_width}", "numbers from 0")
    return widths


def pad(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    a = as_array(array)
    takes = {"constant": ("constant_values",), "reflect": ("reflect_type",), "symmetric": ("reflect_type",), "edge": (), "wrap": ()}
    if mode not in takes:
        refuse("numpy.pad", "", f"mode={mode!r}, expected one of {', '.join(takes)}", "value")
    for name in kwargs:
        if name not in takes[mode]:
            refuse("numpy.pad", "", f"{name}=, which mode {mode!r} does not take", "value")
    only("numpy.pad", reflect_type=(kwargs.get("reflect_type", "even"), ("even",)))
    widths = _widths(pad_width, a.ndim)
    if mode == "constant":
        return _bordered(a, widths, kwargs.get("constant_values", 0))
    for axis, (low, high) in enumerate(widths):
        if low or high:
            if a.shape[axis] == 0:
                wrong("numpy.pad", f"an axis {axis} without elements", f"some, for mode {mode!r}")
            places = np.pad(np.arange(a.shape[axis]), (low, high), mode=mode)
            a = a[(_whole,) * axis + (places,)]
    return a


def _bordered(a: Any, widths: list[tuple[int, int]], values: Any) -> Any:
    plain = np.asarray(values) if not isinstance(values, Array) else None
    if plain is None or plain.ndim == 0:
        value = values if plain is None or type(values) in (int, float, bool) else plain[()]
        return _trace.pad(a, [low for low, _ in widths], [high for _, high in widths], value)
    for axis, ((low, high), (first, last)) in enumerate(zip(widths, np.broadcast_to(plain, (a.ndim, 2)).tolist())):
        before = [0] * axis
        behind = [0] * (a.ndim - axis - 1)
        none = [0] * a.ndim
        a = _trace.pad(a, [*before, low, *behind], none, first)
        a = _trace.pad(a, none, [*before, high, *behind], last)
    return a


def append(arr: Any, values: Any, axis: Any = None) -> Any:
    if axis is None:
        return concatenate([ravel(arr), ravel(values)], 0, function="numpy.append")
    return concatenate([arr, values], axis, function="numpy.append")


def delete(arr: Any, obj: Any, axis: Any = None) -> Any:
    a = as_array(arr)
    if axis is None:
        a, axis = ravel(a), 0
    axis = axis_of(axis, a.ndim, "numpy.delete")
    try:
        kept = np.delete(np.arange(a.shape[axis]), obj)
    except IndexError as error:
        wrong("numpy.delete", str(error), "places inside", "index")
    return a[(_whole,) * axis + (kept,)]


def resize(a: Any, new_shape: Any) -> Any:
    a = ravel(a)
    shape = integers(new_shape, "numpy.resize: shape")
    count = int(np.prod(shape))
    if a.shape[0] == 0 or count == 0:
        return _trace.full(shape, 0, a.dtype)
    return _trace.reshape(a[np.arange(count) % a.shape[0]], shape)


# ---- matrices

def diagonal(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    a = as_array(a)
    if a.ndim < 2:
        wrong("numpy.diagonal", f"an array of rank {a.ndim}", "rank 2 at least")
    first, second = axes_of((axis1, axis2), a.ndim, "numpy.diagonal")
    offset = integer(offset, "numpy.diagonal: offset")
    a = moveaxis(a, (first, second), (-2, -1))
    rows, columns = a.shape[-2:]
    count = max(min(rows + min(offset, 0), columns - max(offset, 0)), 0)
    places = np.arange(count)
    return a[..., places + max(-offset, 0), places + max(offset, 0)]


def trace(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, dtype: Any = None, out: Any = None) -> Any:
    return reduce("sum", diagonal(a, offset, axis1, axis2), -1, dtype, out, function="numpy.trace")


def diag(v: Any, k: Any = 0) -> Any:
    v, k = as_array(v), integer(k, "numpy.diag: k")
    if v.ndim == 2:
        return diagonal(v, k)
    if v.ndim != 1:
        wrong("numpy.diag", f"an array of rank {v.ndim}", "a vector or a matrix")
    count = v.shape[0]
    size = count + abs(k)
    square = _trace.where(np.eye(count, dtype=bool), _trace.expand_dims(v, 1), _zero(v)) if count else _trace.full((0, 0), 0, v.dtype)
    return _trace.pad(square, [max(-k, 0), max(k, 0)], [size - count - max(-k, 0), size - count - max(k, 0)], _zero(v))


def diagflat(v: Any, k: Any = 0) -> Any:
    return diag(ravel(v), k)


def _triangle(name: str, m: Any, k: Any) -> Any:
    m = as_array(m)
    if m.ndim == 0:
        wrong(f"numpy.{name}", "a scalar", "matrices")
    if m.ndim == 1:
        m = _trace.broadcast_to(m, (m.shape[0], m.shape[0]))
    rows, columns = m.shape[-2:]
    k = integer(k, f"numpy.{name}: k")
    if isinstance(rows, int) and isinstance(columns, int):
        kept = np.tri(rows, columns, k if name == "tril" else k - 1, dtype=bool)
        return _trace.where(kept if name == "tril" else ~kept, m, _zero(m))
    down, across = _trace.reshape(_trace.arange(rows), (-1, 1)), _trace.arange(columns)
    inside = _trace.le(across, _trace.add(down, k)) if name == "tril" else _trace.ge(across, _trace.add(down, k))
    return _trace.where(inside, m, _zero(m))


def tril(m: Any, k: Any = 0) -> Any:
    return _triangle("tril", m, k)


def triu(m: Any, k: Any = 0) -> Any:
    return _triangle("triu", m, k)


def vander(x: Any, N: Any = None, increasing: Any = False) -> Any:
    x = as_array(x)
    if x.ndim != 1:
        wrong("numpy.vander", f"an array of rank {x.ndim}", "a vector")
    count = x.shape[0] if N is None else integer(N, "numpy.vander: N")
    wide = converted(x, np.promote_types(x.dtype, int))
    powers: list[Any] = []
    for _ in range(count):
        powers.append(_trace.mul(powers[-1], wide) if powers else _trace.full(x.shape, 1, wide.dtype))
    if not powers:
        return _trace.full((x.shape[0], 0), 0, wide.dtype)
    return _trace.stack(powers if increasing else powers[::-1], 1)


def meshgrid(*xi: Any, copy: Any = True, sparse: Any = False, indexing: Any = "xy") -> tuple[Any, ...]:
    if indexing not in ("xy", "ij"):
        wrong("numpy.meshgrid: indexing", repr(indexing), "'xy' or 'ij'")
    arrays = [ravel(each) for each in xi]
    rank = len(arrays)
    spread = []
    for i, each in enumerate(arrays):
        place = 1 - i if indexing == "xy" and i < 2 <= rank else i
        spread.append(_trace.reshape(each, tuple(-1 if k == place else 1 for k in range(rank))))
    return tuple(spread) if sparse or not spread else broadcast_arrays(*spread)


# ---- arrays like others

def like(name: str, number: Any) -> Callable[..., Any]:
    function = f"numpy.{name}"

    def run(a: Any, dtype: Any = None, order: Any = "K", subok: Any = True, shape: Any = None, *, device: Any = None) -> Any:
        return full_like(a, number, dtype, order, subok, shape, device=device, function=function)

    return run


def full_like(a: Any, fill_value: Any, dtype: Any = None, order: Any = "K", subok: Any = True, shape: Any = None, *,
              device: Any = None, function: str = "numpy.full_like") -> Any:
    order_of(order, function)
    only(function, device=(device, (None, "cpu")))
    a = as_array(a)
    shape, dtype = a.shape if shape is None else shape, a.dtype if dtype is None else dtype
    if type(fill_value) in (int, float, bool):
        return _trace.full(shape, fill_value, dtype)
    return _trace.broadcast_to(as_array(fill_value).astype(dtype), shape)


def copy(a: Any, order: Any = "K", subok: Any = False) -> Any:
    order_of(order, "numpy.copy")
    return as_array(a)


def astype(x: Any, dtype: Any, /, *, copy: Any = True, device: Any = None, order: Any = "K", casting: Any = "unsafe",
           subok: Any = True) -> Any:
    order_of(order, "astype")
    only("astype", device=(device, (None, "cpu")))
    x = as_array(x)
    check_casting(x.dtype, dtype, casting, "astype")
    return _trace._convert(x, dtype)


def size(a: Any, axis: Any = None) -> Any:
    a = as_array(a)
    if axis is None:
        return a.size
    count: Any = 1
    for each in axes_of(axis, a.ndim, "numpy.size"):
        count = count * a.shape[each]
    return count
