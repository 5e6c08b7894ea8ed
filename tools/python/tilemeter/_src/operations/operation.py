# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Python's additions to the operations of the extension module: a record of the call while a capture is open."""

from __future__ import annotations

import contextlib
import functools
import threading
import types
from typing import Any, Callable, Iterator, Protocol, TypeVar

from tilemeter import _tilemeter
from tilemeter._src.base.config import CONFIG
from tilemeter._src.device.device import command_queue
from tilemeter._src.operations import operation_docs as _operation_docs
from tilemeter._src.operations.signatures import call_native
from tilemeter._tilemeter import Operation, recording

_Function = TypeVar("_Function", bound=Callable[..., Any])
# Operations without a golden function in TT-NN: nothing of them is read.
_NEVER_COMPARED = frozenset(
    f"ttnn.{name}" for name in ("deallocate", "empty", "empty_like", "dump_tensor", "conv1d", "conv_transpose2d")
)


def _inner_graph(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The nodes inside the only top-level function of a capture, as a capture of its own."""
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


class Comparison(Protocol):
    """A call's expected results, of which its inputs are read when it is made."""

    def hold_against(self, result: Any) -> None:
        """Records how alike the call's results are. Raises RuntimeError where that is wanted."""


_comparer: Callable[[Operation, tuple[Any, ...], dict[str, Any]], Comparison]


def set_comparer(comparer: Callable[[Operation, tuple[Any, ...], dict[str, Any]], Comparison]) -> None:
    """From here on comparison mode holds calls against what `comparer` makes of them."""
    global _comparer
    _comparer = comparer


def _compared(operation: Operation, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call in comparison mode: in its scope its inputs are read before, its results after."""
    name = operation.python_fully_qualified_name
    _tilemeter.begin_python_function(name)
    ended = False
    try:
        comparison = _comparer(operation, args, kwargs)
        body = getattr(operation.native, "body", None)
        if body is not None:
            result = body(*args, **kwargs)
        else:
            try:
                result = _tilemeter.call_in_open_scope(name, operation.native, *args, **kwargs)
            except BaseException:
                ended = _tilemeter.has_scope_aborted()
                raise
        comparison.hold_against(result)
        return result
    finally:
        _tilemeter.end_python_function(not ended)


def _call_slowly(operation: Operation, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A recorded call with what fast runtime mode leaves out: a capture of its own around it."""
    name = operation.python_fully_qualified_name
    record = recording.begin(name, args, kwargs)
    compared = CONFIG.enable_comparison_mode and name not in _NEVER_COMPARED
    capture = None if CONFIG.enable_fast_runtime_mode else _tilemeter.OpenCapture()
    try:
        result = _compared(operation, args, kwargs) if compared else call_native(operation, args, kwargs)
    except BaseException as error:
        opened = compared or hasattr(operation.native, "body")
        if isinstance(error, TypeError) and not opened:  # refused before its scope could open: an empty one shows the call
            _tilemeter.begin_python_function(name)
            _tilemeter.end_python_function()
        record.store_error(type(error).__name__, str(error))
        raise
    finally:
        if capture is not None:
            record.store_captured_graph(_inner_graph(capture.end().nodes()))
    record.keep_outputs(result)
    return result


Tracer = Callable[..., Any]
_tracer: Tracer | None = None


def set_tracer(tracer: Tracer | None) -> None:
    """From here on each call that the user makes is tracer(run, operation, args, kwargs); None: no longer."""
    global _tracer
    _tracer = tracer
    recording.hooked = _is_hooked()


def _is_hooked() -> bool:
    return bool(_tracer is not None or _pre_hooks or _post_hooks)


Hook = Callable[..., None]
_pre_hooks: list[Hook] = []
_post_hooks: list[Hook] = []


class _Depth(threading.local):
    value = 0  # hooks see what the user calls, not what that or a hook calls


_depth = _Depth()


def _call(operation: Operation, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call in slow runtime mode, or one that hooks or a tracer may wait for."""
    if _tracer is not None:
        return _tracer(_call_hooked, operation, args, kwargs)
    return _call_hooked(operation, args, kwargs)


def _call_hooked(operation: Operation, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    run = _call_slowly if recording.enabled else call_native
    slow = not CONFIG.enable_fast_runtime_mode or CONFIG.enable_comparison_mode or CONFIG.enable_logging
    if not ((_pre_hooks or _post_hooks) and slow) or _depth.value:
        return run(operation, args, kwargs)
    _depth.value += 1
    try:
        for hook in tuple(_pre_hooks):
            _refuse_result("Pre", hook, hook(operation, args, kwargs))
        result = run(operation, args, kwargs)
        for hook in tuple(_post_hooks):
            _refuse_result("Post", hook, hook(operation, args, kwargs, result))
        return result
    finally:
        _depth.value -= 1


def _refuse_result(kind: str, hook: Hook, result: object) -> None:
    if result is not None:
        raise RuntimeError(f"{kind}-operation hook {hook} returned {result} but must return None")


@contextlib.contextmanager
def _hooked(hooks: list[Hook], hook: Hook) -> Iterator[None]:
    hooks.append(hook)
    recording.hooked = True
    try:
        yield
    finally:
        hooks.pop()
        recording.hooked = _is_hooked()


def register_pre_operation_hook(hook: Hook) -> contextlib.AbstractContextManager[None]:
    """For the length of a block hook(operation, args, kwargs) is called before each operation that the user calls.

    As in TT-NN that happens in slow runtime mode only (CONFIG.enable_fast_runtime_mode = False). It must return None, else
    the call raises RuntimeError.
    """
    return _hooked(_pre_hooks, hook)


def register_post_operation_hook(hook: Hook) -> contextlib.AbstractContextManager[None]:
    """The same after each operation: hook(operation, args, kwargs, output)."""
    return _hooked(_post_hooks, hook)


recording.slow_call = _call


_registered: list[Operation] = []
_methods: set[str] = set()


def registered() -> list[Operation]:
    """All operations there are."""
    return list(_registered)


def exported() -> list[Operation]:
    """Those that are no methods."""
    return [each for each in _registered if each.python_fully_qualified_name not in _methods]


def _call_on_queue(operation: Operation, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call with queue_id or cq_id: on that command queue, of which the operation itself is not told."""
    queues = [kwargs.pop(name) for name in ("queue_id", "cq_id") if name in kwargs]
    if queues[0] is None:
        return operation(*args, **kwargs)
    with command_queue(queues[0]):
        return operation(*args, **kwargs)


recording.call_on_queue = _call_on_queue


class _Doc:
    """The text of help() for an operation, made when it is first asked for: making all takes a third of an import."""

    def __init__(self, of_class: str | None) -> None:
        self._of_class = of_class

    def __get__(self, operation: Operation | None, owner: type[Operation]) -> str | None:
        if operation is None:
            return self._of_class
        doc = _operation_docs.doc(operation.python_fully_qualified_name, operation.native)
        setattr(operation, "__doc__", doc)
        return doc


setattr(Operation, "__doc__", _Doc(Operation.__doc__))


def wrapped(name: str, native: Callable[..., Any]) -> Operation:
    """The operation that users call."""
    operation = Operation(name, native)
    setattr(operation, "__name__", name)  # as TT-NN's operations say it
    setattr(operation, "__qualname__", name.rpartition(".")[2])
    setattr(operation, "__module__", "tilemeter")
    setattr(operation, "function", native)
    setattr(operation, "is_cpp_operation", not hasattr(native, "body"))
    setattr(operation, "is_experimental", False)  # as in TT-NN, also of those in ttnn.experimental
    _registered.append(operation)
    return operation


@contextlib.contextmanager
def scope(name: str, stays_open: bool = False) -> Iterator[None]:
    """A function in traces, for the length of a block; or, as some of TT-NN's, until the next operation that a user calls."""
    _tilemeter.track_function_start(name)
    try:
        yield
    finally:
        if stays_open:
            _tilemeter.leave_function_open()
        else:
            _tilemeter.track_function_end()


def python_operation(name: str, is_method: bool = False) -> Callable[[_Function], _Function]:
    """Makes a Python function an operation: it gets a scope and a record."""

    def decorate(function: _Function) -> _Function:
        if is_method:
            _methods.add(name)

        def in_scope(*args: Any, **kwargs: Any) -> Any:
            _tilemeter.begin_python_function(name)
            try:
                return function(*args, **kwargs)
            finally:
                _tilemeter.end_python_function()

        setattr(in_scope, "body", function)
        return functools.update_wrapper(wrapped(name, in_scope), function)  # type: ignore[return-value]

    return decorate


def install(namespace: dict[str, Any], native: types.ModuleType, prefix: str = "ttnn") -> list[str]:
    """Puts wrapped operations of an extension module into a namespace, those it has not; returns their names."""
    names = []
    for name in dir(native):
        function = getattr(native, name)
        if isinstance(function, types.ModuleType):
            continue
        if not name.startswith("_") and callable(function) and name not in namespace:
            namespace[name] = wrapped(f"{prefix}.{name}", function)
            names.append(name)
    return names
