# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Elementwise functions that are no call of the graph: of loops, of several calls, with values that NumPy's loops refuse."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilemeter.trace._functions.control import while_loop
from tilemeter.trace._functions.native import trace as _trace
from tilemeter.trace._library.arguments import Array, as_array, kind_of, wrong

_where, _mul, _abs = _trace.where, _trace.mul, _trace.abs


def is_float(x: Any) -> bool:
    return kind_of(as_array(x).dtype) == "f"


def false_like(x: Any) -> Any:
    return _trace.full(x.shape, False, "bool")


def spread(*values: Any) -> list[Any]:
    """Operands of one shape and one element type, as primitives take them."""
    arrays = [value for value in values if isinstance(value, Array)]
    dtype = arrays[0].dtype
    values = tuple(value if isinstance(value, Array) else _trace.full((), value, dtype) for value in values)
    shape = np.broadcast_shapes(*(value.shape for value in values)) if all(
        isinstance(extent, int) for value in values for extent in value.shape) else _trace.add(*values).shape
    return [value if value.shape == shape else _trace.broadcast_to(value, shape) for value in values]


def gcd(x: Any, y: Any) -> Any:
    x, y = spread(x, y)
    if kind_of(x.dtype) not in "iu":
        wrong("gcd", f"elements of {x.dtype}", "integers", "type")

    def step(pair: Any) -> Any:
        a, b = pair
        return _where(_trace.eq(b, 0), a, b), _trace.fmod(a, b)

    found = while_loop(lambda pair: _trace.any(_trace.ne(pair[1], 0)), step, (_abs(x), _abs(y)))[0]
    return _abs(found)


def lcm(x: Any, y: Any) -> Any:
    x, y = spread(x, y)
    # A product beyond the type wraps with the sign that it has then, as NumPy's; only the smallest number's part is negative here.
    return _mul(_abs(_trace.floor_divide(_abs(x), gcd(x, y))), _abs(y))


def reduce_precision(x: Any, exponent_bits: int, mantissa_bits: int) -> Any:
    """The floats nearest to x that have these bits, as jax.lax.reduce_precision: (5, 10) are those of float16."""
    return _trace.apply("flat.reduce_precision", [x], {"exponent_bits": exponent_bits, "mantissa_bits": mantissa_bits})[0]


def reciprocal(x: Any) -> Any:
    if is_float(x):
        return _trace.reciprocal(x)
    with np.errstate(all="ignore"):
        of_zero = np.reciprocal(np.zeros((1,), x.dtype))[0]  # what NumPy's cast of an infinity is
    return _where(_trace.eq(x, 0), as_array(of_zero), _trace.trunc_divide(_trace.full(x.shape, 1, x.dtype), x))


def power(x: Any, y: Any) -> Any:
    if not is_float(x if isinstance(x, Array) else y):
        known = y if not isinstance(y, Array) else None if y.is_traced else np.asarray(y)
        if known is not None and np.any(np.less(known, 0)):
            wrong("power", "integers to negative integer powers", "floats")
    return _trace.pow(x, y)


def vecdot(x: Any, y: Any) -> Any:
    return _trace.squeeze(_trace.matmul(_trace.expand_dims(x, -2), _trace.expand_dims(y, -1)), (-2, -1))


def matvec(x: Any, y: Any) -> Any:
    return _trace.squeeze(_trace.matmul(x, _trace.expand_dims(y, -1)), -1)


def vecmat(x: Any, y: Any) -> Any:
    return _trace.squeeze(_trace.matmul(_trace.expand_dims(x, -2), y), -2)
