# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions as graphs that can be called, printed, saved and exported."""

from __future__ import annotations

import inspect
import os
import types
from collections.abc import Callable, Sequence
from typing import Any

from tilemeter.trace._functions import device as _device, jit as _jit, numpy_target as _numpy_target, trees as _trees
from tilemeter.trace._functions.native import trace as _trace
from tilemeter.trace._functions.traced import Traced

_TARGETS = ("tilemeter", "numpy", "torch", "stablehlo")
_STARRED = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


class TracedFunction(Traced):
    """A function that was traced. Called, it runs its graph; its other attributes are those of the graph."""

    def __init__(self, graph: Any, arguments: Any = None, results: Any = None, target: str = "tilemeter") -> None:
        super().__init__(graph, arguments)
        self._results, self._target = results, target

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        leaves, spec = _trees.arrays((args, kwargs) if kwargs else args, "bad_argument", "argument")
        if self._arguments is not None:
            self._require_structure(spec)
        if self._target == "numpy":
            values = _numpy_target.call(self.graph, leaves)
        else:
            values = self.graph.run(leaves)
        if self._target == "torch":
            values = [_torch_tensor(each) for each in values]
        if self._results is None:
            return values[0] if len(values) == 1 else tuple(values)
        return _trees.unflatten(self._results, values)

    def simplified(self) -> TracedFunction:
        """Constants computed, common subexpressions and what nothing needs gone."""
        return TracedFunction(self.graph.simplified(), self._arguments, self._results, self._target)

    def at(self, **sizes: int) -> TracedFunction:
        """The function of plain sizes: at(b=32) for arguments "b, 128"."""
        return TracedFunction(self.graph.at(**sizes), self._arguments, self._results, self._target)


def _torch_tensor(array: Any) -> Any:
    import torch

    return torch.from_numpy(array.numpy().copy())


def _is_one(value: Any) -> bool:
    return _trees.is_leaf(value) or isinstance(value, (_trace.Type, str))


def _leaf_names(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], count: int) -> list[str]:
    """Those of the function's parameters, where each is one array."""
    if type(function) is types.FunctionType and not kwargs and not function.__dict__:  # most are; signatures take microseconds
        code = function.__code__
        if code.co_argcount == len(args) == count and not code.co_kwonlyargcount and not code.co_flags & _STARRED:
            return list(code.co_varnames[:count]) if all(map(_is_one, args)) else []
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
    except (TypeError, ValueError):
        return []
    names: list[str] = []
    for name, value in bound.arguments.items():
        kind = bound.signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_POSITIONAL:
            names.extend(f"{name}{i}" for i in range(len(value)))
        elif kind is inspect.Parameter.VAR_KEYWORD:
            names.extend(value)
        elif _is_one(value):
            names.append(name)
        else:
            return []
    return names if len(names) == count and len(set(names)) == count else []


