# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""What Python adds to the operations of the extension module: a record of the call while a capture is open."""

from __future__ import annotations

import functools
import types
from typing import Any, Callable, TypeVar

from tilemeter import _tilemeter
from tilemeter._config import CONFIG
from tilemeter._python_io import CallRecord, recording, tensor_ids_in

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _inner_graph(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What happened inside the only top-level function of a capture, as a capture of its own."""
    outside = [node["counter"] for node in nodes if node["stacking_level"] == 1 and "function" in node["node_type"]]
    new: dict[int, int] = {}
    for node in nodes:
        if node["counter"] not in outside:
            new[node["counter"]] = len(new)
    inner = []
    for node in nodes:
        if node["counter"] in new:
            changed = dict(node, counter=new[node["counter"]], stacking_level=max(node["stacking_level"] - 1, 0))
            for key in ("connections", "input_tensors"):
                changed[key] = [new[each] for each in node[key] if each in new]
            inner.append(changed)
    if outside and inner:
        children = [new[each] for each in nodes[outside[0]]["connections"] if each in new]
        inner[0]["connections"] = children + inner[0]["connections"]
    return inner


def _call_slowly(native: Callable[..., Any], record: CallRecord, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """With a capture of its own around the call."""
    capture = _tilemeter.OpenCapture()
    try:
        return native(*args, **kwargs)
    finally:
        record.captured_graph = _inner_graph(capture.end().nodes())


def _call_recorded(name: str, native: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    record = CallRecord(name, args, kwargs, recording.stacks)
    recording.records.append(record)
    try:
        if CONFIG.enable_fast_runtime_mode:
            result = native(*args, **kwargs)
        else:
            result = _call_slowly(native, record, args, kwargs)
    except BaseException as error:
        if isinstance(error, TypeError):  # refused before its scope could open: an empty one shows the call
            _tilemeter.track_function_start(name)
            _tilemeter.track_function_end()
        record.error = (type(error).__name__, str(error))
        raise
    record.outputs = tensor_ids_in((result,))
    return result


def wrapped(name: str, native: Callable[..., Any]) -> Callable[..., Any]:
    """The operation that users call."""

    def operation(*args: Any, **kwargs: Any) -> Any:
        if recording.enabled:
            return _call_recorded(name, native, args, kwargs)
        return native(*args, **kwargs)

    operation.__name__ = operation.__qualname__ = name.rpartition(".")[2]
    operation.__doc__ = native.__doc__
    operation.__module__ = "tilemeter"
    operation.python_fully_qualified_name = name  # type: ignore[attr-defined]
    return operation


def python_operation(name: str) -> Callable[[_Function], _Function]:
    """Makes a Python function an operation: it gets a scope and a record."""

    def decorate(function: _Function) -> _Function:
        def in_scope(*args: Any, **kwargs: Any) -> Any:
            _tilemeter.track_function_start(name)
            try:
                return function(*args, **kwargs)
            finally:
                _tilemeter.track_function_end()

        return functools.update_wrapper(wrapped(name, in_scope), function)  # type: ignore[return-value]

    return decorate


def install(namespace: dict[str, Any], native: types.ModuleType, prefix: str = "ttnn") -> list[str]:
    """Puts wrapped operations of an extension module into a namespace, those it has not; returns their names."""
    names = []
    for name in dir(native):
        function = getattr(native, name)
        if not name.startswith("_") and callable(function) and name not in namespace:
            namespace[name] = wrapped(f"{prefix}.{name}", function)
            names.append(name)
    return names
