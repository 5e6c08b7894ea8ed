# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Operations that are defined outside of this package."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from tilemeter.trace._native import trace as _trace


def _operand_count(function: Callable[..., Any]) -> int:
    """Of the positional parameters; -1: any number."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return -1
    if any(each.kind is inspect.Parameter.VAR_POSITIONAL for each in parameters):
        return -1
    return sum(each.kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD) for each in parameters)


def custom_op(name: str, infer: Callable[..., Any], compute: Callable[..., Any] | None = None,
              lower: Callable[..., Any] | None = None, *, ordered: bool = False, method: bool = True) -> Callable[..., Any]:
    """An operation of one's own: it is traced, printed, saved and run as those that are built in, and is a method of arrays.

    infer(*types, **attributes): the Type of the result, or a tuple of them. Positional parameters are operands, those
    behind * are attributes.
    compute(*arrays, **attributes): the values, on NumPy's arrays.
    lower(*arrays, **attributes): the same in operations of this module, which are traced; runs and exports instead of compute.
    ordered: it runs whether its results are used or not.
    Another definition of the same name takes the place of the one before.
    """
    _trace._register_operation(name, _operand_count(infer), infer, compute, lower, ordered, True)

    def apply(*operands: Any, **attributes: Any) -> Any:
        results = _trace.apply(name, operands, attributes)
        return results[0] if len(results) == 1 else tuple(results)

    apply.__name__ = apply.__qualname__ = name
    apply.__doc__ = infer.__doc__ or f"The operation {name}."
    if method and name.isidentifier() and not hasattr(_trace.Array, name):
        setattr(_trace.Array, name, apply)
    return apply
