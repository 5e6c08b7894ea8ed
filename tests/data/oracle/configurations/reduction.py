# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random configurations of reductions, running sums and products, gradients of products, losses, argmax and topk."""

from . import in_shards
from .tensor_specs import (DRAM, FLOATS, L1, batches, core_set, dim_of, height, interleaved, interleaved_or_default,
                           last_dimensions, nd_shards, row, shape4, sharded, some_cores, spec, up)


def reduce(rng, grid):
    dim = rng.choice((-1, -2, -1, -2, 0, 1, None, [2, 3], [1, 2], [0, 1]))
    return row([spec(shape4(rng), rng.choice(FLOATS), "TILE", interleaved(rng))],
               {"dim": dim, "keepdim": rng.choice((True, True, False))}, interleaved(rng))


def reduce_rows(rng, grid):
    """A reduction of a ROW_MAJOR tensor."""
    config = reduce(rng, grid)
    shape = config["inputs"][0]["shape"]
    if rng.random() < 0.3:
        shape = shape[1:]
        config["args"]["dim"] = rng.choice((-1, -2, 0, None, [0, 2], [1, 2]))
    config["inputs"][0].update(shape=shape, dtype=rng.choice(("bfloat16", "bfloat16", "float32")), layout="ROW_MAJOR")
    return config


def sharded_reduce(rng, grid):
    shape, config = sharded(rng, grid)
    return row([spec(shape, rng.choice(FLOATS), "TILE", config)], {"dim": rng.choice((-1, -2)), "keepdim": True},
               rng.choice((config, DRAM, L1, None)))