def trace_graph(f: Callable[..., Any], args: Any = (), kwargs: dict[str, Any] | None = None, to: str = "tilemeter",
                concrete: bool = False, constraints: Sequence[str] = ()) -> Any:
    """f as a graph, for arguments of the types that these have; TraceError names what can't be traced.

    args: arrays, numbers, trees of them, or Type(shape, dtype) for one that need not exist. A text is a float32 of that
    shape, whose names stand for any sizes from 1: "b, 3*n". The graph is then one for all sizes that keep the constraints;
    called, it takes the sizes from its arguments, and at(b=32, n=8) is the graph of plain sizes. x.shape[0] is a Dim, which
    stays linked to the shape.
    constraints: promises about names, such as "b >= 4" or "mod(n, 32) == 0".
    to: what runs the graph: "tilemeter", or "numpy", which has kernels of tilemeter's where NumPy has no function; "torch": its
    results are torch's tensors; "stablehlo" is the module's text.
    concrete: values are at hand while f is traced, so that if and for may look at them. What was asked of them is kept as
    guards: a call for which an answer would differ raises.

    Of tensors on a device the graph is one of TT-NN's calls; called, it is replayed there.
    """
    if to not in _TARGETS:
        _trace._raise("bad_argument", f"trace_graph: found target {to!r}, expected one of {', '.join(_TARGETS)}", "trace_graph")
    args = args if isinstance(args, (tuple, list)) else (args,)
    kwargs = kwargs or {}
    leaves, spec = _trees.flatten((tuple(args), kwargs) if kwargs else tuple(args))
    leaves = [_trace.Type(leaf, "float32") if isinstance(leaf, str) else leaf for leaf in leaves]
    if _device.are_tensors(leaves):
        _device.require_options("trace_graph", concrete=concrete, **{f"to={to!r}": to in ("numpy", "torch")})
        on_device = _traced_on_device(f, args, kwargs, leaves, spec)
        return on_device.graph.stablehlo() if to == "stablehlo" else on_device
    for i, leaf in enumerate(leaves):
        if not _trees.is_leaf(leaf) and not isinstance(leaf, _trace.Type):
            _trace._raise("bad_argument", f"argument {i}: found an object of type {type(leaf).__name__}, expected an array, a "
                          "number or a Type", hint="close over what is no array")
    results: list[Any] = [None]

    def body(*arrays: Any) -> list[Any]:
        tree = _trees.unflatten(spec, list(arrays))
        given, named = tree if kwargs else (tree, {})
        flat, results[0] = _trees.arrays(f(*given, **named), "bad_result", "result")
        return flat

    names = _leaf_names(f, args, kwargs, len(leaves))
    traced = TracedFunction(_trace._trace(_jit.function_name(f), body, leaves, names, concrete, list(constraints)), spec, results[0], to)
    return traced.graph.stablehlo() if to == "stablehlo" else traced


def _traced_on_device(f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], leaves: list[Any], spec: Any,
                      has_unlimited_memory: bool = False) -> _device.DeviceFunction:
    names = _leaf_names(f, args, kwargs, len(leaves))

    def call(tensors: list[Any]) -> Any:
        tree = _trees.unflatten(spec, tensors)
        given, named = tree if kwargs else (tree, {})
        return f(*given, **named)

    program = _device.trace(_jit.function_name(f), call, leaves, names, has_unlimited_memory)
    return _device.DeviceFunction(program, spec)


def plan(f: Callable[..., Any], *args: Any, **kwargs: Any) -> _device.Plan:
    """The plan of f with these tensors on their device, without doing it: nothing is allocated, nothing computed.

    plan.save("report.json") writes an ordinary report of it, plan.peak() says how full memory gets, plan.graph has the
    calls, plan.replay(*args) runs it; plan.memory() has every buffer's life, place, pass and role. Raises TraceError for what can't be traced, OutOfMemoryError for what does not fit.
    """
    return _device.Plan(*function_of_tensors("plan", f, args, kwargs))


def function_of_tensors(caller: str, f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any],
                        has_unlimited_memory: bool = False) -> tuple[_device.DeviceFunction, list[Any]]:
    """f, traced, and its tensors; with unlimited memory it need not fit. Raises TraceError where none is on a device."""
    leaves, spec = _trees.flatten((tuple(args), kwargs) if kwargs else tuple(args))
    if leaves and not _device.are_tensors(leaves):
        _trace._raise("bad_argument", f"{caller}: found no tensor on a device among the arguments", caller,
                      hint="from_numpy(..., device=device) makes one of an array; trace_graph() is for functions of arrays")
    return _traced_on_device(f, args, kwargs, leaves, spec, has_unlimited_memory), leaves


def saved(f: Callable[..., Any], *args: Any, **kwargs: Any) -> list[dict[str, Any]]:
    """The tensors that the way back of f keeps of its way forward, dearest first: plan(f, *args).saved()."""
    return plan(f, *args, **kwargs).saved()


def to_stablehlo(f: Callable[..., Any], *args: Any, **kwargs: Any) -> str:
    """f as the text of a StableHLO module, for arguments of the types that these have."""
    return str(trace_graph(f, args, kwargs, to="stablehlo"))


def load(path: str | os.PathLike[str]) -> TracedFunction:
    """The graph of a file that save() wrote; it takes and gives flat arrays."""
    return TracedFunction(_trace._load(path))
