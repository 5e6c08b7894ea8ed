# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Graphs of calls, run by NumPy: trace_graph(..., to="numpy")."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tilemeter.trace._functions.native import trace as _trace

_erf = np.vectorize(math.erf, otypes=[np.float64])
_lgamma = np.vectorize(math.lgamma, otypes=[np.float64])


def _axes(at: dict[str, Any]) -> Any:
    return at.get("axes")


def _sigmoid(x: Any) -> Any:
    return np.where(x >= 0, 1 / (1 + np.exp(-np.abs(x))), np.exp(-np.abs(x)) / (1 + np.exp(-np.abs(x))))


def _softmax(at: dict[str, Any], x: Any) -> Any:
    powers = np.exp(x - np.max(x, axis=at["axis"], keepdims=True))
    return powers / np.sum(powers, axis=at["axis"], keepdims=True)


def _log_softmax(at: dict[str, Any], x: Any) -> Any:
    shifted = x - np.max(x, axis=at["axis"], keepdims=True)
    return shifted - np.log(np.sum(np.exp(shifted), axis=at["axis"], keepdims=True))


def _gelu(at: dict[str, Any], x: Any) -> Any:
    if at.get("approximate") == "tanh":
        return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + _erf(x / math.sqrt(2)))


def _layer_norm(at: dict[str, Any], x: Any, weight: Any = None, bias: Any = None) -> Any:
    centred = x - np.mean(x, axis=-1, keepdims=True)
    result = centred / np.sqrt(np.mean(centred * centred, axis=-1, keepdims=True) + at.get("eps", 1e-5))
    result = result if weight is None else result * weight
    return result if bias is None else result + bias


def _starts(x: Any, starts: Sequence[Any], sizes: Sequence[int]) -> tuple[slice, ...]:
    places = [min(max(int(start), 0), extent - size) for start, extent, size in zip(starts, x.shape, sizes)]
    return tuple(slice(place, place + size) for place, size in zip(places, sizes))


def _take(x: Any, indices: Any, axis: int, from_end: bool) -> Any:
    if from_end and np.asarray(indices).dtype.kind == "i":
        indices = np.where(np.less(indices, 0), np.add(indices, x.shape[axis], dtype=np.int64), indices)
    return np.take(x, indices, axis=axis, mode="clip")


def _dynamic_update(at: dict[str, Any], x: Any, update: Any, *starts: Any) -> Any:
    result = np.array(x)
    result[_starts(x, starts, update.shape)] = update
    return result


def _one_hot(at: dict[str, Any], i: Any) -> Any:
    return (np.expand_dims(i, -1) == np.arange(at["depth"])).astype(at.get("dtype", np.float32))


def _slice(at: dict[str, Any], x: Any) -> Any:
    return x[tuple(slice(*each) for each in zip(at["starts"], at["limits"], at.get("strides", [1] * np.ndim(x))))]


_SAME = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "pow": np.power, "atan2": np.arctan2, "logaddexp": np.logaddexp,
    "fmax": np.fmax, "fmin": np.fmin, "exp2": np.exp2, "log2": np.log2, "log10": np.log10, "sinh": np.sinh, "cosh": np.cosh, "trunc": np.trunc,
    "isnan": np.isnan, "isfinite": np.isfinite, "mod": np.mod, "floor_divide": np.floor_divide, "maximum": np.maximum, "minimum": np.minimum, "eq": np.equal, "ne": np.not_equal,
    "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal, "logical_and": np.logical_and,
    "logical_or": np.logical_or, "logical_xor": np.logical_xor, "logical_not": np.logical_not, "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor, "bitwise_not": np.invert, "neg": np.negative, "abs": np.abs,
    "exp": np.exp, "expm1": np.expm1, "log": np.log, "log1p": np.log1p, "sqrt": np.sqrt, "cbrt": np.cbrt, "sin": np.sin,
    "cos": np.cos, "tan": np.tan, "tanh": np.tanh, "square": np.square, "sign": np.sign, "floor": np.floor, "ceil": np.ceil,
    "round": np.rint, "where": np.where, "matmul": np.matmul, "erf": _erf, "lgamma": _lgamma, "sigmoid": _sigmoid,
    "identity": np.asarray, "stop_gradient": np.asarray, "reciprocal": lambda x: 1.0 / np.asarray(x),
    "rsqrt": lambda x: 1.0 / np.sqrt(x), "silu": lambda x: x * _sigmoid(x), "softplus": lambda x: np.logaddexp(x, 0.0),
    "relu": lambda x: np.maximum(x, np.zeros((), np.asarray(x).dtype)),
}
_CALLS: dict[str, Callable[..., Any]] = {
    **{name: (lambda at, *x, own=own: own(*x)) for name, own in _SAME.items()},
    **{name: (lambda at, x, own=getattr(np, name): own(x, axis=_axes(at), keepdims=at.get("keepdims", False)))
       for name in ("sum", "mean", "prod", "max", "min", "any", "all")},
    "argmax": lambda at, x: np.asarray(np.argmax(x, axis=at.get("axis")), np.int32),
    "argmin": lambda at, x: np.asarray(np.argmin(x, axis=at.get("axis")), np.int32),
    "cumsum": lambda at, x: np.cumsum(x, axis=at["axis"]),
    "softmax": _softmax,
    "log_softmax": _log_softmax,
    "gelu": _gelu,
    "layer_norm": _layer_norm,
    "reshape": lambda at, x: np.reshape(x, at["shape"]),
    "transpose": lambda at, x: np.transpose(x, at.get("perm")),
    "broadcast_to": lambda at, x: np.broadcast_to(x, at["shape"]),
    "concat": lambda at, *x: np.concatenate(x, axis=at["axis"]),
    "slice": _slice,
    "pad": lambda at, x: np.pad(x, list(zip(at["low"], at["high"])), constant_values=at.get("value", 0.0)),
    "flip": lambda at, x: np.flip(x, at.get("axes")),
    "sort": lambda at, x: np.sort(x, axis=at["axis"]),
    "gather": lambda at, x, i: _take(x, i, at["axis"], at.get("from_end", False)),
    "embedding": lambda at, i, table: _take(table, i, 0, True),
    "dynamic_slice": lambda at, x, *starts: x[_starts(x, starts, at["sizes"])],
    "dynamic_update": _dynamic_update,
    "one_hot": _one_hot,
    "iota": lambda at: np.arange(at["n"], dtype=at["dtype"]),
    "full": lambda at: np.full(at["shape"], at["value"], at["dtype"]),
}


