# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""NumPy's products of arrays: dot, einsum, tensordot and what belongs to linear algebra without decompositions."""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tilemeter.trace._functions.native import trace as _trace
from tilemeter.trace._library import elementwise
from tilemeter.trace._library.arguments import (
    as_array, axes_of, axis_of, check_casting, common, converted, fractions, given, integer, kind_of, no_out, only, order_of,
    refuse, together, truth, wrong,
)
from tilemeter.trace._library.shapes import concatenate, diagonal, moveaxis, ravel, swapaxes, trace


def _sum(x: Any, axes: Sequence[int]) -> Any:
    """In the element type of x, as products are."""
    if not axes:
        return x
    return converted(_trace.sum(x, tuple(axes)), x.dtype) if str(x.dtype) != "bool" else _trace.any(x, tuple(axes))


def contracted(a: Any, b: Any, left: Sequence[int], right: Sequence[int], batch_left: Sequence[int] = (),
               batch_right: Sequence[int] = ()) -> Any:
    """Batch axes, those of a alone and those of b alone, of the products' sums over the contracted ones."""
    dtype = common(a, b)
    is_bool = str(dtype) == "bool"
    a, b = converted(a, "int32" if is_bool else dtype), converted(b, "int32" if is_bool else dtype)
    product = _trace.apply("flat.dot_general", [a, b], {"lhs_batch": tuple(batch_left), "rhs_batch": tuple(batch_right),
                                                        "lhs_contract": tuple(left), "rhs_contract": tuple(right)})[0]
    return _trace.ne(product, 0) if is_bool else product


def dot(a: Any, b: Any, out: Any = None) -> Any:
    no_out(out, "numpy.dot")
    a, b = as_array(a), as_array(b)
    if 0 in (a.ndim, b.ndim):
        return _trace.mul(a, b)
    if b.ndim <= 2 and (a.ndim <= 2 or b.ndim == 2 or b.ndim == 1):
        return _trace.matmul(a, b)
    _fits(a.shape[-1], b.shape[-2], a, b, "numpy.dot")
    return contracted(a, b, [a.ndim - 1], [b.ndim - 2])


def _fits(first: Any, second: Any, a: Any, b: Any, function: str) -> None:
    if isinstance(first, int) and isinstance(second, int) and first != second:
        wrong(function, f"shapes {a.shape} and {b.shape}", "equal extents of what is contracted")


def inner(a: Any, b: Any, /) -> Any:
    a, b = as_array(a), as_array(b)
    if 0 in (a.ndim, b.ndim):
        return _trace.mul(a, b)
    _fits(a.shape[-1], b.shape[-1], a, b, "numpy.inner")
    return contracted(a, b, [a.ndim - 1], [b.ndim - 1])


def vdot(a: Any, b: Any, /) -> Any:
    a, b = ravel(a), ravel(b)
    _fits(a.shape[0], b.shape[0], a, b, "numpy.vdot")
    return _trace.matmul(a, b)


def outer(a: Any, b: Any, out: Any = None) -> Any:
    no_out(out, "numpy.outer")
    return _trace.mul(_trace.expand_dims(ravel(a), 1), ravel(b))


def linalg_outer(x1: Any, x2: Any, /) -> Any:
    if as_array(x1).ndim != 1 or as_array(x2).ndim != 1:
        wrong("numpy.linalg.outer", "arrays of other ranks", "two vectors")
    return outer(x1, x2)


def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    a, b = as_array(a), as_array(b)
    if isinstance(axes, (int, np.integer)):
        count = integer(axes, "numpy.tensordot: axes")
        left, right = list(range(a.ndim - count, a.ndim)), list(range(count))
        if count < 0 or count > min(a.ndim, b.ndim):
            wrong("numpy.tensordot", f"axes {axes} of arrays of ranks {a.ndim} and {b.ndim}", "as many axes as both have")
    else:
        first, second = axes
        left, right = axes_of(first, a.ndim, "numpy.tensordot"), axes_of(second, b.ndim, "numpy.tensordot")
    if len(left) != len(right):
        wrong("numpy.tensordot", f"{len(left)} and {len(right)} axes", "as many of both")
    for i, k in zip(left, right):
        _fits(a.shape[i], b.shape[k], a, b, "numpy.tensordot")
    return contracted(a, b, left, right)


