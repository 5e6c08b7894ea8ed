# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random JAX programs for tests/acceptance/compiled_outcomes, which starts this under JAX with the plugin of tile devices.

  usage: jax_programs.py SEED COUNT LEVEL [SECONDS]

Compiles and runs COUNT programs, each for at most SECONDS. A JSON line each on standard output: what the device's runtime made of it,
and the DRAM that it left in use. The compiler's modules stand in the log on standard error, between lines that name the program.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from typing import Any, Callable

import jax
import jax.numpy as jnp
import numpy

DTYPES = [jnp.bfloat16, jnp.float32, jnp.bfloat16]
SIZES = [1, 7, 32, 33, 64, 100, 128, 256, 384, 512]

Values = list[Any]


def unary(random_: random.Random, values: Values) -> Any:
    function = random_.choice(
        [jnp.exp, jnp.tanh, jax.nn.relu, jax.nn.sigmoid, jax.nn.silu, jax.nn.gelu, jnp.abs, jnp.negative, jnp.sqrt, jnp.sin,
         jnp.cos, jnp.log1p, jnp.square, jnp.sign, jnp.floor, jax.lax.rsqrt, jax.nn.softplus, jnp.cbrt, jnp.expm1]
    )  # fmt: skip
    return function(random_.choice(values))


def binary(random_: random.Random, values: Values) -> Any:
    function = random_.choice([jnp.add, jnp.subtract, jnp.multiply, jnp.divide, jnp.maximum, jnp.minimum, jnp.arctan2, jnp.power])
    x = random_.choice(values)
    others = [each for each in values if each.shape == x.shape]
    y = random_.choice([*others, random_.choice([0.5, 2.0, -1.0])])
    return function(x, y)


def compare(random_: random.Random, values: Values) -> Any:
    x = random_.choice(values)
    function = random_.choice([jnp.greater, jnp.less, jnp.equal, jnp.not_equal, jnp.greater_equal])
    return jnp.where(function(x, random_.choice([0.0, 1.0])), x, random_.choice([x * 2, 0.0]))


def reduction(random_: random.Random, values: Values) -> Any:
    x = random_.choice(values)
    if x.ndim == 0:
        return x + 1
    function = random_.choice([jnp.sum, jnp.max, jnp.mean, jnp.min, jnp.var, jnp.prod])
    return function(x, axis=random_.randrange(x.ndim), keepdims=random_.random() < 0.5)


def movement(random_: random.Random, values: Values) -> Any:
    x = random_.choice(values)
    if x.ndim == 0:
        return jnp.broadcast_to(x, (random_.choice(SIZES), 32))
    axis = random_.randrange(x.ndim)
    kind = random_.randrange(8)
    if kind == 0:
        return jnp.transpose(x, random_.sample(range(x.ndim), x.ndim))
    if kind == 1:
        return x.reshape(-1)
    if kind == 2:
        return jnp.concatenate([x, x], axis=axis)
    if kind == 3:
        return jax.lax.slice_in_dim(x, 0, max(1, x.shape[axis] // 2), axis=axis)
    if kind == 4:
        return jnp.pad(x, [(random_.randrange(4), random_.randrange(4)) for _ in x.shape])
    if kind == 5:
        return jnp.repeat(x, 2, axis=axis)
    if kind == 6:
        return jnp.expand_dims(x, axis)
    return jnp.flip(x, axis=axis) if random_.random() < 0.5 else jnp.roll(x, 1, axis=axis)


def product(random_: random.Random, values: Values) -> Any:
    x = random_.choice([each for each in values if each.ndim >= 2] or [jnp.ones((32, 64), jnp.bfloat16)])
    return x @ jnp.ones((x.shape[-1], random_.choice(SIZES)), x.dtype)


def row(random_: random.Random, values: Values) -> Any:
    x = random_.choice(values)
    if x.ndim == 0:
        return x * 2
    kind = random_.randrange(4)
    if kind == 0:
        return jax.nn.softmax(x, axis=-1)
    if kind == 1:
        return jnp.cumsum(x, axis=random_.randrange(x.ndim))
    if kind == 2:
        return jnp.sort(x, axis=-1)
    return x * jax.lax.rsqrt(jnp.mean(jnp.square(x), -1, keepdims=True) + 1e-5)


def lookup(random_: random.Random, values: Values) -> Any:
    x = random_.choice(values)
    if x.ndim == 0:
        return x
    axis = random_.randrange(x.ndim)
    if random_.random() < 0.5:
        return jnp.argmax(x, axis=-1).astype(x.dtype)
    return jnp.take(x, jnp.arange(min(3, x.shape[axis])), axis=axis)


STEPS: list[Callable[[random.Random, Values], Any]] = [
    unary, unary, unary, binary, binary, binary, compare, reduction, reduction, movement, movement, movement, product, product, row, lookup,
]  # fmt: skip


def program(seed: int) -> tuple[Callable[..., Any], list[tuple[tuple[int, ...], Any]]]:
    random_ = random.Random(seed)
    inputs = []
    dtype = random_.choice(DTYPES)
    for _ in range(random_.randint(1, 3)):
        rank = random_.randint(1, 4)
        shape = tuple(random_.choice(SIZES[:3] if rank > 2 and i < rank - 2 else SIZES) for i in range(rank))
        inputs.append((shape, dtype))
    count = random_.randint(3, 20)

    def function(*arguments: Any) -> Any:
        steps = random.Random(seed + 1)
        values = list(arguments)
        for _ in range(count):
            made = steps.choice(STEPS)(steps, values)
            if made.size < 1 << 22:
                values.append(made)
        return values[-1]

    return function, inputs


def run(seed: int, level: str) -> dict[str, Any]:
    function, inputs = program(seed)
    row: dict[str, Any] = {"program": seed, "level": level, "ran": False}
    device = jax.devices()[0]
    arguments = [jax.device_put(numpy.ones(shape, dtype), device) for shape, dtype in inputs]  # no program makes them
    print(f"@@BEGIN {seed}", file=sys.stderr, flush=True)
    try:
        compiled = jax.jit(function, keep_unused=True, compiler_options={"optimization_level": level}).lower(*arguments).compile()
        row["compiled"] = True
        result = compiled(*arguments)
        jax.block_until_ready(result)
        row["ran"] = True
        memory = device.memory_stats()
        row["in_use"], row["largest_free_block"] = memory["bytes_in_use"], memory["largest_free_block_bytes"]
    except Exception as error:  # noqa: BLE001: whatever the runtime throws is the outcome
        row["error"] = f"{type(error).__name__}: {error}"[:1500]
    print(f"@@END {seed}", file=sys.stderr, flush=True)
    return row


def main() -> None:
    seed, count, level = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    seconds = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    for each in range(seed, seed + count):
        # A process each: constants and programs that one keeps are none of the next one's.
        child = os.fork()
        if child == 0:
            signal.alarm(seconds)
            print(json.dumps(run(each, level)), flush=True)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status != 0:
            row = {"program": each, "level": level, "ran": False, "took_too_long": status == signal.SIGALRM, "error": f"status {status}"}
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
