# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Operations that are defined outside of this package."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from tilemeter.trace._functions.native import trace as _trace


def _operand_count(function: Callable[..., Any]) -> int:
    """The number of the positional parameters; -1: any number."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return -1
    if any(each.kind is inspect.Parameter.VAR_POSITIONAL for each in parameters):
        return -1
    return sum(each.kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD) for each in parameters)


def custom_op(name: str, infer: Callable[..., Any] | None = None, compute: Callable[..., Any] | None = None,
              lower: Callable[..., Any] | None = None, *, jvp: Callable[..., Any] | None = None,
              vjp: Callable[..., Any] | None = None, batch: Callable[..., Any] | None = None, ordered: bool = False, method: bool = True) -> Callable[..., Any]:
    """An operation of one's own: it is traced, printed, saved and run as those that are built in, and is a method of arrays.

    infer(*types, **attributes): the Type of the result, or a tuple of them. Positional parameters are operands, those
    behind * are attributes. With lower it may be left out.
    compute(*arrays, **attributes): the values, on NumPy's arrays.
    lower(*arrays, **attributes): the same in operations of this module, which are traced; runs and exports instead of compute.
    jvp(operands, tangents, **attributes): the tangents of the float results, from those of the float operands.
    vjp(operands, results, cotangents, **attributes): the cotangents of the float operands, from those of the float results;
    None for zeros. One of both is enough: the other is its transpose. They are taken instead of what lower would lead to.
    batch(operands, is_mapped, lanes, **attributes): the results with lanes along axis 0, where those operands have them that
    is_mapped says; for vmap.
    ordered: it runs whether its results are used or not.
    Another definition of the same name takes the place of the one before.
    """
    shape = infer or lower
    if shape is None:
        _trace._raise("no_rule", f"{name}: found no rule 'infer', expected one, or 'lower' (rule missing: infer)", name)
        raise AssertionError
    rules = {rule: given for rule, given in (("jvp", jvp), ("vjp", vjp), ("batch", batch)) if given is not None}
    _trace._register_operation(name, _operand_count(shape), infer, compute, lower, rules, ordered, True)

    def apply(*operands: Any, **attributes: Any) -> Any:
        results = _trace.apply(name, operands, attributes)
        return results[0] if len(results) == 1 else tuple(results)

    apply.__name__ = apply.__qualname__ = name
    apply.__doc__ = shape.__doc__ or f"The operation {name}."
    if method and name.isidentifier() and not hasattr(_trace.Array, name):
        setattr(_trace.Array, name, apply)
    return apply
