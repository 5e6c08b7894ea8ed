# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""torch's functions, for NumPy's arrays as well: golden functions are written once, in torch's names, and serve where torch
is not installed, as far as NumPy has the same or it is one formula (arXiv 1606.08415 for gelu, 1908.08681 for mish).
"""

from __future__ import annotations

import importlib
import math
from typing import Any, Callable

import numpy

Array = Any


class NotInNumPyError(NotImplementedError):
    """A golden function needs a function that only torch has."""


# The names in NumPy of functions that torch names otherwise.
_NAMES = {
    "acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan", "atan2": "arctan2",
    "atanh": "arctanh", "bitwise_left_shift": "left_shift", "bitwise_not": "invert", "bitwise_right_shift": "right_shift",
    "cat": "concatenate", "clamp": "clip", "clone": "copy", "concat": "concatenate", "eq": "equal", "ge": "greater_equal",
    "gt": "greater", "le": "less_equal", "lt": "less", "ne": "not_equal", "neg": "negative", "permute": "transpose",
    "pow": "power", "repeat_interleave": "repeat", "transpose": "swapaxes", "unsqueeze": "expand_dims",
}
# What torch calls arguments, and NumPy.
_KEYWORDS = {"dim": "axis", "keepdim": "keepdims", "correction": "ddof"}


def _of_floats(function: Callable[[float], float]) -> Callable[[Array], Array]:
    return numpy.vectorize(function, otypes=[numpy.float32])


def _divided(a: Array, b: Array, rounding_mode: str | None = None) -> Array:
    quotient = numpy.true_divide(a, b)
    return quotient if rounding_mode is None else {"floor": numpy.floor, "trunc": numpy.trunc}[rounding_mode](quotient)


def _sigmoid(x: Array) -> Array:
    return numpy.exp(-numpy.logaddexp(0, -x))


def _softmax(x: Array, axis: int) -> Array:
    powers = numpy.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def _softplus(x: Array, beta: float, threshold: float) -> Array:
    return numpy.where(x * beta > threshold, x, numpy.logaddexp(0, x * beta) / beta)


def _layer_norm(x: Array, _shape: Any, weight: Array, bias: Array, epsilon: float) -> Array:
    x = x - x.mean(axis=-1, keepdims=True)
    x = x / numpy.sqrt((x * x).mean(axis=-1, keepdims=True) + epsilon)
    x = x if weight is None else x * weight
    return x if bias is None else x + bias


def _split(x: Array, sizes: int | list[int], axis: int) -> list[Array]:
    cuts = range(sizes, x.shape[axis], sizes) if isinstance(sizes, int) else numpy.cumsum(sizes)[:-1]
    return numpy.split(x, list(cuts), axis)


# Functions that NumPy has under the same name with another meaning.
_OTHERS = frozenset({"sort"})
# Functions of torch that NumPy has not under any name.
_FORMULAS: dict[str, Callable[..., Any]] = {
    "chunk": lambda x, count, axis: _split(x, -(-x.shape[axis] // count), axis),
    "div": _divided,
    "erf": _of_floats(math.erf),
    "erfc": _of_floats(math.erfc),
    "frac": lambda x: x - numpy.trunc(x),
    "gather": lambda x, axis, index: numpy.take_along_axis(x, index, axis),
    "lgamma": _of_floats(math.lgamma),
    "relu": lambda x: numpy.maximum(x, 0),
    "rsqrt": lambda x: 1 / numpy.sqrt(x),
    "sigmoid": _sigmoid,
    "softmax": _softmax,
    "split": _split,
    "xlogy": lambda x, y: numpy.where(x == 0, 0, x * numpy.log(y)),
    "nn.functional.celu": lambda x, alpha: numpy.where(x > 0, x, alpha * numpy.expm1(numpy.minimum(x, 0) / alpha)),
    "nn.functional.elu": lambda x, alpha: numpy.where(x > 0, x, alpha * numpy.expm1(numpy.minimum(x, 0))),
    "nn.functional.embedding": lambda indices, weight: weight[indices],
    "nn.functional.gelu": lambda x: 0.5 * x * (1 + _FORMULAS["erf"](x / math.sqrt(2))),
    "nn.functional.hardshrink": lambda x, limit: numpy.where(numpy.abs(x) > limit, x, 0),
    "nn.functional.hardsigmoid": lambda x: numpy.clip(x / 6 + 0.5, 0, 1),
    "nn.functional.hardswish": lambda x: x * numpy.clip(x / 6 + 0.5, 0, 1),
    "nn.functional.hardtanh": numpy.clip,
    "nn.functional.layer_norm": _layer_norm,
    "nn.functional.leaky_relu": lambda x, slope: numpy.where(x > 0, x, slope * x),
    "nn.functional.logsigmoid": lambda x: -numpy.logaddexp(0, -x),
    "nn.functional.mish": lambda x: x * numpy.tanh(numpy.logaddexp(0, x)),
    "nn.functional.relu6": lambda x: numpy.clip(x, 0, 6),
    "nn.functional.silu": lambda x: x * _sigmoid(x),
    "nn.functional.softplus": _softplus,
    "nn.functional.softshrink": lambda x, limit: numpy.sign(x) * numpy.maximum(numpy.abs(x) - limit, 0),
    "nn.functional.softsign": lambda x: x / (1 + numpy.abs(x)),
    "nn.functional.tanhshrink": lambda x: x - numpy.tanh(x),
    "nn.functional.threshold": lambda x, limit, value: numpy.where(x > limit, x, value),
}


def _has_array(values: Any) -> bool:
    return isinstance(values, numpy.ndarray) or (isinstance(values, (list, tuple)) and any(map(_has_array, values)))


class Torch:
    """torch and what lies below it: a function is looked for when it is called, in NumPy where an argument is one of its
    arrays. Raises NotInNumPyError where NumPy has none, ModuleNotFoundError where torch is needed and is not installed."""

    def __init__(self, path: str = "") -> None:
        self._path = path

    def __getattr__(self, name: str) -> Torch:
        if name.startswith("__"):
            raise AttributeError(name)
        return Torch(f"{self._path}.{name}" if self._path else name)

    def __call__(self, *args: Any, **named: Any) -> Any:
        if any(map(_has_array, args)):
            function = _FORMULAS.get(self._path) or getattr(numpy, _NAMES.get(self._path, self._path), None)
            if function is None or self._path in _OTHERS:
                raise NotInNumPyError(f"torch.{self._path}: NumPy has none")
            return function(*args, **{_KEYWORDS.get(name, name): value for name, value in named.items()})
        found: Any = importlib.import_module("torch")
        for name in self._path.split("."):
            found = getattr(found, name)
        return found(*args, **named)
