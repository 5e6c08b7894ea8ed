# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""torch's functions on arrays, by its protocol __torch_function__. torch is imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tilemeter.trace._native import trace as _trace
from tilemeter.trace import _numpy

_UNARY = {
    "exp": "exp", "expm1": "expm1", "log": "log", "log1p": "log1p", "sqrt": "sqrt", "rsqrt": "rsqrt", "sin": "sin", "cos": "cos",
    "tan": "tan", "tanh": "tanh", "erf": "erf", "sigmoid": "sigmoid", "reciprocal": "reciprocal", "neg": "neg", "negative": "neg",
    "abs": "abs", "absolute": "abs", "square": "square", "sign": "sign", "floor": "floor", "ceil": "ceil", "round": "round",
    "relu": "relu", "logical_not": "logical_not", "bitwise_not": "bitwise_not", "lgamma": "lgamma", "digamma": "digamma", "erfinv": "erf_inv",
}
_BINARY = {
    "add": "add", "sub": "sub", "subtract": "sub", "mul": "mul", "multiply": "mul", "div": "div", "divide": "div",
    "true_divide": "div", "pow": "pow", "atan2": "atan2", "remainder": "mod", "floor_divide": "floor_divide", "maximum": "maximum",
    "minimum": "minimum", "eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge", "logical_and": "logical_and",
    "logical_or": "logical_or", "logical_xor": "logical_xor", "bitwise_and": "bitwise_and", "bitwise_or": "bitwise_or",
    "bitwise_xor": "bitwise_xor", "matmul": "matmul", "mm": "matmul", "bmm": "matmul", "mv": "matmul",
}
_OPERATORS = {
    "add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "matmul": "matmul", "pow": "pow", "mod": "mod",
    "floordiv": "floor_divide", "eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge",
}
_METHODS = {"mod": ("remainder",), "truediv": ("div", "true_divide")}  # where torch's names are others
_FUNCTIONS: dict[Any, Callable[..., Any]] = {}


def _reduction(name: str) -> Callable[..., Any]:
    native = getattr(_trace, name)

    def reduce(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, axis: Any = None) -> Any:
        result = native(input, axis if dim is None else dim, keepdim)
        return result if dtype is None else result.astype(dtype)

    return reduce


