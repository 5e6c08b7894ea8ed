# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Elementwise functions that are no operation of their own, of operands that have the element type they are computed in.

Formulas keep to the ends of the floats: infinities, nan, both zeros, numbers whose exponential or square has no float. Where a
formula that is exact in value would have no derivative, the value is put on top of one that has: y + stop_gradient(exact - y).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tilemeter.trace._functions.control import while_loop
from tilemeter.trace._functions.native import trace as _trace
from tilemeter.trace._library.arguments import Array, as_array, kind_of, wrong

_where, _mul, _add, _sub, _div, _abs = _trace.where, _trace.mul, _trace.add, _trace.sub, _trace.div, _trace.abs
_INFINITY = math.inf
# Of a float type: the integers of its width, its bits behind the point, what its exponent is counted from.
_LAYOUTS = {"float16": ("int16", 10, 15), "float32": ("int32", 23, 127), "float64": ("int64", 52, 1023), "bfloat16": ("int16", 7, 127)}


def _call(name: str) -> Callable[..., Any]:
    """A call of the graph, which has NumPy's values and derivatives at special points."""
    return lambda *operands: _trace.apply(name, list(operands))[0]


exp2, log2, log10, sinh, cosh = _call("exp2"), _call("log2"), _call("log10"), _call("sinh"), _call("cosh")
fmax, fmin, logaddexp = _call("fmax"), _call("fmin"), _call("logaddexp")
isnan, isfinite, trunc = _call("isnan"), _call("isfinite"), _call("trunc")


def is_float(x: Any) -> bool:
    return kind_of(as_array(x).dtype) == "f"


def false_like(x: Any) -> Any:
    return _trace.full(x.shape, False, "bool")


def isinf(x: Any) -> Any:
    return _trace.eq(_abs(x), _INFINITY) if is_float(x) else false_like(x)


def exactly(y: Any, exact: Any) -> Any:
    """`exact` in value, y in its derivatives; where y is no number, exact alone."""
    known = _trace.logical_and(isfinite(y), isfinite(exact))
    correction = _trace.stop_gradient(_where(known, _sub(exact, _where(known, y, 0)), 0))
    return _where(known, _add(y, correction), exact)


def _bits(x: Any) -> Any:
    return _trace.apply("flat.bitcast_convert", [x], {"dtype": np.dtype(_LAYOUTS[str(x.dtype)][0])})[0]


def _from_bits(bits: Any, dtype: Any) -> Any:
    return _trace.apply("flat.bitcast_convert", [bits], {"dtype": dtype})[0]


def signbit(x: Any) -> Any:
    return _trace.lt(_bits(x) if is_float(x) else x, 0)


def copysign(x: Any, y: Any) -> Any:
    size = _abs(x)
    return _where(signbit(y), _trace.neg(size), size)


def _odd(x: Any, function: Callable[[Any], Any]) -> Any:
    """An odd function from its values at 0 and above."""
    sign = _where(_trace.lt(x, 0), _trace.full((), -1, x.dtype), _trace.full((), 1, x.dtype))
    return _mul(sign, function(_mul(x, sign)))


