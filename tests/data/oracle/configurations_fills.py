# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random calls of batch_norm and of what fills tensors, for record.py."""

from configurations import DRAM, L1, interleaved, row, spec


def size(rng):
    return rng.choice((32 * rng.randrange(1, 9), rng.randrange(1, 200)))


def batch_norm(rng, grid):
    """As a model that is not trained calls it; args: which operands follow the input."""
    channels = rng.choice((1, 3, 16, 64, rng.randrange(1, 200)))
    shape = (rng.randrange(1, 4), channels, size(rng), size(rng))
    dtype = rng.choice(("bfloat16", "bfloat16", "float32"))
    inputs, args = [spec(shape, dtype, "TILE", interleaved(rng))], {}
    for name in ("running_mean", "running_var", "weight", "bias"):
        if name in ("running_mean", "running_var") or rng.random() < 0.6:
            other = dtype if rng.random() < 0.8 else rng.choice(("bfloat16", "float32"))
            inputs.append(spec((1, channels, 1, 1), other, "TILE", interleaved(rng)))
            args[name] = True
    return row(inputs, args, rng.choice((None, DRAM, L1)))


def call_batch_norm(ttnn, inputs, args, out):
    named = dict(zip(args, inputs[1:]))
    return ttnn.batch_norm(inputs[0], training=False, eps=1e-5, memory_config=out, **named)


def tiles(rng, dtypes):
    return spec((rng.randrange(1, 4), rng.randrange(1, 4), size(rng), size(rng)), rng.choice(dtypes), "TILE", interleaved(rng))


def uniform(rng, grid):
    return row([tiles(rng, ("bfloat16", "float32"))])


def bernoulli(rng, grid):
    return row([tiles(rng, ("bfloat16", "float32"))], {"dtype": rng.choice((None, "bfloat16", "float32"))},
               rng.choice((None, DRAM, L1)))


def fill_implicit_tile_padding(rng, grid):
    return row([tiles(rng, ("bfloat16", "float32", "bfloat8_b", "int32"))], {}, rng.choice((None, DRAM, L1)))


def index_fill(rng, grid):
    rank = rng.choice((4, 4, 3, 2))
    shape = [rng.randrange(1, 5) for _ in range(rank - 2)] + [rng.randrange(1, 100), rng.choice((rng.randrange(1, 300), 64, 128))]
    dim = rng.randrange(rank)
    return row([spec(shape, rng.choice(("bfloat16", "float32", "int32")), "ROW_MAJOR", interleaved(rng)),
                spec((rng.randrange(1, shape[dim] + 1),), "uint32", "ROW_MAJOR", interleaved(rng))], {"dim": dim},
               rng.choice((None, DRAM, L1)))


CONFIGURATIONS = {
    "batch_norm": (batch_norm, call_batch_norm),
    "uniform": (uniform, lambda ttnn, i, args, out: ttnn.uniform(i[0], 0.0, 1.0, seed=3)),
    "bernoulli": (bernoulli, lambda ttnn, i, args, out: ttnn.bernoulli(
        i[0], 3, memory_config=out, **({"dtype": getattr(ttnn, args["dtype"])} if args["dtype"] else {}))),
    "fill_implicit_tile_padding": (fill_implicit_tile_padding, lambda ttnn, i, args, out: ttnn.fill_implicit_tile_padding(
        i[0], 1.0, memory_config=out)),
    "index_fill": (index_fill, lambda ttnn, i, args, out: ttnn.index_fill(
        i[0], args["dim"], i[1], 2 if i[0].dtype == ttnn.int32 else 2.0, memory_config=out)),
}