def kron(a: Any, b: Any) -> Any:
    a, b = as_array(a), as_array(b)
    rank = max(a.ndim, b.ndim)
    a = _trace.reshape(a, (*(1,) * (rank - a.ndim), *a.shape))
    b = _trace.reshape(b, (*(1,) * (rank - b.ndim), *b.shape))
    left = _trace.reshape(a, [part for extent in a.shape for part in (extent, 1)])
    right = _trace.reshape(b, [part for extent in b.shape for part in (1, extent)])
    return _trace.reshape(_trace.mul(left, right), [n * m for n, m in zip(a.shape, b.shape)])


def cross(a: Any, b: Any, axisa: Any = -1, axisb: Any = -1, axisc: Any = -1, axis: Any = None) -> Any:
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = as_array(a), as_array(b)
    a, b = moveaxis(a, axisa, -1), moveaxis(b, axisb, -1)
    if a.shape[-1] != 3 or b.shape[-1] != 3:
        wrong("numpy.cross", f"vectors of {a.shape[-1]} and {b.shape[-1]} elements", "of 3")
    a0, a1, a2 = (a[..., i] for i in range(3))
    b0, b1, b2 = (b[..., i] for i in range(3))
    parts = [_trace.sub(_trace.mul(a1, b2), _trace.mul(a2, b1)), _trace.sub(_trace.mul(a2, b0), _trace.mul(a0, b2)),
             _trace.sub(_trace.mul(a0, b1), _trace.mul(a1, b0))]
    made = _trace.stack(parts, -1)
    return moveaxis(made, -1, axisc)


# ---- einsum

def _operands(function: str, args: tuple[Any, ...]) -> tuple[str, list[Any]]:
    """Subscripts as text; NumPy also takes each operand followed by a list of numbers."""
    if args and isinstance(args[0], str):
        return args[0].replace(" ", ""), [as_array(each) for each in args[1:]]
    letters = string.ascii_uppercase + string.ascii_lowercase

    def text(places: Sequence[Any]) -> str:
        return "".join("..." if each is Ellipsis else letters[integer(each, f"{function}: subscripts")] for each in places)

    pairs = list(zip(args[0::2], args[1::2]))
    subscripts = ",".join(text(places) for _, places in pairs)
    if len(args) % 2:
        subscripts += "->" + text(args[-1])
    return subscripts, [as_array(each) for each, _ in pairs]


def _parsed(function: str, subscripts: str, operands: list[Any]) -> tuple[list[str], str]:
    """Labels of each operand and of the result; what "..." stands for gets labels of its own."""
    source, arrow, target = subscripts.partition("->")
    terms = source.split(",")
    if len(terms) != len(operands):
        wrong(function, f"subscripts of {len(terms)} operands for {len(operands)}", "as many of both")
    spare = [chr(0x3b1 + i) for i in range(32)]
    dots, widest = [], 0
    for term, operand in zip(terms, operands):
        named = term.replace("...", "")
        if not all(letter in string.ascii_letters for letter in named) or term.count("...") > 1:
            wrong(function, f"subscripts {term!r}", "letters and one ellipsis at most")
        hidden = operand.ndim - len(named) if "..." in term else 0
        if hidden < 0 or "..." not in term and len(named) != operand.ndim:
            wrong(function, f"subscripts {term!r} of an array of rank {operand.ndim}", "a letter for each axis")
        dots.append(hidden)
        widest = max(widest, hidden)
    labels = spare[:widest]
    full = [term.replace("...", "".join(labels[widest - hidden:])) for term, hidden in zip(terms, dots)]
    if arrow:
        result = target.replace("...", "".join(labels))
        if len(set(result)) != len(result) or any(each not in "".join(full) for each in result):
            wrong(function, f"the result {target!r}", "labels of the operands, each once")
        return full, result
    together_ = "".join(full)
    once = sorted(each for each in set(together_) if together_.count(each) == 1 and each not in labels)
    return full, "".join(labels) + "".join(once)


def _without_repeats(x: Any, labels: str) -> tuple[Any, str]:
    for label in sorted(set(labels)):
        while labels.count(label) > 1:
            first = labels.index(label)
            second = labels.index(label, first + 1)
            if x.shape[first] != x.shape[second]:
                wrong("einsum", f"extents {x.shape[first]} and {x.shape[second]} of '{label}'", "equal ones")
            x = diagonal(x, 0, first, second)
            labels = labels.replace(label, "") + label if labels.count(label) == 2 else (
                labels[:first] + labels[first + 1:second] + labels[second + 1:] + label)
    return x, labels


