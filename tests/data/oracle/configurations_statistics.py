# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random configurations of running sums and products, statistics, losses, sorting and picking, and of what repeats, joins,
rolls, pads and masks tensors."""

from configurations import FLOATS, height, interleaved, row, shape4, spec, up

ROWS = ("bfloat16", "float32")


def rank(rng, shape):
    """The shape's last dimensions, two to four of them."""
    return shape[-rng.choice((2, 3, 4, 4)):]


def maybe(rng):
    return rng.choice((None, interleaved(rng)))


def dim_of(rng, shape):
    return rng.randrange(-len(shape), len(shape))


def accumulation(rng, grid):
    shape = rank(rng, shape4(rng, 400))
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
    shape = rank(rng, shape4(rng, 400))
    dim = rng.choice((None, -1, -1, -2, rng.randrange(len(shape)), [-2, -1]))
    return row([spec(shape, rng.choice(FLOATS), "TILE", interleaved(rng))],
               {"dim": dim, "keepdim": rng.random() < 0.5, "correction": rng.random() < 0.5}, maybe(rng))


def product(rng, grid):
    shape = shape4(rng, 300)
    dim = rng.choice((None, -1, -2, 0, 1, 2, 3))
    return row([spec(shape, "bfloat16", "TILE", interleaved(rng))], {"dim": dim, "keepdim": dim is not None and rng.random() < 0.6},
               maybe(rng))


def loss(rng, grid):
    shape = shape4(rng, 400)
    return row([spec(shape, "bfloat16", "TILE", interleaved(rng))] * 2, {"reduction": rng.choice(("NONE", "SUM", "MEAN"))},
               maybe(rng))


def gather(rng, grid):
    shape = rank(rng, shape4(rng, 300))
    dim = dim_of(rng, shape)
    index = [each if rng.random() < 0.6 else rng.randrange(1, each + 1) for each in shape]
    layout = rng.choice(("TILE", "TILE", "TILE", "ROW_MAJOR"))
    return row([spec(shape, rng.choice(ROWS), layout, interleaved(rng)),
                spec(index, rng.choice(("uint32", "uint16")), layout, interleaved(rng))], {"dim": dim}, maybe(rng))


def scatter(rng, grid):
    shape = rank(rng, shape4(rng, 300))
    dim = dim_of(rng, shape)
    index = [each if rng.random() < 0.8 else rng.randrange(1, each + 1) for each in shape]
    layout = rng.choice(("TILE", "ROW_MAJOR"))
    dtype = rng.choice(("bfloat16", "bfloat16", "float32", "int32"))
    memory = interleaved(rng)
    return row([spec(shape, dtype, layout, memory), spec(index, rng.choice(("int32", "uint32", "uint16")), layout, memory),
                spec(index, dtype, layout, memory)], {"dim": dim}, maybe(rng))


def sort(rng, grid):
    shape = list(rank(rng, shape4(rng, 300)))
    shape[-1] = height(rng, 2048)
    if len(shape) < 3:
        shape = [1, *shape]
    dim = -1 if rng.random() < 0.7 else dim_of(rng, shape)
    return row([spec(shape, rng.choice(("bfloat16", "bfloat16", "float32")), "TILE", interleaved(rng))],
               {"dim": dim, "descending": rng.random() < 0.5}, maybe(rng))


def stack(rng, grid):
    shape = rng.choice((shape4(rng, 300)[-2:], shape4(rng, 300)[-3:]))
    layout = rng.choice(("TILE", "TILE", "ROW_MAJOR"))
    dtype = rng.choice(ROWS)
    memory = interleaved(rng)
    return row([spec(shape, dtype, layout, memory)] * rng.randrange(1, 5), {"dim": rng.randrange(-len(shape) - 1, len(shape) + 1)})


def roll(rng, grid):
    shape = rank(rng, shape4(rng, 300))
    layout = rng.choice(("TILE", "TILE", "ROW_MAJOR"))
    dims = rng.sample(range(len(shape)), rng.choice((1, 1, 2)))
    return row([spec(shape, rng.choice(ROWS), layout, interleaved(rng))],
               {"shifts": [rng.randrange(-5, max(2, shape[each])) for each in dims], "dims": dims})


def repeat(rng, grid):
    shape = rank(rng, shape4(rng, 300))
    layout = rng.choice(("TILE", "TILE", "ROW_MAJOR"))
    times = [rng.choice((1, 1, 2, 3)) for _ in shape]
    return row([spec(shape, rng.choice(FLOATS if layout == "TILE" else ROWS), layout, interleaved(rng))], {"times": times},
               maybe(rng))


def expand(rng, grid):
    shape = list(rank(rng, shape4(rng, 300)))
    sizes = []
    for at in range(len(shape)):
        if rng.random() < 0.4:
            shape[at] = 1
            sizes.append(rng.randrange(1, 5) if at < len(shape) - 1 else rng.randrange(1, 200))
        else:
            sizes.append(rng.choice((-1, shape[at])))
    layout = rng.choice(("TILE", "TILE", "ROW_MAJOR"))
    return row([spec(shape, rng.choice(ROWS), layout, interleaved(rng))], {"sizes": sizes}, maybe(rng))


def repeat_interleave(rng, grid):
    shape = shape4(rng, 200)
    layout = rng.choice(("TILE", "TILE", "ROW_MAJOR"))
    return row([spec(shape, rng.choice(("bfloat16", "bfloat16", "float32")), layout, interleaved(rng))],
               {"repeats": rng.randrange(1, 5), "dim": rng.choice((0, 1, 2, 3, -1, -2))}, maybe(rng))


