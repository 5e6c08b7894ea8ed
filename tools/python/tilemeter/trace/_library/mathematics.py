# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions of elements that are no universal functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tilemeter.trace._functions.native import trace as _trace
from tilemeter.trace._library import elementwise
from tilemeter.trace._library.arguments import (
    Array, as_array, converted, fractions, integer, kind_of, no_out, only, together, wrong,
)


def round_(a: Any, decimals: Any = 0, out: Any = None) -> Any:
    no_out(out, "numpy.round")
    a, decimals = as_array(a), integer(decimals, "numpy.round: decimals")
    if kind_of(a.dtype) == "f":
        if decimals == 0:
            return _trace.round(a)
        scale = 10.0 ** abs(decimals)
        if decimals > 0:
            return _trace.div(_trace.round(_trace.mul(a, scale)), scale)
        return _trace.mul(_trace.round(_trace.div(a, scale)), scale)
    if kind_of(a.dtype) == "b":
        if decimals != 0:
            wrong("numpy.round", f"decimals={decimals} of bool", "numbers", "type")
        return _trace.round(a.astype("float16"))
    if decimals >= 0:
        return _trace.identity(a)
    # Integers in steps of ten: by floats that hold their quotients, as NumPy does.
    scale = 10.0 ** -decimals
    return _trace.mul(_trace.round(_trace.div(a.astype("float64"), scale)), scale).astype(a.dtype)


def fix(x: Any, out: Any = None) -> Any:
    no_out(out, "numpy.fix")
    return _trace.trunc(as_array(x))


def nan_to_num(x: Any, copy: Any = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    only("numpy.nan_to_num", copy=(copy, (True,)))
    x = as_array(x)
    if kind_of(x.dtype) != "f":
        return x
    largest = float(np.finfo(np.float32 if str(x.dtype) == "bfloat16" else x.dtype).max)
    above, below = largest if posinf is None else posinf, -largest if neginf is None else neginf
    result = _trace.where(_trace.isnan(x), nan, x)
    result = _trace.where(_trace.eq(x, math.inf), above, result)
    return _trace.where(_trace.eq(x, -math.inf), below, result)


def sinc(x: Any) -> Any:
    x = as_array(x)
    x = converted(x, fractions(x.dtype))
    is_zero = _trace.eq(x, 0)
    angle = _trace.mul(_trace.where(is_zero, 1, x), math.pi)
    return _trace.where(is_zero, 1, _trace.div(_trace.sin(angle), angle))


def isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    a, b = together(a, b)
    if kind_of(a.dtype) != "f":
        a, b = a.astype("float64"), b.astype("float64")
    known = _trace.logical_and(_trace.isfinite(a), _trace.isfinite(b))
    near = _trace.le(_trace.abs(_trace.sub(a, b)), _trace.add(_trace.mul(_trace.abs(b), rtol), atol))
    result = _trace.where(known, near, _trace.eq(a, b))
    return _trace.logical_or(result, _trace.logical_and(_trace.isnan(a), _trace.isnan(b))) if equal_nan else result


def allclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    return _trace.all(isclose(a, b, rtol, atol, equal_nan))


def array_equal(a1: Any, a2: Any, equal_nan: Any = False) -> Any:
    a, b = as_array(a1), as_array(a2)
    if a.shape != b.shape:
        return _trace.array(False)
    same = _trace.eq(a, b)
    if equal_nan and kind_of(a.dtype) == "f" and kind_of(b.dtype) == "f":
        same = _trace.logical_or(same, _trace.logical_and(_trace.isnan(a), _trace.isnan(b)))
    return _trace.all(same)


def array_equiv(a1: Any, a2: Any) -> Any:
    a, b = as_array(a1), as_array(a2)
    try:
        np.broadcast_shapes(a.shape, b.shape)
    except ValueError:
        return _trace.array(False)
    return _trace.all(_trace.eq(a, b))


def infinite(sign: int) -> Callable[..., Any]:
    def run(x: Any, out: Any = None) -> Any:
        no_out(out, "numpy.isposinf" if sign > 0 else "numpy.isneginf")
        x = as_array(x)
        return _trace.eq(x, sign * math.inf) if kind_of(x.dtype) == "f" else elementwise.false_like(x)

    return run


def iscomplex(x: Any) -> Any:
    return elementwise.false_like(as_array(x))


def isreal(x: Any) -> Any:
    return _trace.logical_not(iscomplex(x))


def imag(val: Any) -> Any:
    val = as_array(val)
    return _trace.full(val.shape, 0, val.dtype)


def angle(z: Any, deg: Any = False) -> Any:
    z = as_array(z)
    z = converted(z, fractions(z.dtype))
    half = 180.0 if deg else math.pi
    return _trace.where(_trace.isnan(z), z, _trace.where(_trace.signbit(z), _trace.full((), half, z.dtype), 0))




def polyval(p: Any, x: Any) -> Any:
    p = as_array(p)
    result: Any = 0
    if not isinstance(x, Array):
        x = as_array(x)
    for i in range(p.shape[0]):
        result = _trace.add(_trace.mul(result, x), p[i])
    return result


def real_if_close(a: Any, tol: Any = 100) -> Any:
    return as_array(a)


def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    x = as_array(x)
    conditions = [as_array(each).astype("bool") for each in (condlist if isinstance(condlist, (list, tuple)) else [condlist])]
    functions = list(funclist)
    if len(functions) == len(conditions):
        functions.append(0)
    if len(functions) != len(conditions) + 1:
        wrong("numpy.piecewise", f"{len(funclist)} functions for {len(conditions)} conditions", "as many, or one more")
    made = [converted(each(x, *args, **kw) if callable(each) else each, x.dtype) for each in functions]
    result = made[-1]
    for condition, each in zip(conditions, made):
        result = _trace.where(condition, each, result)
    return _trace.broadcast_to(result, x.shape)