def _pair(a: Any, left: str, b: Any, right: str, kept: set[str]) -> tuple[Any, str]:
    """The product of two operands, summed over the labels that nothing needs any more."""
    for label in sorted(set(left) & set(right)):  # an extent of 1 is spread, and so not contracted
        if a.shape[left.index(label)] != b.shape[right.index(label)]:
            if a.shape[left.index(label)] == 1:
                a, left = _trace.squeeze(a, left.index(label)), left.replace(label, "")
            elif b.shape[right.index(label)] == 1:
                b, right = _trace.squeeze(b, right.index(label)), right.replace(label, "")
            else:
                wrong("einsum", f"extents {a.shape[left.index(label)]} and {b.shape[right.index(label)]} of '{label}'", "equal ones")
    a, left = _summed(a, left, kept | set(right))
    b, right = _summed(b, right, kept | set(left))
    shared = [each for each in left if each in right]
    batch, inner_ = [each for each in shared if each in kept], [each for each in shared if each not in kept]
    product = contracted(a, b, [left.index(each) for each in inner_], [right.index(each) for each in inner_],
                         [left.index(each) for each in batch], [right.index(each) for each in batch])
    return product, "".join(batch) + "".join(each for each in left if each not in shared) + "".join(
        each for each in right if each not in shared)


def _summed(x: Any, labels: str, needed: set[str]) -> tuple[Any, str]:
    gone = [i for i, each in enumerate(labels) if each not in needed]
    return _sum(x, gone), "".join(each for each in labels if each in needed)


def einsum(*args: Any, out: Any = None, dtype: Any = None, order: Any = "K", casting: Any = "safe", optimize: Any = False,
           function: str = "numpy.einsum") -> Any:
    no_out(out, function)
    order_of(order, function)
    if not args:
        wrong(function, "no operands", "subscripts and operands")
    subscripts, operands = _operands(function, args)
    if not operands:
        wrong(function, "no operands", "one at least")
    labels, result = _parsed(function, subscripts, operands)
    target = common(*operands) if not given(dtype) else np.dtype(dtype)
    for each in operands:
        check_casting(each.dtype, target, casting, function)
    terms = [_without_repeats(converted(each, target), names) for each, names in zip(operands, labels)]
    order_of_pairs = _path(optimize, subscripts, operands)
    while len(terms) > 1:
        i, k = next(order_of_pairs, (0, 1))
        (a, left), (b, right) = terms[i], terms[k]
        rest = [each for n, each in enumerate(terms) if n not in (i, k)]
        kept = set(result).union(*(names for _, names in rest))
        terms = [*rest, _pair(a, left, b, right, kept)] if rest else [_pair(a, left, b, right, kept)]
    x, names = terms[0]
    x, names = _summed(x, names, set(result))
    return _trace.transpose(x, [names.index(each) for each in result]) if names != result else x


def _path(optimize: Any, subscripts: str, operands: list[Any]) -> Any:
    if optimize is False or len(operands) < 3 or isinstance(optimize, (list, tuple)):
        return iter(())
    shapes = [each.shape for each in operands]
    if not all(isinstance(extent, int) for shape in shapes for extent in shape):
        return iter(())
    path = np.einsum_path(subscripts, *(np.broadcast_to(np.float32(0), shape) for shape in shapes), optimize="greedy")[0][1:]
    return iter(sorted(pair) for pair in path if len(pair) == 2)


def multi_dot(arrays: Sequence[Any], *, out: Any = None) -> Any:
    no_out(out, "numpy.linalg.multi_dot")
    result = as_array(arrays[0])
    for each in arrays[1:]:
        result = dot(result, each)
    return result


def matrix_power(a: Any, n: Any) -> Any:
    a, n = as_array(a), integer(n, "numpy.linalg.matrix_power: n")
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        wrong("numpy.linalg.matrix_power", f"an array of shape {a.shape}", "square matrices")
    if n < 0:
        refuse("numpy.linalg.matrix_power", "", f"n = {n}, whose inverses arrays do not have", "value")
    if n == 0:
        return _trace.broadcast_to(converted(np.eye(a.shape[-1]), a.dtype), a.shape)
    result = None
    while n:
        result = (a if result is None else _trace.matmul(result, a)) if n & 1 else result
        n >>= 1
        a = _trace.matmul(a, a) if n else a
    return result


