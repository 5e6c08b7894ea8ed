# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The few calls that fit TT-NN's signatures and not ours. Asked only when a call did not fit: others cost nothing. What does
not fit TT-NN either is said in its words.
"""

from __future__ import annotations

import re
from typing import Any

from tilemeter._src.operations.operation_docs import split
from tilemeter._tilemeter import Operation, Tensor, UnaryWithParam, recording

_Call = tuple[list[Any], dict[str, Any]]

# TT-NN's positional arguments, where it has more of them.
_POSITIONAL = {"sigmoid_accurate": "input_tensor fast_and_approximate_mode"}
# Names of TT-NN's, and what we call the same: where ours has to serve several of its overloads, or Python knows no such name.
_ALIASES = {
    "from": ("from_",),
    "value": ("input_tensor_b", "input_tensor_c"),
    "value1": ("input_tensor_b",),
    "value2": ("input_tensor_c",),
}
# Arguments that change nothing here.
_WITHOUT_EFFECT = frozenset({"mode", "vector_mode"})
_SIGNATURE = re.compile(r"^\s*(?:\d+\.\s*)?(?:``)?(\w+)\((.*)\) ->", re.M)


def _signatures(operation: Any) -> list[str]:
    return [match.group(2) for match in _SIGNATURE.finditer(operation.native.__doc__ or "")]


def _names(signature: str) -> list[str]:
    return [name for name, kind, _ in (each.partition(": ") for each in split(signature)) if kind and name.isidentifier()]


def _adapted(operation: Any, args: list[Any], kwargs: dict[str, Any]) -> _Call | None:
    """The call in our words; None where it fits nothing."""
    short = operation.python_fully_qualified_name.rpartition(".")[2]
    ours = {name for signature in _signatures(operation) for name in _names(signature)}
    given = dict(kwargs)
    positional = _POSITIONAL.get(short, "").split()
    if positional and len(args) <= len(positional):
        by_position = dict(zip(positional, args))
        if set(by_position) & set(given):
            return None
        given, args = by_position | given, []
    changed: dict[str, Any] = {}
    for name, value in given.items():
        if name == "activation" and isinstance(value, UnaryWithParam):
            value = _text_of(value)
        known = name if name in ours else next((each for each in _ALIASES.get(name, ()) if each in ours), None)
        if known is not None and known not in changed:
            changed[known] = value
        elif name not in _WITHOUT_EFFECT:
            return None
    return args, changed


def _text_of(activation: UnaryWithParam) -> str:
    """An activation as matmul and linear take it: its type, and in brackets its parameters."""
    parameters = ",".join(repr(each) for each in activation.params)
    return f"{activation.op_type.name}({parameters})"


def _kind(value: Any) -> str:
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def _said(value: Any) -> str:
    if isinstance(value, (bool, str, type(None))):
        return repr(value)
    return _kind(value) if isinstance(value, Tensor) else str(value)  # a tensor's values are not read for this


def _in_ttnns_names(text: str) -> str:
    return re.sub(r"\btilemeter\.(_tilemeter\.)?", "ttnn.", text)


def _refusal(operation: Any, args: list[Any], kwargs: dict[str, Any]) -> TypeError:
    """TT-NN's refusal: how it was called, how it can be."""
    name = operation.python_fully_qualified_name
    short = name.rpartition(".")[2]
    called = ", ".join([*(_kind(value) for value in args), *(f"{key}={_said(value)}" for key, value in kwargs.items())])
    available = "\n  ".join(f"{short}({signature})" for signature in dict.fromkeys(_signatures(operation)))
    return TypeError(_in_ttnns_names(
        f"\n{name}(): incompatible function arguments.\n\nCalled with:\n  {short}({called})\n\n"
        f"Available signatures:\n  {available or '<unknown>'}"
    ))


_SHAPE = re.compile(r"(?:tilemeter\._tilemeter\.)?Shape\b")
_LARGEST_SIZE = 2**32 - 1
_MOST_DIMENSIONS = 8


def _problem_of_shape(value: Any) -> str | None:
    """The reason why a list or tuple is no shape."""
    if not isinstance(value, (list, tuple)):
        return None
    for index, size in enumerate(value):
        if isinstance(size, bool) or not hasattr(size, "__index__"):
            return f"expected whole numbers, found {size!r} at index {index} of {value}"
        if not 0 <= int(size.__index__()) <= _LARGEST_SIZE:
            return f"expected sizes of 0 to {_LARGEST_SIZE:,}, found {size} at index {index} of {value}"
    if len(value) > _MOST_DIMENSIONS:
        return f"expected at most {_MOST_DIMENSIONS} dimensions, found {len(value)} in {value}"
    return None


def _refused_shape(operation: Any, args: list[Any], kwargs: dict[str, Any]) -> ValueError | None:
    """The refused shape, if it is the reason why no overload fits."""
    overloads = [split(signature) for signature in _signatures(operation)]
    for parameters in overloads:
        for place, parameter in enumerate(parameters):
            name, _, kind = parameter.partition(": ")
            if not _SHAPE.match(kind):
                continue
            others = [each for its in overloads for at, each in enumerate(its) if at == place or each.startswith(f"{name}: ")]
            if not all(_SHAPE.match(each.partition(": ")[2]) for each in others):
                continue  # where another overload takes more than sizes, as reshape's -1, the shape is not at fault
            value = kwargs.get(name, args[place] if place < len(args) and "*" not in parameters[:place] else None)
            problem = _problem_of_shape(value)
            if problem is not None:
                return ValueError(f"{operation.python_fully_qualified_name}: {name}: {problem}")
    return None


def call_adapted(operation: Operation, args: Any, kwargs: dict[str, Any], error: TypeError) -> Any:
    """The call that raised error, as we say it. Raises TypeError, in TT-NN's words where the arguments were at fault."""
    if "incompatible function arguments" not in str(error):
        raise error
    adapted = _adapted(operation, list(args), kwargs)
    if adapted is not None:
        try:
            return operation.native(*adapted[0], **adapted[1])
        except TypeError as again:
            if "incompatible function arguments" not in str(again):
                raise
    shape_error = _refused_shape(operation, list(args), kwargs)
    if shape_error is not None:
        raise shape_error from None
    raise _refusal(operation, list(args), kwargs) from error


def call_native(operation: Operation, args: Any, kwargs: dict[str, Any]) -> Any:
    """The work of an operation, as its call does it."""
    try:
        return operation.native(*args, **kwargs)
    except TypeError as error:
        if hasattr(operation.native, "body"):
            raise
        return call_adapted(operation, args, kwargs, error)


recording.call_adapted = call_adapted