def _while(at: dict[str, Any], graphs: dict[str, Any], x: list[Any]) -> list[Any]:
    consts, carry = x[: at["n_consts"]], x[at["n_consts"]:]
    while run(graphs["cond"], [*consts, *carry])[0]:
        carry = run(graphs["body"], [*consts, *carry])
    return carry


def _scan(at: dict[str, Any], graphs: dict[str, Any], x: list[Any], types: list[Any]) -> list[Any]:
    first, last = at["n_consts"], at["n_consts"] + at["n_carry"]
    consts, carry, inputs = x[:first], x[first:last], x[last:]
    steps = range(at["length"])
    rows: list[list[Any]] = []
    for i in reversed(steps) if at.get("reverse") else steps:
        results = run(graphs["body"], [*consts, *carry, *(each[i] for each in inputs)])
        carry = results[: at["n_carry"]]
        rows.append(results[at["n_carry"]:])
    if at.get("reverse"):
        rows.reverse()
    if not rows:
        return [*carry, *(np.zeros(each.shape, each.dtype) for each in types[at["n_carry"]:])]
    return [*carry, *(np.stack(column) for column in zip(*rows))]


def _branch(graphs: dict[str, Any], x: list[Any]) -> list[Any]:
    if "then" in graphs:
        return run(graphs["then" if x[0] else "else"], x[1:])
    return run(graphs[f"branch_{min(max(int(x[0]), 0), len(graphs) - 1)}"], x[1:])


def _by_kernel(name: str, at: dict[str, Any], x: list[Any]) -> list[Any]:
    """Functions that NumPy has no function for."""
    with_types = [_trace.array(each) for each in x]
    return [np.asarray(each) for each in _trace.apply(name, with_types, at)]


def call(graph: Any, inputs: Sequence[Any]) -> list[Any]:
    """The results for these inputs, which have to be of the types that the graph takes."""
    arrays = [np.asarray(value) for value in inputs]
    if graph.sizes:
        graph = graph._at_shapes([each.shape for each in arrays])
    for name, kind, found in zip(graph.param_names, graph.param_types, arrays):
        if tuple(found.shape) != tuple(kind.shape):
            _trace._raise("bad_argument", f"{graph.name}: input '{name}': found shape {tuple(found.shape)}, expected {tuple(kind.shape)}", graph.name)
        if found.dtype != kind.dtype:
            _trace._raise("bad_argument", f"{graph.name}: input '{name}': found {found.dtype}, expected {kind.dtype}", graph.name)
    with np.errstate(all="ignore"):
        return run(graph, arrays)


def run(graph: Any, inputs: Sequence[Any]) -> list[Any]:
    """The results of the graph, computed by NumPy."""
    values: dict[int, Any] = {param: np.asarray(value) for param, value in zip(graph.params, inputs)}

    def read(operand: Any) -> Any:
        return values[operand] if isinstance(operand, int) else operand

    for equation in graph.equations:
        name, at, graphs = equation["operation"], equation["attributes"], equation["subgraphs"]
        x = [read(each) for each in equation["operands"]]
        if "cond" in graphs:
            results = _while(at, graphs, x)
        elif name == "scan":
            results = _scan(at, graphs, x, equation["types"])
        elif "then" in graphs or "branch_0" in graphs:
            results = _branch(graphs, x)
        elif "body" in graphs:
            results = run(graphs["body"], x)
        elif name in _CALLS:
            results = [_CALLS[name](at, *x)]
        else:
            results = _by_kernel(name, at, x)
        for value, number, kind in zip(results, equation["results"], equation["types"]):
            values[number] = np.asarray(value, kind.dtype)
    return [read(each) for each in graph.results]