# ---- norms

def _norm(x: Any, order: Any, axes: tuple[int, ...] | None, keep: bool, function: str) -> Any:
    """The norm of vectors along the axes."""
    size = _trace.abs(x)
    if order is None or order == 2:
        return _root(_trace.sum(_trace.mul(x, x), axes, keep))
    if order == math.inf:
        return _trace.max(size, axes, keep)
    if order == -math.inf:
        return _trace.min(size, axes, keep)
    if order == 0:
        return converted(_trace.sum(_trace.ne(x, 0), axes, keep), x.dtype)
    if order == 1:
        return _trace.sum(size, axes, keep)
    if isinstance(order, str):
        wrong(f"{function}: ord", repr(order), "a number")
    return _trace.pow(_trace.sum(_trace.pow(size, float(order)), axes, keep), 1 / float(order))


def _root(square: Any) -> Any:
    """Its derivative at 0 is 0, as torch and JAX have the norm's."""
    is_zero = _trace.eq(square, 0)
    return _trace.where(is_zero, 0, _trace.sqrt(_trace.where(is_zero, 1, square)))


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:
    function = "numpy.linalg.norm"
    x = as_array(x)
    x, keep = converted(x, fractions(x.dtype)), truth(keepdims, f"{function}: keepdims")
    if axis is None:
        if ord is None or x.ndim == 1 or (ord in ("f", "fro") and x.ndim == 2) or (ord == 2 and x.ndim == 1):
            made = _norm(_trace.reshape(x, (-1,)), None if ord in ("f", "fro") else ord, None, False, function)
            return _trace.reshape(made, (1,) * x.ndim) if keep else made
        axis = tuple(range(x.ndim))
    axes = tuple(axes_of(axis, x.ndim, function))
    if len(axes) == 1:
        return _norm(x, ord, axes, keep, function)
    if len(axes) != 2:
        wrong(function, f"{len(axes)} axes", "one or two")
    return _matrix_norm(x, ord, axes, keep, function)


def _matrix_norm(x: Any, order: Any, axes: tuple[int, ...], keep: bool, function: str) -> Any:
    rows, columns = axes
    if order in (None, "fro", "f"):
        return _norm(x, None, axes, keep, function)
    if order in (1, -1, math.inf, -math.inf):
        along, of = (rows, columns) if order in (1, -1) else (columns, rows)
        sums = _trace.sum(_trace.abs(x), along, True)
        made = (_trace.max if order > 0 else _trace.min)(sums, of, True)
        return made if keep else _trace.squeeze(made, axes)
    return refuse(function, "", f"ord={order!r} of matrices, which needs singular values", "value")


def vector_norm(x: Any, /, *, axis: Any = None, keepdims: Any = False, ord: Any = 2) -> Any:
    function = "numpy.linalg.vector_norm"
    x = as_array(x)
    x, keep = converted(x, fractions(x.dtype)), truth(keepdims, f"{function}: keepdims")
    axes = tuple(range(x.ndim)) if axis is None else tuple(axes_of(axis, x.ndim, function))
    kept = tuple(i for i in range(x.ndim) if i not in axes)
    flat = _trace.reshape(_trace.transpose(x, (*kept, *axes)), (*(x.shape[i] for i in kept), -1)) if len(axes) != 1 else x
    made = _norm(flat, ord, (len(kept),) if len(axes) != 1 else axes, False, function)
    return _trace.reshape(made, tuple(1 if i in axes else n for i, n in enumerate(x.shape))) if keep else made


def matrix_norm(x: Any, /, *, keepdims: Any = False, ord: Any = "fro") -> Any:
    x = as_array(x)
    if x.ndim < 2:
        wrong("numpy.linalg.matrix_norm", f"an array of rank {x.ndim}", "matrices")
    return _matrix_norm(converted(x, fractions(x.dtype)), ord, (x.ndim - 2, x.ndim - 1),
                        truth(keepdims, "numpy.linalg.matrix_norm: keepdims"), "numpy.linalg.matrix_norm")


