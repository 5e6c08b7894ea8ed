# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Records JAX's derivatives at the points of tests/python/derivative_cases.py, in derivatives.json beside this file.

    python tests/data/trace/record_derivatives.py        # where JAX is installed; a minute
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))
import derivative_cases as cases

jax.config.update("jax_enable_x64", True)


def layer_norm(x: Any) -> Any:
    centred = x - jnp.mean(x, axis=-1, keepdims=True)
    return centred * lax.rsqrt(jnp.mean(centred * centred, axis=-1, keepdims=True) + 1e-5)


NAMES: dict[str, Any] = {
    **{name: getattr(jnp, name) for name in ("exp expm1 exp2 log log1p log2 log10 sqrt cbrt sin cos tan tanh sinh cosh arctan square sign floor ceil "
                                             "trunc maximum minimum fmax fmin mod floor_divide logaddexp where clip sum mean prod max min cumsum sort var "
                                             "std matmul flip round arcsin arccos arcsinh arccosh arctanh degrees radians hypot logaddexp2 fmod copysign").split()},
    "rsqrt": lax.rsqrt, "erf": lax.erf, "erf_inv": lax.erf_inv, "lgamma": lax.lgamma, "digamma": lax.digamma, "sigmoid": jax.nn.sigmoid,
    "silu": jax.nn.silu, "softplus": jax.nn.softplus, "gelu": lambda x: jax.nn.gelu(x, approximate=False), "gelu_tanh": jax.nn.gelu,
    "relu": jax.nn.relu, "reciprocal": lambda x: 1 / x, "neg": jnp.negative, "abs": jnp.abs, "identity": lambda x: x,
    "stop_gradient": lax.stop_gradient, "atan2": jnp.arctan2, "softmax": jax.nn.softmax, "log_softmax": jax.nn.log_softmax,
    "layer_norm": layer_norm, "concat": lambda *x: jnp.concatenate(x), "broadcast": lambda x: jnp.broadcast_to(x, (3, x.shape[0])),
    "twice": lambda x: x[np.array([0, -1, 0])],
}


def function(text: str) -> Callable[..., Any]:
    made: Callable[..., Any] = eval(f"lambda x, y=None: {text}", dict(NAMES))
    return made


def summed(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *x: jnp.sum(f(*x))


def numbers(values: Any) -> list[Any]:
    """As JSON has them: nan and the infinities as texts."""
    array = np.asarray(values)
    digits = 17 if array.dtype == np.float64 else 9
    return [str(v) if not np.isfinite(v) else float(f"{v:.{digits}g}") for v in array.ravel()]


def of_points(text: str, dtype: Any) -> dict[str, Any]:
    f, x = function(text), jnp.asarray(cases.points(dtype))
    first = jax.grad(summed(f))
    return {"value": numbers(f(x)), "x": numbers(first(x)), "xx": numbers(jax.grad(summed(first))(x))}


def of_pairs(text: str, dtype: Any) -> dict[str, Any]:
    f = function(text)
    x, y = (jnp.asarray(each) for each in cases.pairs(dtype))
    by_x, by_y = jax.grad(summed(f), 0), jax.grad(summed(f), 1)
    return {"value": numbers(f(x, y)), "x": numbers(by_x(x, y)), "y": numbers(by_y(x, y)), "xx": numbers(jax.grad(summed(by_x), 0)(x, y)),
            "xy": numbers(jax.grad(summed(by_x), 1)(x, y)), "yy": numbers(jax.grad(summed(by_y), 1)(x, y))}


def of_vectors(text: str, dtype: Any) -> list[dict[str, Any]]:
    f, rows = function(text), []
    for row in cases.vectors(dtype):
        x = jnp.asarray(row)

        def scalar(x: Any) -> Any:
            made = f(x)
            return jnp.sum(made * cases.weights(made.size, dtype).reshape(made.shape))

        def along(x: Any) -> Any:
            return jnp.sum(jax.grad(scalar)(x) * cases.weights(x.size, dtype)[::-1])

        rows.append({"value": numbers(f(x)), "x": numbers(jax.grad(scalar)(x)), "xx": numbers(jax.grad(along)(x))})
    return rows


def main() -> None:
    recorded: dict[str, Any] = {}
    for dtype in (np.float64, np.float32):
        recorded[np.dtype(dtype).name] = {
            "points": {text: of_points(text, dtype) for text in cases.UNARY},
            "pairs": {text: of_pairs(text, dtype) for text in cases.BINARY},
            "vectors": {text: of_vectors(text, dtype) for text in cases.OF_VECTORS}}
    path = Path(__file__).with_name("derivatives.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"jax": jax.__version__, **recorded}, file, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main()
