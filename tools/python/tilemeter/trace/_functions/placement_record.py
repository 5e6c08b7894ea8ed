# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A function of TT-NN tensors as the list of its calls, and the same function with its results put elsewhere."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tilemeter import _tilemeter
from tilemeter._src.operations import operation as _operation
from tilemeter._src.operations.operation_docs import signature
from tilemeter._tilemeter import BufferType, MemoryConfig, Tensor
from tilemeter.trace._functions import device as _device
from tilemeter.trace._functions.native import trace as _trace

_PACKAGE = os.path.dirname(os.path.abspath(_tilemeter.__file__)) + os.sep


class Slot(NamedTuple):
    """A tensor's place in the arguments of a call: its value."""

    value: int


class Call(NamedTuple):
    """A call that the function makes itself."""

    operation: Any
    args: tuple[Any, ...]  # with slots in the places of tensors
    kwargs: dict[str, Any]
    operands: list[int]  # values
    results: list[int]
    source: str
    is_placeable: bool  # it takes a memory_config, and the function asks for no shards


class Recorded(NamedTuple):
    """A function's calls over numbered values: the arguments' tensors, those that it closes over, then the results of calls."""

    name: str
    calls: list[Call]
    inputs: dict[int, Any]  # values that are there before, with their tensors
    results: list[int]
    specs: list[Any]  # of all values
    is_in_l1: list[bool]  # where the function puts them by itself


def leaves_of(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        for each in value:
            yield from leaves_of(each)
    elif isinstance(value, dict):
        for each in value.values():
            yield from leaves_of(each)
    else:
        yield value


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """The arguments with change(each) in the place of each of their leaves."""
    if isinstance(value, Slot) or not isinstance(value, (list, tuple, dict)):
        return change(value)
    if isinstance(value, dict):
        return {name: mapped(each, change) for name, each in value.items()}
    items = [mapped(each, change) for each in value]
    return type(value)(*items) if hasattr(value, "_fields") else tuple(items) if isinstance(value, tuple) else items


def _source() -> str:
    """The line that made the call, outside of the package."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back  # type: ignore[assignment]
    return "" if frame is None else f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"


def _takes_memory_config(operation: Any) -> bool:
    try:
        return "memory_config" in signature(operation).parameters
    except (TypeError, ValueError):
        return False


_lock = threading.Lock()  # a tracer is of the whole process


class OwnCalls:
    """The calls of this thread that are not made by other calls, each through `call`, while the block lasts."""

    def __init__(self, call: Callable[[Any, Any, Any, Any], Any]) -> None:
        self._call, self._thread, self._depth = call, threading.get_ident(), 0

    def _traced(self, run: Callable[..., Any], operation: Any, args: Any, kwargs: Any) -> Any:
        if self._depth or threading.get_ident() != self._thread:
            return run(operation, args, kwargs)
        self._depth += 1
        try:
            return self._call(run, operation, args, kwargs)
        finally:
            self._depth -= 1

    def __enter__(self) -> None:
        _lock.acquire()
        if _operation._tracer is not None:
            _lock.release()
            _trace._raise("bad_argument", "place: found another tracer of operations, expected none", "place")
        _operation.set_tracer(self._traced)

    def __exit__(self, *_: Any) -> None:
        _operation.set_tracer(None)
        _lock.release()


def record(name: str, call: Callable[[list[Any]], Any], leaves: list[Any]) -> Recorded:
    """Traces the function as if memory had no end. Raises TraceError for a tensor that no call of Python's made."""
    numbers: dict[int, int] = {}
    kept: list[Any] = []
    calls: list[Call] = []
    inputs: dict[int, Any] = {}
    results: list[int] = []

    def new_value(tensor: Any) -> int:
        numbers[id(tensor)] = len(kept)
        kept.append(tensor)
        return len(kept) - 1

    def value_of(tensor: Any) -> int:
        if id(tensor) not in numbers:
            if tensor.tensor_id > newest:
                _trace._raise("bad_argument", f"place: found a tensor of shape {list(tensor.shape)} that no operation of Python's made, "
                              "expected a function of operations", "place", hint="gradients are recorded as calls of their own")
            inputs[new_value(tensor)] = tensor
        return numbers[id(tensor)]

    newest = 0

    def noted(run: Callable[..., Any], operation: Any, args: Any, kwargs: Any) -> Any:
        if operation.python_fully_qualified_name == "ttnn.deallocate":
            return None  # values go after their last use
        operands = [value_of(each) for each in leaves_of((args, kwargs)) if isinstance(each, Tensor)]
        slots = lambda each: Slot(value_of(each)) if isinstance(each, Tensor) else each  # noqa: E731
        given, named = mapped(args, slots), mapped(kwargs, slots)
        made = run(operation, args, kwargs)
        known = len(kept)
        outputs = []
        for each in leaves_of(made):
            if isinstance(each, Tensor):
                outputs.append(numbers[id(each)] if id(each) in numbers else new_value(each))
        own = kwargs.get("memory_config")
        is_placeable = (_takes_memory_config(operation) and (own is None or not own.is_sharded())
                        and not any(isinstance(each, MemoryConfig) for each in args) and bool(outputs) and min(outputs) >= known)
        calls.append(Call(operation, given, named, operands, outputs, _source(), is_placeable))
        return made

    def body(tensors: list[Any]) -> Any:
        nonlocal newest
        for each in tensors:
            inputs[new_value(each)] = each
        newest = max((each.tensor_id for each in tensors), default=0)
        with OwnCalls(noted):
            made = call(tensors)
        flat, _ = _device.flat_results(made)
        results.extend(value_of(each) for each in flat)
        return made

    _device.trace(name, body, leaves, [], True)
    in_l1 = [each.memory_config().buffer_type == BufferType.L1 for each in kept]
    return Recorded(name, calls, inputs, results, [each.spec for each in kept], in_l1)
