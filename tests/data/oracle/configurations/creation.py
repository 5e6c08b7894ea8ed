# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random configurations of the operations that make tensors."""

from .tensor_specs import DRAM, L1, row, tiles


def uniform(rng, grid):
    return row([tiles(rng, ("bfloat16", "float32"))])


def bernoulli(rng, grid):
    return row([tiles(rng, ("bfloat16", "float32"))], {"dtype": rng.choice((None, "bfloat16", "float32"))},
               rng.choice((None, DRAM, L1)))


CONFIGURATIONS = {
    "uniform": (uniform, lambda ttnn, i, args, out: ttnn.uniform(i[0], 0.0, 1.0, seed=3)),
    "bernoulli": (bernoulli, lambda ttnn, i, args, out: ttnn.bernoulli(
        i[0], 3, memory_config=out, **({"dtype": getattr(ttnn, args["dtype"])} if args["dtype"] else {}))),
}
