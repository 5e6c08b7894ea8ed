# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Readers of arguments, and how what arrays do not take is refused: in words, and as the exception that NumPy raises."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from tilemeter.trace._functions.native import trace as _trace

Array = _trace.Array
_MISSING = getattr(np, "_NoValue", None)  # what NumPy's functions have where a keyword was not given


def refuse(function: str, hint: str = "", found: str = "an array, which it does not take", exception: str = "type") -> Any:
    _trace._raise("bad_argument", f"{function}: found {found}", function, hint, exception)


def wrong(function: str, found: Any, expected: str, exception: str = "value") -> Any:
    _trace._raise("bad_argument", f"{function}: found {found}, expected {expected}", function, "", exception)


def given(value: Any) -> bool:
    """True if a keyword says something else than NumPy's "not given"."""
    return value is not None and value is not _MISSING


def or_none(value: Any) -> Any:
    return None if value is _MISSING else value


def truth(value: Any, what: str) -> bool:
    if value is _MISSING or value is None:
        return False
    if isinstance(value, (bool, np.bool_, int, np.integer)):
        return bool(value)
    return bool(wrong(what, f"an object of type {type(value).__name__}", "True or False", "type"))


def integer(value: Any, what: str) -> int:
    try:
        return operator.index(value)
    except TypeError:
        wrong(what, f"an object of type {type(value).__name__}" if not isinstance(value, (tuple, list, float)) else repr(value),
              "an integer", "type")
        raise


def integers(value: Any, what: str) -> list[int]:
    """One integer or a sequence of them."""
    if isinstance(value, (tuple, list, range, np.ndarray)) and np.ndim(value) > 0 or isinstance(value, (tuple, list)):
        return [integer(each, what) for each in value]
    return [integer(value, what)]


def axis_of(value: Any, rank: int, function: str) -> int:
    """An axis from 0."""
    axis = integer(value, f"{function}: axis")
    if not -rank <= axis < rank:
        wrong(function, f"axis {axis}", f"an axis of an array of rank {rank}", "axis")
    return axis % rank


def axes_of(value: Any, rank: int, function: str, takes_scalars: bool = False) -> list[int]:
    """Axes from 0. Some of NumPy's functions take 0 and -1 of a scalar, which are none."""
    axes = integers(value, f"{function}: axis")
    if takes_scalars and rank == 0 and not isinstance(value, (tuple, list)) and axes[0] in (0, -1):
        return []
    axes = [axis_of(each, rank, function) for each in axes]
    if len(set(axes)) != len(axes):
        wrong(function, f"axes {axes}", "each axis once")
    return axes


def order_of(order: Any, function: str, choices: Sequence[Any] = ("C", "K", "A", None)) -> None:
    """Elements lie row by row; what asks for columns is refused where the order can be seen."""
    if order not in choices:
        if order not in ("C", "F", "A", "K", None):
            wrong(f"{function}: order", repr(order), "one of 'C', 'F', 'A' or 'K'")
        refuse(function, "arrays lie row by row: transpose() first, or copy with numpy.asarray()", f"order={order!r}", "value")


def no_out(out: Any, function: str) -> None:
    if isinstance(out, tuple) and all(each is None for each in out):
        return
    if given(out):
        _trace._raise("immutable", f"{function}: found out=, expected a call that makes a new array", function)


def only(function: str, **keywords: tuple[Any, Sequence[Any]]) -> None:
    """Refuses keywords whose value is none of those that make no difference: only("numpy.x", like=(like, (None,)))."""
    for name, (value, harmless) in keywords.items():
        if value is _MISSING or any(value is each or (isinstance(value, (str, int, bool)) and value == each) for each in harmless):
            continue
        refuse(function, "", f"{name}={value!r}, which arrays do not take")


# ---- element types

def kind_of(dtype: Any) -> str:
    """NumPy's letter for the kind; bfloat16 is a float."""
    return "f" if str(dtype) == "bfloat16" else str(np.dtype(dtype).kind)


def dtype_of(value: Any) -> Any:
    """The element type; of a number of Python its type, for NumPy's rule that it takes the other's element type."""
    if isinstance(value, Array):
        return value.dtype
    if type(value) in (int, float, complex):
        return type(value)
    if hasattr(value, "__torch_function__") and hasattr(value, "detach"):
        return _trace.array(value).dtype
    return getattr(value, "dtype", None) or np.asarray(value).dtype


def as_array(value: Any) -> Any:
    return value if isinstance(value, Array) else _trace.array(value)


def converted(value: Any, dtype: Any) -> Any:
    """The value in this element type, the array itself where that is its own."""
    if dtype is None or dtype is _MISSING:
        return as_array(value)
    if type(value) in (int, float, bool):
        return _trace.array(value, dtype)
    value = as_array(value)
    return value if value.dtype == dtype else value.astype(dtype)


def common(*values: Any) -> Any:
    """The element type that NumPy gives to what is made of all of them."""
    types = [dtype_of(value) for value in values]
    if any(str(each) == "bfloat16" for each in types):
        joined = functools.reduce(_trace.add, (converted(v, None) if not isinstance(v, Array) else v for v in values))
        return joined.dtype
    numbers = [value for value, each in zip(values, types) if each is int or each is float]
    rest = [each for each in types if each is not int and each is not float]
    if not rest:
        return np.result_type(*numbers)
    return np.result_type(*rest, *(0 if type(number) is int else 0.0 for number in numbers))


def fractions(dtype: Any) -> Any:
    """The element type of means: floats as they are, all else float64."""
    return dtype if kind_of(dtype) == "f" else np.dtype(np.float64)


def together(*values: Any) -> list[Any]:
    dtype = common(*values)
    return [converted(value, dtype) for value in values]


def check_casting(source: Any, target: Any, casting: Any, function: str) -> None:
    if casting not in ("no", "equiv", "safe", "same_kind", "unsafe", "same_value"):
        wrong(f"{function}: casting", repr(casting), "one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe'")
    if str(source) != "bfloat16" and str(target) != "bfloat16" and not np.can_cast(source, target, casting):
        refuse(function, "astype() converts what is lost", f"elements of {source} to be cast to {target} by the rule {casting!r}")
