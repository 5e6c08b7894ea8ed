# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random configurations of the operations that make tensors."""

import math

from .in_shards import some_shape
from .shard_forms import FLAT, shards_of
from .tensor_specs import DRAM, L1, row, spec, tiles


def uniform(rng, grid):
    return row([tiles(rng, ("bfloat16", "float32"))])


def bernoulli(rng, grid):
    return row([tiles(rng, ("bfloat16", "float32"))], {"dtype": rng.choice((None, "bfloat16", "float32"))},
               rng.choice((None, DRAM, L1)))


def into_any_shards(rng, grid):
    """Tiles or rows in shards of every form and size, of which many are higher or wider than the tensor, too small or of half a tile."""
    layout = rng.choice(("TILE", "ROW_MAJOR", "ROW_MAJOR"))
    unit = 32 if layout == "TILE" else 1
    if layout == "ROW_MAJOR":
        shape = (rng.choice((1, 1, 2, 3)), rng.choice((1, 2)), rng.randrange(1, 300), rng.randrange(1, 600))[-rng.choice((1, 2, 3, 4, 4, 4)):]
    else:
        shape = some_shape(rng)
    there = shards_of(rng, grid, shape, layout, FLAT + ("ND_SHARDED",), rng.choice(("L1", "L1", "L1", "L1", "DRAM")))
    if there["buffer_type"] == "DRAM":
        there["shard_grid"] = [[0, 0, rng.randrange(1, 12 if grid[0] == 8 else 8), 0]]
    shard = there["shard_shape"]
    for at in range(max(0, len(shard) - 2), len(shard)):
        step = rng.choice((unit, unit, 8, 32, unit // 2 or 1))
        if rng.random() < 0.35:
            shard[at] = max(step, shard[at] + step * rng.choice((-2, -1, 1, 1, 2, 3)))
        elif rng.random() < 0.15:
            shard[at] = max(1, math.ceil(shard[at] / step) * step)
    dtype = rng.choice(("bfloat16", "float32", "bfloat8_b") if layout == "TILE" else ("bfloat16", "float32", "uint8", "uint16"))
    return row([spec(shape, dtype, layout, DRAM)], {}, there)


CONFIGURATIONS = {
    "empty_like:shards": (into_any_shards, lambda ttnn, i, args, out: ttnn.empty_like(i[0], memory_config=out)),
    "uniform": (uniform, lambda ttnn, i, args, out: ttnn.uniform(i[0], 0.0, 1.0, seed=3)),
    "bernoulli": (bernoulli, lambda ttnn, i, args, out: ttnn.bernoulli(
        i[0], 3, memory_config=out, **({"dtype": getattr(ttnn, args["dtype"])} if args["dtype"] else {}))),
}
