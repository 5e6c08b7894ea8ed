# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Golden functions in NumPy, under the names of GOLDENS: what calls are compared with where torch is not installed."""

from __future__ import annotations

import math
from typing import Any, Callable

import numpy

Array = Any
Golden = Callable[..., Any]

_erf = numpy.vectorize(math.erf, otypes=[numpy.float32])

_ACTIVATIONS: dict[str, Golden] = {
    "relu": lambda x, **_: numpy.maximum(x, 0),
    "gelu": lambda x, **_: 0.5 * x * (1 + _erf(x / math.sqrt(2))),
    "silu": lambda x, **_: x / (1 + numpy.exp(-x)),
    "sigmoid": lambda x, **_: 1 / (1 + numpy.exp(-x)),
    "tanh": lambda x, **_: numpy.tanh(x),
    "exp": lambda x, **_: numpy.exp(x),
    "sqrt": lambda x, **_: numpy.sqrt(x),
    "rsqrt": lambda x, **_: 1 / numpy.sqrt(x),
    "abs": lambda x, **_: numpy.abs(x),
    "neg": lambda x, **_: -x,
    "square": lambda x, **_: x * x,
    "reciprocal": lambda x, **_: 1 / x,
    "log": lambda x, **_: numpy.log(x),
    "sin": lambda x, **_: numpy.sin(x),
    "cos": lambda x, **_: numpy.cos(x),
}


def _matmul(
    a: Array, b: Array, *, bias: Array = None, transpose_a: bool = False, transpose_b: bool = False,
    activation: Any = None, **_: Any,
) -> Array:
    a = numpy.swapaxes(a, -1, -2) if transpose_a else a
    b = numpy.swapaxes(b, -1, -2) if transpose_b else b
    product = numpy.matmul(a, b) if bias is None else numpy.matmul(a, b) + bias
    return _ACTIVATIONS[activation](product) if isinstance(activation, str) else product


def _softmax(x: Array, dim: int = -1, **_: Any) -> Array:
    powers = numpy.exp(x - x.max(axis=dim, keepdims=True))
    return powers / powers.sum(axis=dim, keepdims=True)


def _norm(
    x: Array, *, epsilon: float = 1e-12, weight: Array = None, bias: Array = None, residual_input_tensor: Array = None,
    centred: bool, **_: Any,
) -> Array:
    x = x if residual_input_tensor is None else x + residual_input_tensor
    x = x - x.mean(axis=-1, keepdims=True) if centred else x
    x = x / numpy.sqrt((x * x).mean(axis=-1, keepdims=True) + epsilon)
    x = x if weight is None else x * weight.reshape(-1)
    return x if bias is None else x + bias.reshape(-1)


def _reduced(function: Callable[..., Any]) -> Golden:
    def golden(x: Array, dim: Any = None, keepdim: bool = False, *, scalar: float = 1.0, **_: Any) -> Array:
        axis = tuple(dim) if isinstance(dim, (list, tuple)) else dim
        return function(x, axis=axis, keepdims=keepdim) * scalar

    return golden


IN_NUMPY: dict[str, Golden] = {
    **{f"ttnn.{name}": function for name, function in _ACTIVATIONS.items()},
    "ttnn.from_torch": lambda x, *_, **__: x,
    "ttnn.to_layout": lambda x, *_, **__: x,
    "ttnn.to_memory_config": lambda x, *_, **__: x,
    "ttnn.typecast": lambda x, *_, **__: x,
    "ttnn.add": lambda a, b, **_: a + b,
    "ttnn.subtract": lambda a, b, **_: a - b,
    "ttnn.multiply": lambda a, b, **_: a * b,
    "ttnn.divide": lambda a, b, **_: a / b,
    "ttnn.matmul": _matmul,
    "ttnn.softmax": _softmax,
    "ttnn.layer_norm": lambda x, **more: _norm(x, centred=True, **more),
    "ttnn.rms_norm": lambda x, **more: _norm(x, centred=False, **more),
    "ttnn.sum": _reduced(numpy.sum),
    "ttnn.mean": _reduced(numpy.mean),
    "ttnn.max": _reduced(numpy.max),
    "ttnn.min": _reduced(numpy.min),
    "ttnn.permute": lambda x, dims, **_: numpy.transpose(x, dims),
    "ttnn.transpose": lambda x, dim1, dim2, **_: numpy.swapaxes(x, dim1, dim2),
    "ttnn.reshape": lambda x, shape, **_: x.reshape(tuple(shape)),
    "ttnn.concat": lambda parts, dim=0, **_: numpy.concatenate(parts, axis=dim),
}
