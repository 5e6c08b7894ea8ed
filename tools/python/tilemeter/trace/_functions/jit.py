# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions that are traced when they are called with new types and run from then on."""

from __future__ import annotations

import functools
import types
import weakref
from collections.abc import Callable, Iterable
from typing import Any

from tilemeter.trace._functions import device as _device, trees as _trees
from tilemeter.trace._functions.native import trace as _trace

_ARRAY, _TUPLE, _TREE = range(3)
_EMPTY = object()  # of a cell that nothing was put into


def _contents(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return _EMPTY


def function_name(function: Any) -> str:
    name = getattr(function, "__name__", None) or type(function).__name__
    return "lambda" if name == "<lambda>" else str(name)


class _Calls:
    """The facts about its calls that a compiled function keeps: the structures of results, texts of static values."""

    def __init__(self, function: Callable[..., Any], static: frozenset[int], static_names: frozenset[str]) -> None:
        self.function, self.static, self.static_names = function, static, static_names
        self.trees: dict[Any, int] = {}
        self.specs: list[Any] = []
        self.texts: dict[Any, str] = {}
        self.closure = tuple(getattr(function, "__closure__", None) or ())
        self.version = 0
        self.compiled: Callable[[], Any] = lambda: None
        self.on_device: _device.Calls | None = None
        self.options: dict[str, bool] = {}  # that are for arrays
        self.strict = False

    def flat_results(self, result: Any) -> tuple[list[Any], int]:
        if self.on_device is not None:
            self.on_device.explanation = ""
        leaves, spec = _trees.arrays(result, "bad_result", "result")
        number = self.trees.get(spec)
        if number is None:
            flat = isinstance(spec, _trees.Flat)
            form = _ARRAY if spec == _trees.ONE else _TUPLE if flat and spec.kind is tuple else _TREE
            number = self.trees[spec] = _trace._add_tree(self.compiled(), len(leaves), form)
            self.specs.append(spec)
        if self.closure:
            self.keep_closure()
        return leaves, number

    def keep_closure(self) -> None:
        """A closure that the function changes while it is traced does not make the next call another one."""
        text = f"closure {self.version}" if self.version else ""
        _trace._keep_closure(self.compiled(), [_contents(cell) for cell in self.closure], text)

    def body(self, *arrays: Any) -> tuple[list[Any], int]:
        return self.flat_results(self.function(*arrays))

    def build(self, tree: int, leaves: list[Any]) -> Any:
        return _trees.unflatten(self.specs[tree], leaves)

    def static_text(self, statics: dict[Any, Any], spec: Any) -> str:
        try:
            key = (spec, tuple((name, type(value), value) for name, value in statics.items()))
            text = self.texts.get(key)
        except TypeError:
            for name, value in statics.items():
                try:
                    hash(value)
                except TypeError:
                    _trace._raise("bad_static_argument", f"{function_name(self.function)}: argument {name}: found a static "
                                  f"value of type {type(value).__name__}, expected one that can be hashed",
                                  hint="pass a tuple instead of a list")
            raise
        if text is None:
            parts = [f"arguments {spec}", *(f"{name}={value!r}" for name, value in statics.items())]
            text = ", ".join(parts)
            if text in self.texts.values():
                text += f" #{len(self.texts)}"
            if len(self.texts) >= 4096:  # their graphs have mostly gone from the cache
                self.texts.clear()
            self.texts[key] = text
        return text

    def call_tree(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        compiled = self.compiled()
        if not _trace._closure_is_as_traced(compiled):
            self.version += 1
            self.keep_closure()
            if self.on_device is not None:
                self.on_device.forget("the function's closure has other contents")
        static = {i % len(args) if args else i for i in self.static}
        statics: dict[Any, Any] = {i: each for i, each in enumerate(args) if i in static}
        statics.update((name, value) for name, value in sorted(kwargs.items()) if name in self.static_names)
        dynamic = tuple(each for i, each in enumerate(args) if i not in static)
        named = {name: value for name, value in kwargs.items() if name not in self.static_names}
        leaves, spec = _trees.flatten((dynamic, named) if named else dynamic)
        # A flat call with nothing but arrays has the signature that it has without this module.
        text = self.static_text(statics, spec) if statics or named or not isinstance(spec, _trees.Flat) or self.static else ""
        if self.version:
            text += f"{', ' if text else ''}closure {self.version}"

        def call(given_leaves: list[Any]) -> Any:
            tree = _trees.unflatten(spec, given_leaves)
            given, keywords = tree if named else (tree, {})
            rest = iter(given)
            positional = [args[i] if i in static else next(rest) for i in range(len(args))]
            more = {name: value for name, value in kwargs.items() if name in self.static_names}
            return self.function(*positional, **keywords, **more)

        if _device.are_tensors(leaves):
            return self.call_on_device(leaves, text, call)
        _trees.require_arrays(leaves, "bad_argument", "argument")
        return _trace._call_compiled(compiled, leaves, text, lambda *arrays: self.flat_results(call(list(arrays))))

    def call_on_device(self, leaves: list[Any], statics: str, call: Callable[[list[Any]], Any]) -> Any:
        # In a function of tensors that is traced, or for gradients, the calls are a part of what is recorded.
        if _trace._traces_function() or _trace._records_gradients():
            return call(leaves)
        if self.on_device is None:
            _device.require_options("jit", **self.options)
            self.on_device = _device.Calls(function_name(self.function), self.strict)
            weakref.finalize(self.compiled(), _device.cache.drop, self.on_device.number).atexit = False
        results, traced = self.on_device(leaves, statics, call)
        if traced and self.closure:
            self.keep_closure()
        return results


def _explain(self: Any) -> str:
    """Why the last call was traced: the first difference to the nearest call that was known."""
    on_device = self._calls.on_device
    return on_device.explanation if on_device is not None and on_device.explanation else str(_trace._explain(self))


def _clear(self: Any) -> None:
    """Forgets the graphs of this function."""
    _trace._drop(self)
    if self._calls.on_device is not None:
        _device.cache.drop(self._calls.on_device.number)


def _bind(self: Any, instance: Any, owner: Any = None) -> Any:
    return self if instance is None else types.MethodType(self, instance)


for _name, _function in (("explain", _explain), ("clear_cache", _clear), ("__get__", _bind),
                         ("__repr__", lambda self: f"<compiled function {getattr(self, '__name__', '?')}>")):
    setattr(_trace.Compiled, _name, _function)


def cache_statistics() -> dict[str, Any]:
    """The statistics of the cache of compiled functions; "on_device": of the programs that functions of tensors
    replay."""
    return {**_trace.cache_statistics(), "on_device": _device.cache.statistics()}


def _numbers(given: int | Iterable[int]) -> frozenset[int]:
    return frozenset((given,) if isinstance(given, int) else given)


def jit(f: Callable[..., Any] | None = None, *, static_argnums: int | Iterable[int] = (),
        static_argnames: str | Iterable[str] = (), check_nans: bool = False, concrete: bool = False,
        simplify: bool = True, strict: bool = False) -> Any:
    """f as a function that is traced once for each signature and run from then on.

    A signature is made of the types of the arguments, their structure, the values of static arguments, the contents of
    the function's closure (by identity) and the options; explain() of the result says what made the last call another one.
    static_argnums, static_argnames: arguments that the trace takes as they are; they are compared by value.
    check_nans: raise TraceError where a result has a nan that no argument had.
    concrete: the arguments' values are at hand while the function is traced, so that if and for may look at them; a call
    for which an answer would differ is traced again.
    strict: trace twice, and raise TraceError where the graphs differ: the function depends on what is no argument.

    A function of TT-NN tensors on a device is replayed there (trace.plan says what a replay does): a signature is made of
    specs and device then, and of which tensors share memory.
    """
    if f is None:
        return functools.partial(jit, static_argnums=static_argnums, static_argnames=static_argnames,
                                 check_nans=check_nans, concrete=concrete, simplify=simplify, strict=strict)
    if not callable(f):
        _trace._raise("bad_argument", f"jit: found an object of type {type(f).__name__}, expected a function", "jit")
    names = frozenset((static_argnames,) if isinstance(static_argnames, str) else static_argnames)
    calls = _Calls(f, _numbers(static_argnums), names)
    calls.options, calls.strict = {"concrete": concrete, "check_nans": check_nans}, strict
    compiled = _trace.Compiled()
    calls.compiled = weakref.ref(compiled)
    _trace._set_up(compiled, function_name(f), not calls.static and not names, concrete, simplify, check_nans, strict,
                   calls.body, calls.call_tree, calls.build, calls.closure or None)
    for name in ("__module__", "__name__", "__qualname__", "__doc__"):
        value = getattr(f, name, None)
        if value is not None:
            compiled.__dict__[name] = value
    compiled.__dict__["__wrapped__"] = f
    compiled.__dict__["_calls"] = calls
    return compiled