def vecdot(x1: Any, x2: Any, /, *, axis: Any = -1) -> Any:
    a, b = together(x1, x2)
    if axis != -1:
        a = moveaxis(a, axis_of(axis, a.ndim, "numpy.linalg.vecdot"), -1)
        b = moveaxis(b, axis_of(axis, b.ndim, "numpy.linalg.vecdot"), -1)
    return elementwise.vecdot(a, b)


# ---- filters and differences

def convolve(a: Any, v: Any, mode: Any = "full", function: str = "numpy.convolve", is_turned: bool = True) -> Any:
    modes = {"full": "full", "same": "same", "valid": "valid", 0: "valid", 1: "same", 2: "full"}
    if mode not in modes:
        wrong(f"{function}: mode", repr(mode), "'full', 'same' or 'valid'")
    a, v = together(_trace.reshape(a, (-1,)) if as_array(a).ndim == 0 else a, _trace.reshape(v, (-1,)) if as_array(v).ndim == 0 else v)
    if a.ndim != 1 or v.ndim != 1 or a.shape[0] == 0 or v.shape[0] == 0:
        wrong(function, f"shapes {a.shape} and {v.shape}", "two vectors with elements")
    kind, is_swapped = modes[mode], False
    if v.shape[0] > a.shape[0]:
        a, v, is_swapped = v, a, True
    n, m = a.shape[0], v.shape[0]
    kernel = _trace.flip(v) if is_turned else v
    result = _trace.pad(a, [m - 1], [m - 1], 0)
    windows = result[np.arange(n + m - 1)[:, None] + np.arange(m)]
    made = _trace.matmul(windows, kernel)
    if not is_turned and is_swapped:
        made = _trace.flip(made)
    if kind == "full":
        return made
    if kind == "valid":
        return made[m - 1:n]
    start = (m - 1) // 2 if not (is_swapped and not is_turned) else m // 2
    return made[start:start + n]


def correlate(a: Any, v: Any, mode: Any = "valid") -> Any:
    return convolve(a, v, mode, "numpy.correlate", False)


def diff(a: Any, n: Any = 1, axis: Any = -1, prepend: Any = None, append: Any = None) -> Any:
    function = "numpy.diff"
    a, n = as_array(a), integer(n, f"{function}: n")
    if n < 0:
        wrong(f"{function}: n", n, "a number from 0")
    if a.ndim == 0:
        wrong(function, "a scalar", "an array with an axis")
    axis = axis_of(axis, a.ndim, function)
    if n == 0:
        return a

    def border(value: Any) -> Any:
        value = as_array(value)
        return value if value.ndim else _trace.broadcast_to(value, tuple(1 if i == axis else m for i, m in enumerate(a.shape)))

    parts = [*([border(prepend)] if given(prepend) else []), a, *([border(append)] if given(append) else [])]
    if len(parts) > 1:
        a = concatenate(parts, axis, function=function)
    whole = (slice(None),) * axis
    for _ in range(n):
        after, before = a[tuple([*whole, slice(1, None)])], a[tuple([*whole, slice(None, -1)])]
        a = _trace.ne(after, before) if str(a.dtype) == "bool" else _trace.sub(after, before)
    return a


def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """Differences of neighbours in the raveled array, between `to_begin` and `to_end`, which keep its element type."""
    function = "numpy.ediff1d"
    a = _trace.reshape(as_array(ary), (-1,))
    if str(a.dtype) == "bool":
        wrong(function, "an array of bool", "an array of numbers")
    parts = [diff(a)]
    for name, ends in (("to_begin", to_begin), ("to_end", to_end)):
        if given(ends):
            values = as_array(ends)
            if not np.can_cast(values.dtype, a.dtype, "same_kind"):
                wrong(f"{function}: {name}", f"an array of {values.dtype}", f"one that can be cast to {a.dtype}")
            values = converted(_trace.reshape(values, (-1,)), a.dtype)
            parts = [values, *parts] if name == "to_begin" else [*parts, values]
    return concatenate(parts, 0, function=function) if len(parts) > 1 else parts[0]


