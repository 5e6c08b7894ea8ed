# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Differentiable functions and the points where formulas of their derivatives go wrong.

Functions are texts, so that one text is a function of tilemeter.trace (namespace()) and one of JAX, whose answers
tests/data/trace/record_derivatives.py records.
"""

from __future__ import annotations

from typing import Any

import numpy as np

UNARY = (
    "exp(x)", "expm1(x)", "exp2(x)", "log(x)", "log1p(x)", "log2(x)", "log10(x)", "sqrt(x)", "rsqrt(x)", "cbrt(x)", "sin(x)",
    "cos(x)", "tan(x)", "tanh(x)", "sinh(x)", "cosh(x)", "arctan(x)", "erf(x)", "erf_inv(x)", "lgamma(x)", "digamma(x)", "sigmoid(x)",
    "silu(x)", "softplus(x)", "gelu(x)", "gelu_tanh(x)", "relu(x)", "reciprocal(x)", "neg(x)", "abs(x)", "square(x)", "sign(x)",
    "floor(x)", "ceil(x)", "round(x)", "trunc(x)", "identity(x)", "stop_gradient(x)", "x ** 2", "x ** 3", "x ** -1", "x ** 0.5",
    "x ** 0", "2.0 ** x", "1 / x", "maximum(x, 0)", "minimum(x, 1)", "where(x > 0, x, x * x)", "clip(x, -1, 1)", "x / (1 + abs(x))",
    "logaddexp(x, 0)", "x * log(x)", "where(x > 0, x * x, 0 * x)", "arcsin(x)", "arccos(x)", "arcsinh(x)", "arccosh(x)", "arctanh(x)",
    "degrees(x)", "radians(x)",
)
BINARY = (
    "x + y", "x - y", "x * y", "x / y", "x ** y", "atan2(x, y)", "maximum(x, y)", "minimum(x, y)", "fmax(x, y)", "fmin(x, y)",
    "mod(x, y)", "floor_divide(x, y)", "logaddexp(x, y)", "where(x > y, x, y)", "sqrt(x * x + y * y)", "hypot(x, y)",
    "logaddexp2(x, y)", "fmod(x, y)", "copysign(x, y)",
)
OF_VECTORS = (
    "sum(x)", "mean(x)", "prod(x)", "max(x)", "min(x)", "cumsum(x)", "softmax(x)", "log_softmax(x)", "layer_norm(x)", "sort(x)",
    "var(x)", "sqrt(sum(x * x))", "matmul(x, x)", "clip(x, 0, 2)", "flip(x)", "concat(x, x)", "x[::2]", "x * sum(x)",
    "where(x > 0, sqrt(where(x > 0, x, 1)), 0)", "broadcast(x)", "twice(x)", "std(x)",
)
# Functions of which no derivative is asked, or whose result is no float: the test that every function has its row
# leaves them out.
WITHOUT_DERIVATIVES = frozenset(
    "argmax argmin eq ne lt le gt ge logical_and logical_or logical_xor logical_not bitwise_and bitwise_or bitwise_xor bitwise_not any all "
    "left_shift right_shift bitwise_count trunc_divide heaviside nextafter spacing ldexp modf_fraction frexp_fraction frexp_exponent "
    "isnan isinf signbit isfinite one_hot full arange array apply eval".split())
# Tested by their kind: what moves elements has no special points.
MOVES = frozenset("reshape transpose expand_dims squeeze stack slice pad gather embedding dynamic_slice dynamic_update_slice".split())


def points(dtype: Any) -> Any:
    big = 1e300 if dtype == np.float64 else 1e30
    return np.array([0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.7, -3.7, 20.0, -20.0, 1e-10, -1e-10, 88.0, -88.0, 700.0, -700.0, 1 / big, big,
                     -big, np.inf, -np.inf, np.nan], dtype)


def pairs(dtype: Any) -> tuple[Any, Any]:
    each = np.array([0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -2.0, 3.0, 1e20, np.inf, -np.inf, np.nan], dtype)
    x, y = np.meshgrid(each, each, indexing="ij")
    return x.ravel(), y.ravel()


def vectors(dtype: Any) -> list[Any]:
    inf, nan = np.inf, np.nan
    rows = [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0], [1.0, 2.0, 2.0, 1.0], [-1.0, 0.0, 3.0], [0.0, 2.0, 3.0], [0.0, 0.0, 3.0], [5.0], [inf, 1.0, 2.0],
            [-inf, 1.0, 2.0], [inf, inf, 1.0], [-inf, -inf], [nan, 1.0, 2.0], [1.0, nan, 0.0, 2.0], [60.0, -60.0, 1000.0], [1e-20, 1.0, -1e-20], [-0.0, 0.0],
            [2.0, 0.5, 0.25, -3.0, 2.0]]
    return [np.array(row, dtype) for row in rows]


def weights(count: int, dtype: Any) -> Any:
    """The weights of the sum of a vector function's results, so that no two count alike."""
    return (np.arange(count) * 0.75 - 1.0).astype(dtype)


def namespace() -> dict[str, Any]:
    """Ours."""
    import tilemeter.trace as tp

    names = {name: getattr(tp, name) for name in dir(tp) if not name.startswith("_")}
    for name in ("exp2", "log2", "log10", "sinh", "cosh", "arctan", "trunc", "logaddexp", "fmax", "fmin", "arcsin", "arccos", "arcsinh", "arccosh", "arctanh",
                 "degrees", "radians", "hypot", "logaddexp2", "fmod", "copysign"):
        names[name] = lambda *x, own=getattr(np, name): own(*(each if isinstance(each, (int, float)) else tp.array(each) for each in x))
    names.update(
        gelu_tanh=lambda x: tp.gelu(x, "tanh"), clip=np.clip, concat=lambda *x: tp.concat(list(x)), var=np.var, std=np.std,
        broadcast=lambda x: tp.broadcast_to(x, (3, x.shape[0])), twice=lambda x: tp.gather(x, np.array([0, x.shape[0] - 1, 0])))
    return names