def _far(dtype: Any) -> float:
    """Above it the square is all of 1 + the square."""
    return 2.0 ** (_LAYOUTS[str(dtype)][1] // 2 + 2)


def arcsinh(x: Any) -> Any:
    def of_size(size: Any) -> Any:
        is_far = _trace.gt(size, _far(x.dtype))
        near = _where(is_far, 1, size)
        square = _mul(near, near)
        formula = _trace.log1p(_add(near, _div(square, _add(_trace.sqrt(_add(square, 1)), 1))))
        return _where(is_far, _add(_trace.log(_where(is_far, size, 1)), math.log(2)), formula)

    return _odd(x, of_size)


def arccosh(x: Any) -> Any:
    is_far = _trace.gt(x, _far(x.dtype))
    above = _sub(_where(is_far, 2, x), 1)
    formula = _trace.log1p(_add(above, _mul(_trace.sqrt(above), _trace.sqrt(_add(above, 2)))))
    return _where(is_far, _add(_trace.log(_where(is_far, x, 1)), math.log(2)), formula)


def arctanh(x: Any) -> Any:
    return _odd(x, lambda size: _mul(_trace.log1p(_div(_mul(size, 2), _sub(1, size))), 0.5))


def _across(x: Any) -> Any:
    return _trace.sqrt(_mul(_sub(1, x), _add(x, 1)))


def arcsin(x: Any) -> Any:
    return _trace.atan2(x, _across(x))


def arccos(x: Any) -> Any:
    return _trace.atan2(_across(x), x)


def arctan(x: Any) -> Any:
    return _trace.atan2(x, 1.0)


def hypot(x: Any, y: Any) -> Any:
    largest = _trace.stop_gradient(_trace.maximum(_abs(x), _abs(y)))
    scale = _where(_trace.logical_and(_trace.gt(largest, 0), isfinite(largest)), largest, 1)
    a, b = _div(x, scale), _div(y, scale)
    length = _mul(scale, _trace.sqrt(_add(_mul(a, a), _mul(b, b))))
    return _where(_trace.logical_or(isinf(x), isinf(y)), _INFINITY, length)


def logaddexp2(a: Any, b: Any) -> Any:
    scale = math.log(2)
    return _div(logaddexp(_mul(a, scale), _mul(b, scale)), scale)


def fmod(x: Any, y: Any) -> Any:
    """The remainder with the sign of x; of integers 0 where y is."""
    x, y = spread(x, y)
    if is_float(x):
        return _trace.apply("flat.rem", [x, y])[0]
    is_zero = _trace.eq(y, 0)
    rest = _trace.apply("flat.rem", [x, _where(is_zero, 1, y)])[0]
    return _where(is_zero, 0, rest)


def spread(*values: Any) -> list[Any]:
    """Operands of one shape and one element type, as primitives take them."""
    arrays = [value for value in values if isinstance(value, Array)]
    dtype = arrays[0].dtype
    values = tuple(value if isinstance(value, Array) else _trace.full((), value, dtype) for value in values)
    shape = np.broadcast_shapes(*(value.shape for value in values)) if all(
        isinstance(extent, int) for value in values for extent in value.shape) else _trace.add(*values).shape
    return [value if value.shape == shape else _trace.broadcast_to(value, shape) for value in values]


def heaviside(x: Any, at_zero: Any) -> Any:
    known = _where(_trace.eq(x, 0), at_zero, _where(_trace.lt(x, 0), _trace.full((), 0, x.dtype), 1))
    return _where(isnan(x), x, known)


def sign(x: Any) -> Any:
    """0 of both zeros, as NumPy's; nan stays."""
    return _where(_trace.eq(x, 0), 0, _trace.sign(x)) if is_float(x) else _trace.sign(x)


def modf(x: Any) -> tuple[Any, Any]:
    whole = trunc(x)
    rest = _where(isinf(x), 0, _sub(x, _where(isinf(x), 0, whole)))
    return copysign(rest, x), whole


def divmod_(x: Any, y: Any) -> tuple[Any, Any]:
    return _trace.floor_divide(x, y), _trace.mod(x, y)


def ldexp(x: Any, exponent: Any) -> Any:
    """In four steps, none of which leaves the floats before the product does: those of float16 end at 2**15."""
    bits, offset = _LAYOUTS[str(x.dtype)][1:]
    most = 2 * (offset + bits) + 3
    exponent = _trace.minimum(_trace.maximum(exponent, -most), most)
    fourth = _trace.floor_divide(exponent, 4)
    result = x
    for step in (fourth, fourth, fourth, _sub(exponent, _mul(fourth, 3))):
        result = _mul(result, exp2(step.astype(x.dtype)))
    return result


def frexp(x: Any) -> tuple[Any, Any]:
    _, bits, offset = _LAYOUTS[str(x.dtype)]
    least = 2.0 ** (1 - offset)  # below it there are fewer digits
    is_small = _trace.lt(_abs(x), least)
    normal = _where(is_small, _mul(x, 2.0 ** (bits + 2)), x)
    digits = _bits(normal)
    field = _mod_power(_trace.apply("flat.shift_right_logical", [digits, _trace.full(digits.shape, bits, digits.dtype)])[0], offset)
    exponent = _sub(_sub(field, offset - 1), _where(is_small, bits + 2, _trace.full((), 0, field.dtype)))
    is_whole = _trace.logical_and(isfinite(x), _trace.ne(x, 0))
    exponent = _where(is_whole, exponent, 0).astype("int32")
    return _where(is_whole, ldexp(normal, _where(is_whole, _sub(offset - 1, field), 0).astype("int32")), x), exponent


def _mod_power(field: Any, offset: int) -> Any:
    return _trace.bitwise_and(field, 2 * offset + 1)


def nextafter(x: Any, y: Any) -> Any:
    x, y = spread(x, y)
    digits = _bits(x)
    goes_away = _trace.eq(_trace.gt(y, x), _trace.gt(x, 0))  # from 0
    step = _where(goes_away, _trace.full((), 1, digits.dtype), -1)
    moved = _from_bits(_add(digits, step), x.dtype)
    least = _from_bits(_trace.full(x.shape, 1, digits.dtype), x.dtype)
    moved = _where(_trace.eq(x, 0), _where(_trace.gt(y, 0), least, _trace.neg(least)), moved)
    moved = _where(_trace.eq(x, y), y, moved)
    return _where(_trace.logical_or(isnan(x), isnan(y)), _add(x, y), moved)


def spacing(x: Any) -> Any:
    up = _trace.full((), _INFINITY, x.dtype)
    away = up if str(x.dtype) == "float16" else _where(signbit(x), -_INFINITY, up)  # NumPy's of float16 has no sign
    return _where(isfinite(x), _sub(nextafter(x, away), x), math.nan)


def gcd(x: Any, y: Any) -> Any:
    x, y = spread(x, y)

    def step(pair: Any) -> Any:
        a, b = pair
        rest = _trace.apply("flat.rem", [a, _where(_trace.eq(b, 0), 1, b)])[0]
        return _where(_trace.eq(b, 0), a, b), _where(_trace.eq(b, 0), 0, rest)

    found = while_loop(lambda pair: _trace.any(_trace.ne(pair[1], 0)), step, (_abs(x), _abs(y)))[0]
    return _abs(found)


def lcm(x: Any, y: Any) -> Any:
    x, y = spread(x, y)
    common = gcd(x, y)
    safe = _where(_trace.eq(common, 0), 1, common)
    # A product beyond the type wraps with the sign that it has then, as NumPy's; only the smallest number's part is negative here.
    return _mul(_abs(_trace.floor_divide(_abs(x), safe)), _abs(y))


def reduce_precision(x: Any, exponent_bits: int, mantissa_bits: int) -> Any:
    """The floats nearest to x that have these bits, as jax.lax.reduce_precision: (5, 10) are those of float16."""
    return _trace.apply("flat.reduce_precision", [x], {"exponent_bits": exponent_bits, "mantissa_bits": mantissa_bits})[0]


def bitwise_count(x: Any) -> Any:
    return _trace.apply("flat.popcnt", [_abs(x)])[0].astype("uint8")


def reciprocal(x: Any) -> Any:
    if is_float(x):
        return _trace.reciprocal(x)
    with np.errstate(all="ignore"):
        of_zero = np.reciprocal(np.zeros((1,), x.dtype))[0]  # what NumPy's cast of an infinity is
    return _where(_trace.eq(x, 0), as_array(of_zero), trunc_divide(_trace.full(x.shape, 1, x.dtype), x))


def trunc_divide(x: Any, y: Any) -> Any:
    """Of integers, cut towards 0; 0 where y is 0."""
    x, y = spread(x, y)
    is_zero = _trace.eq(y, 0)
    return _where(is_zero, 0, _trace.apply("flat.div", [x, _where(is_zero, 1, y)])[0])


def power(x: Any, y: Any) -> Any:
    if not is_float(x if isinstance(x, Array) else y):
        known = y if not isinstance(y, Array) else None if y.is_traced else np.asarray(y)
        if known is not None and np.any(np.less(known, 0)):
            wrong("power", "integers to negative integer powers", "floats")
    return _trace.pow(x, y)


def degrees(x: Any) -> Any:
    return _mul(x, 180 / math.pi)


def radians(x: Any) -> Any:
    return _mul(x, math.pi / 180)


def vecdot(x: Any, y: Any) -> Any:
    return _trace.squeeze(_trace.matmul(_trace.expand_dims(x, -2), _trace.expand_dims(y, -1)), (-2, -1))


def matvec(x: Any, y: Any) -> Any:
    return _trace.squeeze(_trace.matmul(x, _trace.expand_dims(y, -1)), -1)


def vecmat(x: Any, y: Any) -> Any:
    return _trace.squeeze(_trace.matmul(_trace.expand_dims(x, -2), y), -2)
