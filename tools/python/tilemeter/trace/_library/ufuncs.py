# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""NumPy's universal functions on arrays: which loop NumPy takes for these element types, and what computes it here.

NumPy itself is asked for the loop, so that element types, dtype= and casting= are its own. Where it has no rule (bfloat16), the
operation's own types hold.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tilemeter.trace._functions.native import trace as _trace
from tilemeter.trace._library import elementwise, reductions
from tilemeter.trace._library.arguments import (
    Array, as_array, axes_of, axis_of, converted, dtype_of, given, kind_of, no_out, only, order_of, refuse, truth, wrong,
)

# The calls that a universal function is, one for each result, for the element types that its loop takes.
OPERATIONS: dict[str, list[str]] = {}
# Calls that have NumPy's element types for floats and numbers of Python.
OF_FLOATS = {"power": "pow", "reciprocal": "reciprocal"}
for _call, _operands, _is_reduction, _result, _names, _ in _trace._functions():
    for _each in _names.split():
        _name, _, _place = _each.partition("/")
        OPERATIONS.setdefault(_name, []).insert(int(_place or 0), _call)
        if not _place and _result != "other" and not _name.startswith("logical_") and _name != "float_power":
            OF_FLOATS[_name] = _call
# Functions of any element types, without a loop: comparisons are exact whatever both types are.
_COMPARISONS = {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"}
COMPOSED: dict[str, Callable[..., Any]] = {
    **{name: getattr(elementwise, name) for name in ("reciprocal", "power", "gcd", "lcm", "vecdot", "matvec", "vecmat")},
    "conjugate": as_array, "clip": lambda x, low, high: _trace.minimum(_trace.maximum(x, low), high),
}
# The universal function of three operands behind numpy.clip has no public name.
_CLIP = (np._core if hasattr(np, "_core") else np.core).umath.clip
_REDUCTIONS = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all", "logical_or": "any"}
_IDENTITIES: dict[str, Any] = {"logaddexp": -np.inf, "logaddexp2": -np.inf, "bitwise_or": 0, "bitwise_xor": 0, "bitwise_and": -1,
                               "logical_xor": False, "hypot": 0, "gcd": 0}


def _compute(name: str, inputs: Sequence[Any]) -> Any:
    if name in COMPOSED:
        return COMPOSED[name](*inputs)
    results = [_trace.apply(operation, inputs)[0] for operation in OPERATIONS[name]]
    return results[0] if len(results) == 1 else tuple(results)


@functools.lru_cache(maxsize=4096)
def _loop(function: Any, types: tuple[Any, ...], dtype: Any, casting: str) -> tuple[Any, ...] | None:
    """The element types of NumPy's loop, operands and then results; None where it has no rule."""
    if not hasattr(function, "resolve_dtypes") or any(str(each) == "bfloat16" for each in (*types, dtype)):
        return None
    asked = {} if dtype is None else {"signature": (None,) * function.nin + (np.dtype(dtype),) * function.nout}
    return tuple(function.resolve_dtypes((*types, *(None,) * function.nout), casting=casting, **asked))


def call(function: Any, inputs: Sequence[Any], dtype: Any = None, casting: str = "same_kind") -> Any:
    name = function.__name__
    if name not in OPERATIONS and name not in COMPOSED:
        refuse(f"numpy.{name}")
    if len(inputs) != function.nin:
        wrong(f"numpy.{name}", f"{len(inputs)} operands", str(function.nin), "type")
    inputs = [x if isinstance(x, Array) or type(x) in (int, float) else as_array(x) for x in inputs]
    try:
        loop = _loop(function, tuple(map(dtype_of, inputs)), dtype, casting)
    except (TypeError, ValueError) as error:
        refuse(f"numpy.{name}", "", f"elements of {' and '.join(str(dtype_of(x)) for x in inputs)}: {error}".replace("\n", " "))
    if name.startswith("logical_") and any(type(x) is int and not -2**63 <= x < 2**63 for x in inputs):
        wrong(f"numpy.{name}", "a number of more than 64 bits", "numbers that an element type has", "overflow")
    if loop is None:
        result = _compute(name, inputs)
        return result if dtype is None else result.astype(dtype)
    wanted, results = loop[:function.nin], loop[function.nin:]
    if name in _COMPARISONS and kind_of(wanted[0]) != "b":
        return _compute(name, inputs)
    # A number of Python stays one beside an array, which gives it its element type.
    is_beside = name not in COMPOSED and any(isinstance(x, Array) and x.dtype == each for x, each in zip(inputs, wanted)) and len(set(wanted)) == 1
    operands = [x if is_beside and not isinstance(x, Array) else converted(x, each) for x, each in zip(inputs, wanted)]
    made = _compute(name, operands)
    if function.nout > 1:
        return tuple(converted(each, to) for each, to in zip(made, results))
    return converted(made, results[0])


def clip(a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, *, min: Any = None, max: Any = None, dtype: Any = None,
         casting: Any = "same_kind", where: Any = True, order: Any = "K", subok: Any = True, signature: Any = None) -> Any:
    no_out(out, "numpy.clip")
    only("numpy.clip", where=(where, (True,)), order=(order, ("C", "K", "A")), signature=(signature, (None,)))
    missing = getattr(np, "_NoValue", None)
    low = next((each for each in (a_min, min) if each is not None and each is not missing), None)
    high = next((each for each in (a_max, max) if each is not None and each is not missing), None)
    a = as_array(a)
    if kind_of(a.dtype) in "iu":  # a bound at the end of the type or beyond it bounds nothing
        limits = np.iinfo(a.dtype)
        low = None if type(low) is int and low <= limits.min else low
        high = None if type(high) is int and high >= limits.max else high
    if low is None and high is None:
        return call(np.positive, [a], dtype, casting)
    if high is None:
        return call(np.maximum, [a, low], dtype, casting)
    if low is None:
        return call(np.minimum, [a, high], dtype, casting)
    return call(_CLIP, [a, low, high], dtype, casting)


# ---- methods of universal functions

def _rows(x: Any, axis: int) -> list[Any]:
    extent = x.shape[axis]
    most = 1024
    if not isinstance(extent, int) or extent > most:
        refuse("a reduction step by step", "", f"{extent} elements along the axis, of which each is an operation (at most {most})", "value")
    return [x[(slice(None),) * axis + (i,)] for i in range(extent)]


def _reduce(function: Any, x: Any, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: Any = False,
            initial: Any = None, where: Any = True) -> Any:
    name = function.__name__
    no_out(out, f"numpy.{name}.reduce")
    if function.nin != 2 or function.nout != 1:
        wrong(f"numpy.{name}.reduce", "a function of one operand", "one of two")
    x = as_array(x)
    if name in _REDUCTIONS:
        return reductions.reduce(_REDUCTIONS[name], x, axis, dtype, None, keepdims, initial, where, f"numpy.{name}.reduce")
    if where is not True or given(initial):
        refuse(f"numpy.{name}.reduce", "use where() on the operand", "where= or initial=, which arrays do not take here")
    if dtype is not None:
        x = x.astype(dtype)
    axes = list(range(x.ndim)) if axis is None else [axis] if not isinstance(axis, (tuple, list)) else list(axis)
    if x.ndim == 0:
        axes_of(axis, 0, f"numpy.{name}.reduce", True) if axis is not None else []
        if name == "logical_xor":
            return x.astype("bool")
        same = call(function, [x, 0 if name == "hypot" else x])  # which has refused element types that it does not take
        return same if name == "hypot" else x
    axes = sorted(axis_of(each, x.ndim, f"numpy.{name}.reduce") for each in axes)
    if len(axes) > 1 and function.identity is None and name not in ("fmax", "fmin"):
        wrong(f"numpy.{name}.reduce", f"axes {axes} of a function that depends on the order", "one axis")
    result = x
    for each in reversed(axes):
        rows = _rows(result, each)
        if not rows:
            if name not in _IDENTITIES:
                wrong(f"numpy.{name}.reduce", "an axis without elements", "some, since there is no identity")
            rest = result.shape[:each] + result.shape[each + 1:]
            result = _trace.full(rest, _IDENTITIES[name], result.dtype if name != "logical_xor" else "bool")
            continue
        made = rows[0] if name != "logical_xor" else rows[0].astype("bool")
        for row in rows[1:]:
            made = call(function, [made, row])
        result = made
    if truth(keepdims, "keepdims"):
        for each in axes:
            result = _trace.expand_dims(result, each)
    return result


def _accumulate(function: Any, x: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
    name = function.__name__
    no_out(out, f"numpy.{name}.accumulate")
    if function.nin != 2 or function.nout != 1:
        wrong(f"numpy.{name}.accumulate", "a function of one operand", "one of two")
    x = as_array(x)
    if x.ndim == 0:
        wrong(f"numpy.{name}.accumulate", "a scalar", "an array with an axis", "type")
    axis = axis_of(axis, x.ndim, f"numpy.{name}.accumulate")
    if name == "add":
        return reductions.cumulative("cumsum", x, axis, dtype)
    if name == "multiply":
        return reductions.cumulative("cumprod", x, axis, dtype)
    if dtype is not None:
        x = x.astype(dtype)
    if name.startswith("logical_"):
        x = x.astype("bool")
    if name in ("maximum", "minimum", "fmax", "fmin", "logaddexp", "bitwise_and", "bitwise_or", "bitwise_xor"):
        return reductions.scan_by_halves(lambda a, b: call(function, [a, b]), x, axis)
    rows = _rows(x, axis)
    made = rows[:1]
    for row in rows[1:]:
        made.append(call(function, [made[-1], row]))
    return _trace.stack(made, axis) if made else x


def _outer(function: Any, a: Any, b: Any, dtype: Any = None, casting: str = "same_kind") -> Any:
    a, b = as_array(a) if not isinstance(a, (int, float)) else a, as_array(b) if not isinstance(b, (int, float)) else b
    if isinstance(a, Array) and isinstance(b, Array):
        a = _trace.reshape(a, (*a.shape, *(1,) * b.ndim))
    return call(function, [a, b], dtype, casting)


def universal(self: Any, function: Any, method: str, inputs: Sequence[Any], keywords: dict[str, Any]) -> Any:
    """All that is no plain call of floats."""
    name = f"numpy.{function.__name__}{'' if method == '__call__' else '.' + method}"
    no_out(keywords.pop("out", None), name)
    if method == "reduce":
        return _reduce(function, *inputs, **keywords)
    if method == "accumulate":
        return _accumulate(function, *inputs, **keywords)
    if method not in ("__call__", "outer"):
        return refuse(name)
    if keywords.pop("where", True) is not True:
        refuse(name, "use where() on the result", "where=, which leaves elements without a value")
    order_of(keywords.pop("order", "K"), name)
    keywords.pop("subok", None)  # there are no subclasses
    signature = keywords.pop("signature", keywords.pop("sig", None))
    dtype, casting = keywords.pop("dtype", None), keywords.pop("casting", "same_kind")
    if signature is not None and dtype is None:
        dtype = _of_signature(function, signature, name)
    if keywords:
        refuse(name, "", f"{next(iter(keywords))}=, which arrays do not take")
    return _outer(function, inputs[0], inputs[1], dtype, casting) if method == "outer" else call(function, inputs, dtype, casting)


def _of_signature(function: Any, signature: Any, name: str) -> Any:
    if isinstance(signature, str) and "->" in signature:
        signature = tuple(signature.replace("->", ""))
    if not isinstance(signature, tuple):
        return signature
    results = signature[function.nin:] if len(signature) > 1 else signature
    if any(each is not None for each in signature[:function.nin]) and len(set(signature)) > 1:
        refuse(name, "use astype() on the operands", f"signature={signature!r}, which arrays do not take")
    return results[0] if results else None