def reduce_over_others(rng, grid):
    shape, config = sharded(rng, grid)
    parts = rng.choice((1, 2, 4))
    if shape[2] % (32 * parts) == 0:
        shape = rng.choice(((1, parts, shape[2] // parts, shape[3]), (parts, 1, shape[2] // parts, shape[3])))
    return row([spec(shape, rng.choice(("bfloat16", "float32", "bfloat8_b")), "TILE", config)],
               {"dim": rng.choice((0, 1, -1, -2, None, [2, 3], [1, 2])), "keepdim": rng.random() < 0.5},
               rng.choice((None, None, DRAM, L1)))


def some_dims(rng, rank):
    """One dimension, several or all, some counted from the end."""
    if rng.random() < 0.15:
        return None
    dims = [each - rng.choice((0, rank)) for each in rng.sample(range(rank), rng.randrange(1, rank + 1))]
    return dims[0] if len(dims) == 1 and rng.random() < 0.7 else dims


def reduce_any(rng, grid):
    """Interleaved tensors of one to five dimensions over any of them."""
    rank = rng.choice((4, 4, 4, 3, 3, 2, 5, 1))
    edge = lambda: rng.choice((32 * rng.randrange(1, 9), rng.randrange(1, 300), 32 * rng.randrange(1, 40)))
    shape = [rng.randrange(1, 6) for _ in range(rank - 2)] + [edge() for _ in range(min(rank, 2))]
    layout = rng.choice(("TILE", "TILE", "TILE", "TILE", "ROW_MAJOR"))
    dtype = rng.choice(("bfloat16", "bfloat16", "bfloat16", "float32", "bfloat8_b", "int32", "uint32"))
    if layout == "ROW_MAJOR" and dtype == "bfloat8_b":
        dtype = "bfloat16"
    return row([spec(shape, dtype, layout, rng.choice((DRAM, L1)))],
               {"dim": some_dims(rng, rank), "keepdim": rng.random() < 0.5}, rng.choice((None, DRAM, L1)))


def reduce_any_of_shards(rng, grid):
    """Shards over any dimensions; the heights and widths fill whole tiles, or do not."""
    shape, config = sharded(rng, grid)
    if rng.random() < 0.3:
        shape = (*shape[:2], shape[2] - rng.randrange(0, 31), shape[3] - rng.choice((0, rng.randrange(0, 31))))
    parts = rng.choice((1, 2, 4))
    if shape[2] % (32 * parts) == 0:
        shape = rng.choice(((1, parts, shape[2] // parts, shape[3]), (parts, 1, shape[2] // parts, shape[3]),
                            (parts, shape[2] // parts, shape[3])))
    dims = some_dims(rng, len(shape)) if rng.random() < 0.7 else rng.choice((-1, -2, [-2, -1], None))
    return row([spec(shape, rng.choice(("bfloat16", "bfloat16", "float32", "bfloat8_b")), "TILE", config)],
               {"dim": dims, "keepdim": rng.random() < 0.5},
               rng.choice((None, None, DRAM, L1, config)))


def reduce_on_cores(rng, grid):
    config = reduce(rng, grid)
    config["args"]["sub_core_grids"] = some_cores(rng, grid)
    return config


def call_reduce_on_cores(name):
    return lambda ttnn, inputs, args, out: getattr(ttnn, name)(
        inputs[0], dim=args["dim"], keepdim=args["keepdim"], memory_config=out,
        sub_core_grids=core_set(ttnn, args["sub_core_grids"]))


def sum_of_nd_shards(rng, grid):
    """Over a dimension outside the tiles, to the same kind of shards or none."""
    shape, memory = nd_shards(rng, grid)
    while len(shape) < 3:
        shape, memory = nd_shards(rng, grid)
    dim = rng.randrange(len(shape) - 2)
    return row([spec(shape, "bfloat16", "TILE", memory)], {"dim": dim, "keepdim": True}, interleaved(rng))


def call_reduce(name):
    return lambda ttnn, inputs, args, out: getattr(ttnn, name)(inputs[0], dim=args["dim"], keepdim=args["keepdim"],
                                                               memory_config=out)


def accumulation(rng, grid):
    shape = last_dimensions(rng, shape4(rng, 400))
    args = {"dim": dim_of(rng, shape), "reverse_order": rng.random() < 0.3}
    dtype = rng.choice(("bfloat16", "bfloat16", "float32", "int32"))
    if dtype == "bfloat16" and rng.random() < 0.2:
        args["dtype"] = "float32"
    return row([spec(shape, dtype, "TILE", interleaved(rng))], args, None)


def accumulate(name):
    def call(ttnn, inputs, args, out):
        more = {"dtype": getattr(ttnn, args["dtype"])} if "dtype" in args else {}
        return getattr(ttnn, name)(inputs[0], args["dim"], reverse_order=args["reverse_order"], **more)
    return call


def spread(rng, grid):
    shape = last_dimensions(rng, shape4(rng, 400))
    dim = rng.choice((None, -1, -1, -2, rng.randrange(len(shape)), [-2, -1]))
    return row([spec(shape, rng.choice(FLOATS), "TILE", interleaved(rng))],
               {"dim": dim, "keepdim": rng.random() < 0.5, "correction": rng.random() < 0.5}, interleaved_or_default(rng))


def spread_hw(rng, grid):
    """Spreads of images; one in ten has other dimensions than four, and is refused."""
    shape = shape4(rng, 400)
    layout = rng.choice(("TILE", "TILE", "ROW_MAJOR"))
    dtype = rng.choice(FLOATS if layout == "TILE" else ("bfloat16", "float32"))
    return row([spec(shape[1:] if rng.random() < 0.1 else shape, dtype, layout, interleaved(rng))], {}, interleaved_or_default(rng))


def product(rng, grid):
    shape = shape4(rng, 300)
    dim = rng.choice((None, -1, -2, 0, 1, 2, 3))
    return row([spec(shape, "bfloat16", "TILE", interleaved(rng))], {"dim": dim, "keepdim": dim is not None and rng.random() < 0.6},
               interleaved_or_default(rng))


def product_gradient(rng, grid):
    """Dimensions in tiles fill them unless multiplied along: TT-NN gives gradients of another shape otherwise."""
    batch, channels, height, width = shape4(rng, 200)
    dim = rng.choice((None, -1, -2, 0, 1, 2, 3, -3, -4))
    if rng.random() < 0.2:
        batch, channels = rng.choice(((32, channels), (batch, 32), (batch, 40)))
    shape = [batch, channels, height if dim in (None, 2, -2) else up(height), width if dim in (None, 3, -1) else up(width)]
    gradient = list(shape)
    if dim is None:
        gradient = rng.choice(([1, 1, 1, 1], [1, 1], [1], list(shape)))
    else:
        gradient[dim] = 1
    kind = rng.random()
    if dim is not None and kind < 0.05:  # refused
        dim = rng.choice((4, -5))
    elif dim is not None and kind < 0.1:
        shape, gradient = shape[1:], gradient[1:]
    return row([spec(gradient, "bfloat16", "TILE", interleaved(rng)), spec(shape, "bfloat16", "TILE", interleaved(rng))],
               {"dim": dim}, interleaved_or_default(rng))


def loss(rng, grid):
    shape = shape4(rng, 400)
    return row([spec(shape, "bfloat16", "TILE", interleaved(rng))] * 2, {"reduction": rng.choice(("NONE", "SUM", "MEAN"))},
               interleaved_or_default(rng))


def argmax(rng, grid):
    layout = rng.choice(("ROW_MAJOR", "ROW_MAJOR", "TILE"))
    width = rng.choice((rng.randrange(2, 1000), 32 * rng.randrange(1, 200), rng.choice((4096, 32000, 50257))))
    dtype = rng.choice(("bfloat16", "bfloat16", "float32", "int32", "uint32"))
    shape = (*batches(rng), height(rng, 200), width)
    return row([spec(shape, dtype, layout, interleaved(rng))],
               {"dim": rng.choice((-1, -1, -1, 3, None, -2, 1) if layout == "ROW_MAJOR" else (-1, -1, 3, -2, 1)),
                "keepdim": rng.choice((True, False))}, interleaved(rng))


def topk(rng, grid):
    width = rng.choice((rng.randrange(64, 1000), 32 * rng.randrange(2, 100), 64 * 2 ** rng.randrange(0, 11)))
    shape = [*batches(rng), height(rng, 400), width]
    dim = rng.choice((-1, -1, -1, 3, -2))
    if dim == -2:
        shape[2], shape[3] = shape[3], shape[2]
    k = rng.choice((1, 8, 32, 50, 64, rng.randrange(1, 65)))
    return row([spec(shape, rng.choice(("bfloat16", "bfloat16", "bfloat8_b")), "TILE", interleaved(rng))],
               {"k": min(k, width), "dim": dim}, interleaved(rng))


def sampling(rng, grid):
    """One core for each of 1 to 32 users, of more cores maybe; args: the cores. One call in five is refused."""
    users = rng.choice((32, 32, 1, 2, 8, 16, rng.randrange(1, 33)))
    width = 32 * rng.choice((1, 2, 2, 4, 8))
    memory, wrong = interleaved(rng), rng.random()
    shape = [1, 1, users, width]
    inputs = [spec(shape, "bfloat16", "TILE", memory), spec(shape, rng.choice(("uint32", "int32")), "ROW_MAJOR", interleaved(rng)),
              spec([users], rng.choice(("uint32", "int32")), "ROW_MAJOR", interleaved(rng)),
              *(spec([users], "bfloat16", "ROW_MAJOR", interleaved(rng)) for _ in range(2))]
    args = {"seed": rng.choice((0, 7))}
    if rng.random() < 0.5:
        columns = rng.randrange(1, grid[0] + 1)
        rows = min(grid[1], -(-users // columns) + rng.randrange(2))
        args["cores"] = [[0, 0, columns - 1, rows - 1]]
    if wrong < 0.05:
        inputs[2]["shape"] = [users + 1]
    elif wrong < 0.1:
        for each in inputs[:2]:
            each["shape"] = [1, 1, users, 96]
    elif wrong < 0.15:
        inputs[0]["dtype"] = "float32"
    return row(inputs, args)


def call_sampling(ttnn, inputs, args, out):
    cores = args.get("cores")
    grids = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(*each[:2]), ttnn.CoreCoord(*each[2:])) for each in cores}) if cores else None
    return ttnn.sampling(inputs[0], inputs[1], k=inputs[2], p=inputs[3], temp=inputs[4], seed=args["seed"], sub_core_grids=grids)


CONFIGURATIONS = {
    "sampling": (sampling, call_sampling),
    **{name: (reduce, call_reduce(name)) for name in ("sum", "mean", "max", "min")},
    "sum:nd_shards": (sum_of_nd_shards, call_reduce("sum")),
    **{name + ":on_cores": (reduce_on_cores, call_reduce_on_cores(name)) for name in ("sum", "mean", "max")},
    **{name + ":rows": (reduce_rows, call_reduce(name)) for name in ("sum", "mean", "max", "min")},
    **{name + ":sharded": (sharded_reduce, call_reduce(name)) for name in ("sum", "mean", "max")},
    **{name + ":others": (reduce_over_others, call_reduce(name)) for name in ("sum", "mean", "max")},
    **{name + ":any": (reduce_any, call_reduce(name)) for name in ("sum", "mean", "max", "min")},
    **{name + ":any_shards": (reduce_any_of_shards, call_reduce(name)) for name in ("sum", "mean", "max", "min")},
    **{name: (accumulation, accumulate(name)) for name in ("cumsum", "cumprod")},
    **{name: (spread, lambda ttnn, i, args, out, name=name: getattr(ttnn, name)(
        i[0], args["dim"], args["keepdim"], correction=args["correction"], memory_config=out)) for name in ("var", "std")},
    **{name: (spread_hw, lambda ttnn, i, args, out, name=name: getattr(ttnn, name)(i[0], memory_config=out))
       for name in ("var_hw", "std_hw")},
    "prod": (product, lambda ttnn, i, args, out: ttnn.prod(i[0], args["dim"], args["keepdim"], memory_config=out)),
    "prod_bw": (product_gradient, lambda ttnn, i, args, out: ttnn.prod_bw(*i, dim=args["dim"], memory_config=out)),
    **{name: (loss, lambda ttnn, i, args, out, name=name: getattr(ttnn, name)(
        i[0], i[1], reduction=getattr(ttnn.LossReductionMode, args["reduction"]), memory_config=out))
       for name in ("l1_loss", "mse_loss")},
    "argmax": (argmax, lambda ttnn, i, args, out: ttnn.argmax(
        i[0], dim=args["dim"], keepdim=args["keepdim"], memory_config=out)),
    "topk": (topk, lambda ttnn, i, args, out: ttnn.topk(i[0], args["k"], dim=args["dim"], memory_config=out)),
    **in_shards.REDUCTION,
}