def _extreme(name: str, place: str) -> Callable[..., Any]:
    def find(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
        if dim is None:
            return getattr(_trace, name)(input)
        if isinstance(dim, _trace.Array):
            return getattr(_trace, name + "imum")(input, dim)
        found = getattr(_trace, place)(input, dim)
        return getattr(_trace, name)(input, dim, keepdim), _trace.expand_dims(found, dim) if keepdim else found

    return find


def _layer_norm(input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    if len(normalized_shape) != 1:
        _numpy.refuse("torch.nn.functional.layer_norm", "only the last dimension is normalized")
    return _trace.layer_norm(input, weight, bias, eps=eps)


def _linear(input: Any, weight: Any, bias: Any = None) -> Any:
    product = _trace.matmul(input, _trace.transpose(weight))
    return product if bias is None else _trace.add(product, bias)


def _transpose(input: Any, dim0: int, dim1: int) -> Any:
    return _numpy.swapaxes(input, dim0, dim1)


def _scaled(input: Any, other: Any, *, alpha: Any = 1, sign: str = "add") -> Any:
    return getattr(_trace, sign)(input, other if alpha == 1 else _trace.mul(other, alpha))


def _reversed(native: Callable[..., Any]) -> Callable[..., Any]:
    return lambda input, other: native(other, input)


def _rounded(input: Any, other: Any, *, rounding_mode: str | None = None) -> Any:
    result = _trace.div(input, other)
    if rounding_mode == "floor":
        return _trace.floor(result)
    if rounding_mode == "trunc":
        return _trace.mul(_trace.sign(result), _trace.floor(_trace.abs(result)))
    return result


def _table() -> dict[Any, Callable[..., Any]]:
    import torch

    functional = torch.nn.functional
    table: dict[Any, Callable[..., Any]] = {}
    for own, operation in (*_UNARY.items(), *_BINARY.items()):
        table[getattr(torch, own)] = getattr(_trace, operation)
    table[torch.add] = lambda input, other, alpha=1: _scaled(input, other, alpha=alpha)
    table[torch.sub] = lambda input, other, alpha=1: _scaled(input, other, alpha=alpha, sign="sub")
    table[torch.div] = _rounded
    for name in ("sum", "mean", "prod", "any", "all"):
        table[getattr(torch, name)] = _reduction(name)
    table[torch.amax], table[torch.amin] = _reduction("max"), _reduction("min")
    table[torch.max], table[torch.min] = _extreme("max", "argmax"), _extreme("min", "argmin")
    table[torch.argmax] = lambda input, dim=None, keepdim=False: _numpy.FUNCTIONS[np.argmax](input, dim, keepdims=keepdim)
    table[torch.argmin] = lambda input, dim=None, keepdim=False: _numpy.FUNCTIONS[np.argmin](input, dim, keepdims=keepdim)
    table[torch.cumsum] = lambda input, dim: _trace.cumsum(input, dim)
    table[torch.where] = _trace.where
    table[torch.clamp] = table[torch.clip] = lambda input, min=None, max=None: _numpy.clip(input, min, max)
    table[torch.reshape] = _trace.reshape
    table[torch.flatten] = lambda input: _trace.reshape(input, (-1,))
    table[torch.permute] = lambda input, dims: _trace.transpose(input, dims)
    table[torch.transpose] = table[torch.swapaxes] = _transpose
    table[torch.t] = _trace.transpose
    table[torch.squeeze] = _trace.squeeze
    table[torch.unsqueeze] = lambda input, dim: _trace.expand_dims(input, dim)
    table[torch.broadcast_to] = lambda input, size: _trace.broadcast_to(input, size)
    table[torch.cat] = table[torch.concat] = lambda tensors, dim=0: _trace.concat(list(tensors), dim)
    table[torch.stack] = lambda tensors, dim=0: _trace.stack(list(tensors), dim)
    table[torch.flip] = lambda input, dims: _trace.flip(input, dims)
    table[torch.index_select] = lambda input, dim, index: _trace.gather(input, index, dim)
    table[torch.dot] = _trace.matmul
    table[torch.zeros_like] = lambda input, dtype=None: _numpy.zeros_like(input, dtype)
    table[torch.ones_like] = lambda input, dtype=None: _numpy.ones_like(input, dtype)
    table[torch.full_like] = lambda input, fill_value, dtype=None: _numpy.full_like(input, fill_value, dtype)
    for softmax in (torch.softmax, functional.softmax):
        table[softmax] = lambda input, dim=-1, _stacklevel=3, dtype=None: _trace.softmax(input, dim)
    for softmax in (torch.log_softmax, functional.log_softmax):
        table[softmax] = lambda input, dim=-1, _stacklevel=3, dtype=None: _trace.log_softmax(input, dim)
    table[functional.relu] = lambda input, inplace=False: _trace.relu(input)
    table[functional.silu] = lambda input, inplace=False: _trace.silu(input)
    table[functional.gelu] = lambda input, approximate="none": _trace.gelu(input, approximate=approximate)
    table[functional.softplus] = lambda input, beta=1, threshold=20: _trace.softplus(input)
    table[functional.linear] = _linear
    table[functional.layer_norm] = _layer_norm
    table[functional.embedding] = lambda input, weight, *more, **named: _trace.embedding(input, weight)
    table[functional.one_hot] = lambda tensor, num_classes: _trace.one_hot(tensor, num_classes, "int64")
    table[functional.dropout] = lambda input, p=0.5, training=True, inplace=False: (
        _numpy.refuse("torch.nn.functional.dropout", "draw the mask outside of the function") if training else input)
    # torch.Tensor's operators: a tensor of torch is on their left, and on the right of the reversed ones.
    for name, operation in _OPERATORS.items():
        native = getattr(_trace, operation)
        table[getattr(torch.Tensor, f"__{name}__", None)] = native
        for method in _METHODS.get(name, (operation,)):
            table[getattr(torch.Tensor, method, None)] = native
        table[getattr(torch.Tensor, f"__r{name}__", None)] = _reversed(native)
    table.pop(None, None)
    return table


def _torch_function(cls: type, function: Any, classes: Any, args: Any = (), kwargs: Any = None) -> Any:
    if not _FUNCTIONS:
        _FUNCTIONS.update(_table())
    own = _FUNCTIONS.get(function)
    if own is None:
        return _numpy.refuse(f"torch.{getattr(function, '__name__', function)}",
                             "use a function of tilemeter.trace, or make it a custom_op")
    return own(*args, **(kwargs or {}))


setattr(_trace.Array, "__torch_function__", classmethod(_torch_function))