def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: Any = 1) -> Any:
    function = "numpy.gradient"
    only(function, edge_order=(edge_order, (1,)))
    f = as_array(f)
    if kind_of(f.dtype) == "b":
        refuse(function, "", "elements of bool, expected numbers")
    axes = list(range(f.ndim)) if axis is None else axes_of(axis, f.ndim, function)
    steps = list(varargs) * (len(axes) if len(varargs) == 1 else 1) if varargs else [1.0] * len(axes)
    if len(steps) != len(axes) or any(np.ndim(each) for each in steps):
        refuse(function, "", "spacings that are no single numbers", "type")
    f = converted(f, fractions(f.dtype))
    made = []
    for each, step in zip(axes, steps):
        whole, extent = (slice(None),) * each, f.shape[each]
        if extent < 2:
            wrong(function, f"an axis of {extent} elements", "2 at least")
        def part(first: Any, last: Any) -> Any:
            return f[tuple([*whole, slice(first, last)])]
        inside = _trace.div(_trace.sub(part(2, None), part(None, -2)), 2.0 * step)
        first, last = (_trace.div(_trace.sub(b, a), step) for a, b in ((part(0, 1), part(1, 2)), (part(-2, -1), part(-1, None))))
        made.append(_trace.concat([first, inside, last], each))
    return made[0] if len(made) == 1 else tuple(made)


def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Any:
    y = as_array(y)
    axis = axis_of(axis, y.ndim, "numpy.trapezoid")
    whole = (slice(None),) * axis
    if x is None:
        width = dx
    else:
        x = as_array(x)
        width = diff(x, axis=0 if x.ndim == 1 else axis)
        if x.ndim == 1:
            width = _trace.reshape(width, tuple(-1 if i == axis else 1 for i in range(y.ndim)))
    return _trace.sum(_trace.div(_trace.mul(width, _trace.add(y[tuple([*whole, slice(1, None)])], y[tuple([*whole, slice(None, -1)])])), 2.0), axis)


def cov(m: Any, y: Any = None, rowvar: Any = True, bias: Any = False, ddof: Any = None, fweights: Any = None, aweights: Any = None,
        *, dtype: Any = None) -> Any:
    function = "numpy.cov"
    only(function, fweights=(fweights, (None,)), aweights=(aweights, (None,)))
    rows = _variables(m, rowvar)
    if y is not None:
        rows = concatenate([rows, _variables(y, rowvar)], 0)
    rows = converted(rows, common(rows, np.float64(0)) if dtype is None else dtype)
    count = rows.shape[1] - (ddof if ddof is not None else 0 if bias else 1)
    centred = _trace.sub(rows, _trace.mean(rows, 1, True))
    made = _trace.div(_trace.matmul(centred, _trace.transpose(centred)), float(max(count, 0)))
    return _trace.squeeze(made)


def _variables(m: Any, rowvar: Any) -> Any:
    m = as_array(m)
    if m.ndim > 2:
        wrong("numpy.cov", f"an array of rank {m.ndim}", "rank 2 at most")
    rows = m if m.ndim == 2 else _trace.reshape(m, (1, -1))
    return rows if rowvar or rows.shape[0] == 1 and m.ndim < 2 else _trace.transpose(rows)


def corrcoef(x: Any, y: Any = None, rowvar: Any = True, *, dtype: Any = None) -> Any:
    made = cov(x, y, rowvar, dtype=dtype)
    if made.ndim == 0:
        return _trace.div(made, made)
    deviation = _trace.sqrt(diagonal(made))
    made = _trace.div(_trace.div(made, _trace.expand_dims(deviation, 1)), deviation)
    return _trace.minimum(_trace.maximum(made, -1.0), 1.0)


LINALG: dict[str, Callable[..., Any]] = {
    "norm": norm, "vector_norm": vector_norm, "matrix_norm": matrix_norm, "multi_dot": multi_dot, "matrix_power": matrix_power,
    "outer": linalg_outer, "tensordot": lambda x1, x2, /, *, axes=2: tensordot(x1, x2, axes), "cross": lambda x1, x2, /, *, axis=-1: cross(
        x1, x2, axis=axis), "matmul": lambda x1, x2, /: _trace.matmul(x1, x2), "vecdot": vecdot,
    "diagonal": lambda x, /, *, offset=0: diagonal(x, offset, -2, -1), "matrix_transpose": lambda x, /: swapaxes(x, -1, -2),
    "trace": lambda x, /, *, offset=0, dtype=None: trace(x, offset, -2, -1, dtype),
}