def triangle(rng, grid):
    shape = rank(rng, shape4(rng, 400))
    return row([spec(shape, rng.choice(("bfloat16", "bfloat16", "float32", "bfloat8_b")), "TILE", interleaved(rng))],
               {"diagonal": rng.choice((0, 0, 1, -1, 7))}, maybe(rng))


def addmm(rng, grid):
    m, k, n = height(rng, 500), up(height(rng, 300)), height(rng, 500)
    dtype = rng.choice(("bfloat16", "bfloat16", "float32"))
    return row([spec(each, dtype, "TILE", interleaved(rng)) for each in ((m, n), (m, k), (k, n))],
               {"alpha": rng.choice((1.0, 0.5)), "beta": rng.choice((1.0, 2.0))}, maybe(rng))


def pad(rng, grid):
    shape = shape4(rng, 300)
    layout = rng.choice(("TILE", "TILE", "ROW_MAJOR"))
    if layout == "TILE":
        padding = [[0, rng.randrange(0, 3)], [0, rng.randrange(0, 3)], [0, rng.choice((0, 5, 32, 40))], [0, rng.choice((0, 3, 32, 70))]]
    else:
        padding = [[0, rng.randrange(0, 3)], [rng.randrange(0, 2), rng.randrange(0, 3)], [rng.randrange(0, 4), rng.randrange(0, 40)],
                   [0, rng.choice((0, 2, 32, 64))]]
    return row([spec(shape, rng.choice(ROWS), layout, interleaved(rng))], {"padding": padding}, maybe(rng))


def clone(rng, grid):
    layout = rng.choice(("TILE", "TILE", "ROW_MAJOR"))
    dtype = rng.choice(FLOATS if layout == "TILE" else ROWS)
    args = {"dtype": rng.choice(("bfloat16", "float32"))} if layout == "TILE" and rng.random() < 0.3 else {}
    return row([spec(rank(rng, shape4(rng, 400)), dtype, layout, interleaved(rng))], args, maybe(rng))


def split(rng, grid):
    shape = list(shape4(rng, 400))
    dim = rng.choice((0, 1, 2, 3, -1, -1))
    layout = rng.choice(("TILE", "TILE", "ROW_MAJOR"))
    if rng.random() < 0.6:
        shape[dim] = up(shape[dim], 64) if dim in (2, 3, -1) else up(shape[dim], 2)
    size = rng.choice((shape[dim] // 2 or 1, 32, rng.randrange(1, shape[dim] + 1)))
    size = max(size, -(-shape[dim] // 6))
    return row([spec(shape, rng.choice(ROWS), layout, interleaved(rng))], {"split_size": size, "dim": dim}, maybe(rng))


CONFIGURATIONS = {
    **{name: (accumulation, accumulate(name)) for name in ("cumsum", "cumprod")},
    **{name: (spread, lambda ttnn, i, args, out, name=name: getattr(ttnn, name)(
        i[0], args["dim"], args["keepdim"], correction=args["correction"], memory_config=out)) for name in ("var", "std")},
    "prod": (product, lambda ttnn, i, args, out: ttnn.prod(i[0], args["dim"], args["keepdim"], memory_config=out)),
    **{name: (loss, lambda ttnn, i, args, out, name=name: getattr(ttnn, name)(
        i[0], i[1], reduction=getattr(ttnn.LossReductionMode, args["reduction"]), memory_config=out))
       for name in ("l1_loss", "mse_loss")},
    "gather": (gather, lambda ttnn, i, args, out: ttnn.gather(i[0], args["dim"], index=i[1], memory_config=out)),
    "scatter": (scatter, lambda ttnn, i, args, out: ttnn.scatter(i[0], args["dim"], i[1], i[2], memory_config=out)),
    "sort": (sort, lambda ttnn, i, args, out: ttnn.sort(i[0], args["dim"], args["descending"], memory_config=out)),
    "stack": (stack, lambda ttnn, i, args, out: ttnn.stack(i, args["dim"])),
    "roll": (roll, lambda ttnn, i, args, out: ttnn.roll(i[0], args["shifts"], args["dims"])),
    "repeat": (repeat, lambda ttnn, i, args, out: ttnn.repeat(i[0], args["times"], memory_config=out)),
    "expand": (expand, lambda ttnn, i, args, out: ttnn.expand(i[0], args["sizes"], memory_config=out)),
    "repeat_interleave": (repeat_interleave, lambda ttnn, i, args, out: ttnn.repeat_interleave(
        i[0], args["repeats"], args["dim"], memory_config=out)),
    **{name: (triangle, lambda ttnn, i, args, out, name=name: getattr(ttnn, name)(
        i[0], diagonal=args["diagonal"], memory_config=out)) for name in ("tril", "triu")},
    "addmm": (addmm, lambda ttnn, i, args, out: ttnn.addmm(
        i[0], i[1], i[2], alpha=args["alpha"], beta=args["beta"], memory_config=out)),
    "pad": (pad, lambda ttnn, i, args, out: ttnn.pad(i[0], args["padding"], 0.0, memory_config=out)),
    "clone": (clone, lambda ttnn, i, args, out: ttnn.clone(
        i[0], dtype=getattr(ttnn, args["dtype"]) if "dtype" in args else None, memory_config=out)),
    "split": (split, lambda ttnn, i, args, out: ttnn.split(i[0], args["split_size"], args["dim"], memory_config=out)),
}
