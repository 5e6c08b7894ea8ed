# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random configurations of rows that are wider than a core's memory: up to a million columns, in tiles and in rows, of all dtypes
and of one to five dimensions. Parts of several families."""

import math

from .tensor_specs import DRAM, L1, interleaved_or_default, rectangle, row, row_wise, spec, up

BYTES = {"bfloat16": 2, "float32": 4, "int32": 4, "uint32": 4, "uint16": 2, "uint8": 1, "bfloat8_b": 1, "bfloat4_b": 1}
IN_TILES = ("bfloat16", "bfloat16", "bfloat16", "float32", "float32", "bfloat8_b", "bfloat4_b", "int32", "uint32", "uint16")
IN_ROWS = ("bfloat16", "bfloat16", "bfloat16", "float32", "float32", "int32", "uint32", "uint16", "uint8")
FLOATS = ("bfloat16", "bfloat16", "float32", "bfloat8_b")
FLOATS_IN_ROWS = ("bfloat16", "bfloat16", "float32")
MOST = 24_000_000  # bytes of a tensor: few enough for several in L1


def width(rng, most=1_000_000):
    """Even on a logarithmic scale: a number of tiles, a power of two, a multiple of 8, or any number."""
    size = int(math.exp(rng.uniform(math.log(6_000), math.log(most))))
    return rng.choice((up(size), up(size), up(size, 1024), 2 ** int(math.log2(size)), up(size, 8), size))


def memory_of(rng, size):
    return L1 if size <= MOST and rng.random() < 0.35 else DRAM


def shape_of(rng, wide, bytes_each, ranks=(1, 2, 2, 3, 4, 4, 4, 5), tiled=True):
    """The wide dimension last, and so few rows before it that several such tensors fit in DRAM."""
    rank = rng.choice(ranks)
    rows = max(1, 8 * MOST // (up(wide) * bytes_each * (32 if tiled else 1)))
    tall = min(rows * (32 if tiled else 1), rng.choice((1, 2, 7, 32, 32, 32, 64, 64, 50, 100, 128, 300)))
    outer = [min(rows, rng.choice((1, 1, 1, 1, 2, 3))) for _ in range(max(0, rank - 2))]
    if math.prod(outer) * -(-tall // 32) > max(1, rows):
        outer = [1] * len(outer)
    return [*outer, tall, wide][-rank:]


def wide(rng, dtypes_in_tiles=IN_TILES, dtypes_in_rows=IN_ROWS, ranks=(1, 2, 2, 3, 4, 4, 4, 5), most=1_000_000):
    layout = rng.choice((*(("TILE",) if dtypes_in_tiles else ()), *(("ROW_MAJOR",) if dtypes_in_rows else ())))
    dtype = rng.choice(dtypes_in_tiles if layout == "TILE" else dtypes_in_rows)
    shape = shape_of(rng, width(rng, most), BYTES[dtype], ranks, layout == "TILE")
    rows = math.prod(shape[:-2]) * up(([1] + shape)[-2]) if layout == "TILE" else math.prod(shape[:-1])
    return spec(shape, dtype, layout, memory_of(rng, rows * up(shape[-1]) * BYTES[dtype]))


def in_tiles(rng, dtypes=IN_TILES, **more):
    return wide(rng, dtypes, (), **more)


def in_rows(rng, dtypes=IN_ROWS, **more):
    return wide(rng, (), dtypes, **more)


def unary(*dtypes, **more):
    return lambda rng, grid: row([wide(rng, *dtypes, **more)], {}, interleaved_or_default(rng))


def typecast(rng, grid):
    tensor = wide(rng)
    return row([tensor], {"to": rng.choice(IN_TILES if tensor["layout"] == "TILE" else IN_ROWS)}, interleaved_or_default(rng))


def transpose(rng, grid):
    tensor = wide(rng, ranks=(2, 3, 4, 4))
    dims = rng.sample(range(len(tensor["shape"])), 2)
    if rng.random() < 0.5:
        dims = [-2, -1]
    return row([tensor], {"dim0": dims[0], "dim1": dims[1]}, interleaved_or_default(rng))


def permute(rng, grid):
    tensor = wide(rng, ranks=(3, 4, 4, 5))
    dims = list(range(len(tensor["shape"])))
    rng.shuffle(dims)
    if rng.random() < 0.5:  # the wide rows stay whole
        dims.remove(len(dims) - 1)
        dims.append(len(dims))
    return row([tensor], {"dims": dims}, interleaved_or_default(rng))


def divisor(rng, number, most=100):
    return rng.choice([each for each in range(1, most + 1) if number % each == 0])


def reshape(rng, grid):
    """Rows cut in parts, or put one after the other."""
    tensor = wide(rng, ranks=(2, 3, 4, 4))
    shape = tensor["shape"]
    if rng.random() < 0.5:
        parts = divisor(rng, shape[-1])
        target = rng.choice(([*shape[:-1], parts, shape[-1] // parts], [*shape[:-2], shape[-2] * parts, shape[-1] // parts]))
    else:
        parts = divisor(rng, shape[-2])
        target = [*shape[:-2], shape[-2] // parts, parts * shape[-1]]
    if rng.random() < 0.3:
        target = [math.prod(target[:-1]), target[-1]]
    return row([tensor], {"shape": target})


def concat(rng, grid):
    first = wide(rng, ranks=(2, 3, 4, 4))
    dim = rng.choice((-1, -1, -2, 0))
    inputs = [first]
    for _ in range(rng.choice((1, 1, 2))):
        other = dict(first, shape=list(first["shape"]))
        if dim == -1 and rng.random() < 0.5:
            other["shape"][-1] = rng.choice((rng.randrange(1, 300), 32 * rng.randrange(1, 100), width(rng, 100_000)))
        inputs.append(other)
    rng.shuffle(inputs)
    return row(inputs, {"dim": dim}, interleaved_or_default(rng))


def concat_of_columns(rng, grid):
    """Rows of few elements beside each other, so many that the columns are wider than a core."""
    tall = int(math.exp(rng.uniform(math.log(100_000), math.log(1_500_000))))
    layout, dtype = rng.choice(("TILE", "ROW_MAJOR", "ROW_MAJOR")), rng.choice(("bfloat16", "float32"))
    inputs = [spec((1, 1, tall, rng.choice((1, 3, 4, 8, 16, 32))), dtype, layout) for _ in range(2)]
    return row(inputs, {"dim": -1}, DRAM)


def slice_(rng, grid):
    tensor = wide(rng)
    start, end = [], []
    aligned = rng.random() < 0.6
    for axis, size in enumerate(tensor["shape"]):
        step = 32 if aligned and axis >= len(tensor["shape"]) - 2 and tensor["layout"] == "TILE" else 1
        first = 0 if rng.random() < 0.5 else step * rng.randrange(0, -(-size // step))
        last = size if rng.random() < 0.4 else min(size, first + step * rng.randrange(1, (size - first) // step + 2))
        start.append(first)
        end.append(last)
    return row([tensor], {"start": start, "end": end}, interleaved_or_default(rng))


def to_layout(rng, grid):
    tensor = wide(rng)
    return row([tensor], {"to": "ROW_MAJOR" if tensor["layout"] == "TILE" else "TILE"}, interleaved_or_default(rng))


def untilize_with_unpadding(rng, grid):
    tensor = in_tiles(rng)
    end = [size - 1 for size in tensor["shape"]]
    end[-1] -= rng.choice((0, 1, 5, 32, 700))
    return row([tensor], {"output_tensor_end": end}, interleaved_or_default(rng))


def gather(rng, grid):
    """From wide rows, to wide rows, or both."""
    tensor = wide(rng, FLOATS_IN_ROWS, FLOATS_IN_ROWS)
    shape = tensor["shape"]
    dim = rng.choice((-1, -1, -1, rng.randrange(len(shape))))
    index = [each if rng.random() < 0.7 else rng.randrange(1, each + 1) for each in shape]
    if rng.random() < 0.5:
        index[-1] = rng.choice((shape[-1], 32, rng.randrange(1, 500), rng.randrange(1, shape[-1] + 1)))
    return row([tensor, spec(index, rng.choice(("uint32", "uint32", "uint16")), tensor["layout"], tensor["memory_config"])], {"dim": dim},
               interleaved_or_default(rng))


def scatter(rng, grid):
    tensor = wide(rng, ("bfloat16", "float32", "int32"), ("bfloat16", "float32", "int32"))
    shape, layout, memory = tensor["shape"], tensor["layout"], tensor["memory_config"]
    dim = rng.choice((-1, -1, rng.randrange(len(shape))))
    index = [each if rng.random() < 0.8 else rng.randrange(1, each + 1) for each in shape]
    return row([tensor, spec(index, rng.choice(("int32", "uint32", "uint16")), layout, memory),
                spec(index, tensor["dtype"], layout, memory)], {"dim": dim}, interleaved_or_default(rng))


def sort(rng, grid):
    tensor = in_tiles(rng, ("bfloat16", "bfloat16", "float32"), ranks=(2, 3, 4))
    if rng.random() < 0.5:
        tensor["shape"][-1] = rng.choice((4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, 3968, 7168, 10_000, 14_336))
    return row([tensor], {"dim": rng.choice((-1, -1, -1, -2)), "descending": rng.random() < 0.5}, interleaved_or_default(rng))


def stack(rng, grid):
    tensor = wide(rng, FLOATS, FLOATS_IN_ROWS, ranks=(1, 2, 3))
    return row([tensor] * rng.randrange(1, 4), {"dim": rng.randrange(-len(tensor["shape"]) - 1, len(tensor["shape"]) + 1)})


def roll(rng, grid):
    tensor = wide(rng, ("bfloat16", "float32"), ("bfloat16", "float32"))
    shape = tensor["shape"]
    dims = rng.sample(range(len(shape)), rng.choice((1, min(2, len(shape)))))
    if rng.random() < 0.6 and len(shape) - 1 not in dims:
        dims[0] = len(shape) - 1
    return row([tensor], {"shifts": [rng.randrange(-5, max(2, shape[each])) for each in dims], "dims": dims})


def repeat(rng, grid):
    tensor = wide(rng, FLOATS, FLOATS_IN_ROWS)
    times = [1] * len(tensor["shape"])
    times[rng.choice((-1, rng.randrange(len(times))))] = rng.choice((1, 2, 2, 3, 5))
    return row([tensor], {"times": times}, interleaved_or_default(rng))


def broadcast_to(rng, grid):
    tensor = in_tiles(rng, ranks=(2, 3, 4))
    sizes = list(tensor["shape"])
    for axis, size in enumerate(sizes):
        if axis < len(sizes) - 1 and (size == 1 or rng.random() < 0.4):
            tensor["shape"][axis], sizes[axis] = 1, rng.choice((2, 3, 32))
    if rng.random() < 0.3:
        tensor["shape"][-1] = 1
    return row([tensor], {"output_shape": sizes}, interleaved_or_default(rng))


def expand(rng, grid):
    tensor = wide(rng, FLOATS_IN_ROWS, FLOATS_IN_ROWS)
    sizes = [rng.choice((-1, size)) for size in tensor["shape"]]
    axis = rng.randrange(len(sizes))
    sizes[axis] = tensor["shape"][axis] if axis == len(sizes) - 1 else rng.choice((1, 2, 3, 32))
    tensor["shape"][axis] = 1
    return row([tensor], {"sizes": sizes}, interleaved_or_default(rng))


def repeat_interleave(rng, grid):
    tensor = wide(rng, ("bfloat16", "bfloat16", "float32"), FLOATS_IN_ROWS, ranks=(2, 3, 4, 4))
    rank = len(tensor["shape"])
    return row([tensor], {"repeats": rng.randrange(1, 4), "dim": rng.choice((-1, -2, rng.randrange(rank)))}, interleaved_or_default(rng))


def pad(rng, grid):
    tensor = wide(rng, ("bfloat16", "bfloat16", "float32", "int32"), ("bfloat16", "bfloat16", "float32", "int32"))
    after = (0, 0, 2, 3, 5, 32, 64, 70, 1024)
    padding = [[0, rng.randrange(0, 3)] for _ in tensor["shape"][:-2]] + [[0, rng.choice(after)] for _ in tensor["shape"][-2:]]
    if tensor["layout"] == "ROW_MAJOR":
        padding = [[rng.choice((0, 0, 0, 1, 2)) if axis < len(padding) - 1 else rng.choice((0, 0, 0, 16)), each[1]]
                   for axis, each in enumerate(padding)]
    return row([tensor], {"padding": padding}, interleaved_or_default(rng))


def clone(rng, grid):
    tensor = wide(rng)
    args = {"dtype": rng.choice(("bfloat16", "float32"))} if tensor["dtype"] in FLOATS and tensor["layout"] == "TILE" else {}
    return row([tensor], args if rng.random() < 0.3 else {}, interleaved_or_default(rng))


def split(rng, grid):
    tensor = wide(rng, ("bfloat16", "float32", "bfloat8_b"), FLOATS_IN_ROWS, ranks=(2, 3, 4, 4))
    dim = rng.choice((-1, -1, -1, -2, 0))
    size = tensor["shape"][dim]
    part = rng.choice((-(-size // 2), -(-size // 3), up(-(-size // 2)), up(-(-size // 4)), max(1, size - 32)))
    return row([tensor], {"split_size": max(1, min(part, size)), "dim": dim}, interleaved_or_default(rng))


def index_fill(rng, grid):
    tensor = in_rows(rng, ("bfloat16", "float32", "int32"), ranks=(1, 2, 3, 4))
    dim = rng.randrange(len(tensor["shape"]))
    size = min(tensor["shape"][dim], rng.choice((8, 300, 10_000, 500_000)))
    return row([tensor, spec((rng.randrange(1, size + 1),), "uint32", "ROW_MAJOR", DRAM)], {"dim": dim}, interleaved_or_default(rng))


def nonzero(rng, grid):
    tensor = in_rows(rng, ("bfloat16", "float32", "int32", "uint32"), ranks=(4,))
    tensor["shape"][:3] = [1, 1, 1] if rng.random() < 0.7 else tensor["shape"][:3]
    return row([tensor], {}, interleaved_or_default(rng))


def shards_of(rng, grid, tensor):
    """Shards of the tensor, in L1 or DRAM; of as many dimensions as it has, sometimes."""
    shape, layout = tensor["shape"], tensor["layout"]
    rows, columns, unit = math.prod(shape[:-1]), shape[-1], 32 if layout == "TILE" else 1
    if layout == "TILE":
        rows = math.prod(shape[:-2]) * up(([1] + shape)[-2])
    banks = rng.choice((0, 0, 12 if grid[0] == 8 else 8))
    kind = "DRAM" if banks else "L1"
    orientation = rng.choice(("ROW_MAJOR", "ROW_MAJOR", "ROW_MAJOR", "COL_MAJOR"))
    most = banks or grid[0] * grid[1]
    if rng.random() < 0.35:
        shard = [rng.choice((size, size, max(1, size // 2), 1)) for size in shape]
        shard[-1] = rng.choice((columns, columns, up(-(-columns // rng.randrange(1, 2 * most)), max(unit, 8))))
        if len(shard) > 1:
            shard[-2] = up(shard[-2], unit)
        shard[-1] = up(shard[-1], unit)
        cores = rng.randrange(1, most + 1)
        place = rectangle(cores, 1) if banks else rectangle(min(cores, grid[0]), min(grid[1], -(-cores // grid[0])))
        return {"memory_layout": "ND_SHARDED", "buffer_type": kind, "shard_shape": shard, "shard_grid": place, "orientation": orientation,
                "strategy": rng.choice(("ROUND_ROBIN_1D",) * 4 + ("GRID_2D",))}
    layout_of_shards = rng.choice(("HEIGHT_SHARDED", "WIDTH_SHARDED", "WIDTH_SHARDED", "BLOCK_SHARDED")[:3 if banks else 4])
    if layout_of_shards == "BLOCK_SHARDED":
        across, down = rng.randrange(1, grid[0] + 1), rng.randrange(1, grid[1] + 1)
        shard, place = [up(-(-rows // down), unit), up(-(-columns // across), max(unit, 8))], rectangle(across, down)
        if orientation == "COL_MAJOR":
            place = rectangle(min(grid[0], down), min(grid[1], across))
            shard = [up(-(-rows // min(grid[0], down)), unit), up(-(-columns // min(grid[1], across)), max(unit, 8))]
    elif layout_of_shards == "HEIGHT_SHARDED":
        shard = [up(-(-rows // rng.randrange(1, most + 1)), unit), up(columns, unit)]
        place = row_wise(-(-rows // shard[0]), (banks, 1) if banks else grid)
    else:
        shard = [up(rows, unit), up(-(-columns // rng.randrange(1, most + 1)), max(unit, 16, 32 if banks else 8))]
        place = row_wise(-(-columns // shard[1]), (banks, 1) if banks else grid)
    return {"memory_layout": layout_of_shards, "buffer_type": kind, "shard_shape": shard, "shard_grid": place, "orientation": orientation}


def to_memory_config(rng, grid):
    tensor = wide(rng)
    kind = rng.random()
    if kind < 0.25:
        return row([tensor], {}, L1 if tensor["memory_config"] == DRAM else DRAM)
    if kind < 0.65:
        return row([tensor], {}, shards_of(rng, grid, tensor))
    here = shards_of(rng, grid, tensor)
    there = rng.choice((DRAM, L1, None)) or shards_of(rng, grid, tensor)
    return row([{**tensor, "memory_config": here}], {}, there)


def very_long_rows(rng, grid):
    """Rows of millions of elements into shards of any number of dimensions in DRAM, whole or cut."""
    size = 32 * rng.randrange(30_000, 200_000)
    shape = [*rng.choice(((1, 1), (1,), (1, 2))), rng.choice((1, 1, 4, 8)), size]
    banks = 12 if grid[0] == 8 else 8
    cut = [*rng.choice((shape[:-1], [1] * (len(shape) - 1))), rng.choice((size, size, up(-(-size // banks)), up(-(-size // 2))))]
    memory = {"memory_layout": "ND_SHARDED", "buffer_type": "DRAM", "shard_shape": cut, "shard_grid": [[0, 0, banks - 1, 0]],
              "orientation": "ROW_MAJOR", "strategy": "ROUND_ROBIN_1D"}
    return row([spec(shape, rng.choice(("float32", "bfloat16")), "ROW_MAJOR")], {}, memory)


def binary(rng, grid):
    """An operation of two shapes: the same, a row, a column or one number beside it."""
    tensor = wide(rng, FLOATS, FLOATS_IN_ROWS, ranks=(2, 3, 4))
    if rng.random() < 0.2:
        return row([tensor], {"scalar": 2.5}, interleaved_or_default(rng))
    other = list(tensor["shape"])
    kind = rng.choice(("same", "same", "row", "column", "one"))
    if kind in ("row", "one"):
        other[-2] = 1
    if kind in ("column", "one"):
        other[-1] = 1
    pair = [tensor, dict(tensor, shape=other)]
    return row(pair[::rng.choice((1, -1))], {}, interleaved_or_default(rng))


def call_binary(name):
    return lambda ttnn, i, args, out: getattr(ttnn, name)(i[0], args["scalar"] if "scalar" in args else i[1], memory_config=out)


def where(rng, grid):
    tensor = in_tiles(rng, ("bfloat16", "float32"), ranks=(2, 3, 4))
    others = []
    for _ in range(2):
        own = list(tensor["shape"])
        kind = rng.choice(("none", "none", "row", "column", "one"))
        own[-2:] = [1 if kind in ("row", "one") else own[-2], 1 if kind in ("column", "one") else own[-1]]
        others.append(dict(tensor, shape=own))
    return row([tensor, *others], {}, interleaved_or_default(rng))


def triangle(rng, grid):
    return row([in_tiles(rng, ("bfloat16", "float32"), ranks=(2, 3, 4))], {"diagonal": rng.choice((0, 1, -1, 7))},
               interleaved_or_default(rng))


def reduce(rng, grid):
    tensor = wide(rng, ("bfloat16", "bfloat16", "float32", "bfloat8_b"), FLOATS_IN_ROWS, ranks=(2, 3, 4, 4))
    dim = rng.choice((-1, -1, -1, -2, 0, None, [-2, -1]))
    return row([tensor], {"dim": dim, "keepdim": rng.random() < 0.5}, interleaved_or_default(rng))


def call_reduce(name):
    return lambda ttnn, i, args, out: getattr(ttnn, name)(i[0], dim=args["dim"], keepdim=args["keepdim"], memory_config=out)


def accumulation(rng, grid):
    tensor = in_tiles(rng, ("bfloat16", "float32", "int32"), ranks=(2, 3, 4))
    return row([tensor], {"dim": rng.randrange(-len(tensor["shape"]), 0), "reverse_order": rng.random() < 0.3}, None)


def accumulate(name):
    return lambda ttnn, i, args, out: getattr(ttnn, name)(i[0], args["dim"], reverse_order=args["reverse_order"])


def spread(rng, grid):
    tensor = in_tiles(rng, FLOATS, ranks=(2, 3, 4))
    return row([tensor], {"dim": rng.choice((None, -1, -1, -2)), "keepdim": rng.random() < 0.5, "correction": rng.random() < 0.5},
               interleaved_or_default(rng))


def product(rng, grid):
    tensor = in_tiles(rng, ("bfloat16",), ranks=(4,))
    dim = rng.choice((None, -1, -2, 0))
    return row([tensor], {"dim": dim, "keepdim": dim is not None and rng.random() < 0.6}, interleaved_or_default(rng))


def argmax(rng, grid):
    tensor = wide(rng, ("bfloat16", "float32", "int32"), ("bfloat16", "bfloat16", "float32", "int32", "uint32"), ranks=(2, 3, 4))
    return row([tensor], {"dim": rng.choice((-1, -1, -1, None if tensor["layout"] == "ROW_MAJOR" else -1, -2)),
                          "keepdim": rng.random() < 0.5}, interleaved_or_default(rng))


def topk(rng, grid):
    tensor = in_tiles(rng, ("bfloat16", "bfloat16", "bfloat8_b"), ranks=(2, 3, 4))
    return row([tensor], {"k": rng.choice((1, 8, 32, 50, 64)), "dim": -1}, interleaved_or_default(rng))


def softmax(rng, grid):
    tensor = wide(rng, FLOATS, FLOATS_IN_ROWS, ranks=(2, 3, 4))
    return row([tensor], {"dim": rng.choice((-1, -1, -1, -2))}, interleaved_or_default(rng))


def call_softmax(ttnn, inputs, args, out):
    return ttnn.softmax(inputs[0], args["dim"], memory_config=out)


def norm(rng, grid):
    """args: which of weight, bias and residual are there."""
    tensor = in_tiles(rng, FLOATS, ranks=(2, 3, 4))
    args = {name: True for name, share in (("residual", 0.2), ("weight", 0.4), ("bias", 0.4)) if rng.random() < share}
    inputs = [tensor] + [tensor] * ("residual" in args)
    inputs += [spec((1, tensor["shape"][-1]), "bfloat16", "TILE", DRAM) for name in ("weight", "bias") if name in args]
    return row(inputs, args, interleaved_or_default(rng))


def call_norm(name):
    def normed(ttnn, inputs, args, out):
        rest, names = list(inputs[1:]), {"residual": "residual_input_tensor", "weight": "weight", "bias": "bias"}
        named = {names[key]: rest.pop(0) for key in names if args.get(key)}
        return getattr(ttnn, name)(inputs[0], epsilon=1e-12, memory_config=out, **named)
    return normed


def gate(rng, grid):
    tensor = in_tiles(rng, ("bfloat16", "float32"), ranks=(4,))
    tensor["shape"][-1] = up(tensor["shape"][-1], 64)
    return row([tensor], {}, interleaved_or_default(rng))


def three(rng, grid):
    return row([in_tiles(rng, FLOATS, ranks=(2, 3, 4))] * 3, {}, interleaved_or_default(rng))


def loss(rng, grid):
    return row([in_tiles(rng, ("bfloat16",), ranks=(4,))] * 2, {"reduction": rng.choice(("NONE", "SUM", "MEAN"))},
               interleaved_or_default(rng))


def moreh_sum(rng, grid):
    return row([in_tiles(rng, ("bfloat16", "bfloat16", "int32"), ranks=(4,))],
               {"dim": rng.choice((None, 3, 2, 0, [2, 3])), "keepdim": rng.random() < 0.5}, interleaved_or_default(rng))


def embedding_gradient(rng, grid):
    """The indices, the table, of which only the height counts, and the gradient of the rows."""
    length, size = 32 * rng.randrange(1, 5), width(rng, 200_000)
    return row([spec([1, length], "uint32", "ROW_MAJOR"), spec([rng.choice((32, 1000)), 32], "bfloat16", "ROW_MAJOR"),
                spec([1, 1, length, size], rng.choice(("bfloat16", "bfloat16", "bfloat8_b")))], {}, rng.choice((None, DRAM, L1)))


def embedding(rng, grid):
    """args: what the row's embeddings are returned in."""
    size = width(rng)
    ids = rng.choice(([rng.randrange(1, 5), rng.choice((1, 7, 32, 64, 100))], [1, rng.randrange(1, 300)], [1, 32]))
    while math.prod(ids) * size * 2 > 16 * MOST:
        ids = [1, max(1, ids[-1] // 2)]
    dtype = rng.choice(("bfloat16", "bfloat16", "bfloat16", "float32"))
    vocabulary = max(2, min(1000, 16 * MOST // (size * 4)))
    return row([spec(ids, "uint32", "ROW_MAJOR", DRAM), spec((vocabulary, size), dtype, "ROW_MAJOR", DRAM)],
               {"out_layout": rng.choice(("TILE", "TILE", "ROW_MAJOR"))},
               rng.choice((DRAM, DRAM, L1)))


def call_embedding(ttnn, inputs, args, out):
    return ttnn.embedding(*inputs, layout=getattr(ttnn, args["out_layout"] + "_LAYOUT"), memory_config=out)


def product_of_rows(rng, grid):
    """Wide rows by a matrix, or a matrix that makes wide rows."""
    dtype, wide_one = rng.choice(FLOATS), up(width(rng, 200_000))
    tall, other = rng.choice((32, 32, 64, 128, 17)), 32 * rng.randrange(1, 9)
    shapes = rng.choice((([1, 1, tall, wide_one], [1, 1, wide_one, other]), ([1, 1, tall, other], [1, 1, other, wide_one])))
    return row([spec(shape, dtype, "TILE", rng.choice((DRAM, DRAM, L1))) for shape in shapes], {}, interleaved_or_default(rng))


def call(name, *keys):
    """The operation of a row's inputs and arguments, by position."""
    return lambda ttnn, i, args, out: getattr(ttnn, name)(*i, *(args[key] for key in keys), memory_config=out)


DATA_MOVEMENT = {name + ":wide": entry for name, entry in {
    "typecast": (typecast, lambda ttnn, i, args, out: ttnn.typecast(i[0], getattr(ttnn, args["to"]), memory_config=out)),
    "transpose": (transpose, call("transpose", "dim0", "dim1")),
    "permute": (permute, call("permute", "dims")),
    "reshape": (reshape, lambda ttnn, i, args, out: ttnn.reshape(i[0], args["shape"])),
    "concat": (concat, lambda ttnn, i, args, out: ttnn.concat(i, dim=args["dim"], memory_config=out)),
    "slice": (slice_, call("slice", "start", "end")),
    "to_layout": (to_layout, lambda ttnn, i, args, out: ttnn.to_layout(
        i[0], getattr(ttnn, args["to"] + "_LAYOUT"), memory_config=out)),
    "tilize": (lambda rng, grid: row([in_rows(rng)], {}, interleaved_or_default(rng)), call("tilize")),
    "tilize_with_zero_padding": (lambda rng, grid: row([in_rows(rng)], {}, interleaved_or_default(rng)), call("tilize_with_zero_padding")),
    "untilize": (lambda rng, grid: row([in_tiles(rng)], {}, interleaved_or_default(rng)), call("untilize")),
    "untilize_with_unpadding": (untilize_with_unpadding, call("untilize_with_unpadding", "output_tensor_end")),
    "to_memory_config": (to_memory_config, lambda ttnn, i, args, out: ttnn.to_memory_config(i[0], out)),
    "gather": (gather, lambda ttnn, i, args, out: ttnn.gather(i[0], args["dim"], index=i[1], memory_config=out)),
    "scatter": (scatter, lambda ttnn, i, args, out: ttnn.scatter(i[0], args["dim"], i[1], i[2], memory_config=out)),
    "sort": (sort, call("sort", "dim", "descending")),
    "stack": (stack, lambda ttnn, i, args, out: ttnn.stack(i, args["dim"])),
    "roll": (roll, lambda ttnn, i, args, out: ttnn.roll(i[0], args["shifts"], args["dims"])),
    "repeat": (repeat, call("repeat", "times")),
    "broadcast_to": (broadcast_to, lambda ttnn, i, args, out: ttnn.experimental.broadcast_to(
        i[0], ttnn.Shape(args["output_shape"]), memory_config=out)),
    "expand": (expand, call("expand", "sizes")),
    "repeat_interleave": (repeat_interleave, call("repeat_interleave", "repeats", "dim")),
    "pad": (pad, lambda ttnn, i, args, out: ttnn.pad(i[0], args["padding"], 0.0, memory_config=out)),
    "clone": (clone, lambda ttnn, i, args, out: ttnn.clone(
        i[0], dtype=getattr(ttnn, args["dtype"]) if "dtype" in args else None, memory_config=out)),
    "split": (split, call("split", "split_size", "dim")),
    "fill_implicit_tile_padding": (lambda rng, grid: row([in_tiles(rng)], {}, interleaved_or_default(rng)),
                                   lambda ttnn, i, args, out: ttnn.fill_implicit_tile_padding(i[0], 1.0, memory_config=out)),
    "index_fill": (index_fill, lambda ttnn, i, args, out: ttnn.index_fill(
        i[0], args["dim"], i[1], 2 if i[0].dtype == ttnn.int32 else 2.0, memory_config=out)),
    "nonzero": (nonzero, call("nonzero")),
}.items()}

DATA_MOVEMENT["to_memory_config:very_long_rows"] = very_long_rows, DATA_MOVEMENT["to_memory_config:wide"][1]
DATA_MOVEMENT["concat:columns"] = concat_of_columns, DATA_MOVEMENT["concat:wide"][1]

ELTWISE = {name + ":wide": entry for name, entry in {
    **{name: (unary(FLOATS, FLOATS_IN_ROWS), call(name)) for name in ("relu", "exp")},
    **{name: (binary, call_binary(name)) for name in ("add", "multiply")},
    "where": (where, call("where")),
    "glu": (gate, lambda ttnn, i, args, out: ttnn.glu(i[0], -1, memory_config=out)),
    "mac": (three, call("mac")),
    **{name: (triangle, lambda ttnn, i, args, out, name=name: getattr(ttnn, name)(
        i[0], diagonal=args["diagonal"], memory_config=out)) for name in ("tril", "triu")},
}.items()}

REDUCTION = {name + ":wide": entry for name, entry in {
    **{name: (reduce, call_reduce(name)) for name in ("sum", "mean", "max", "min")},
    **{name: (accumulation, accumulate(name)) for name in ("cumsum", "cumprod")},
    **{name: (spread, lambda ttnn, i, args, out, name=name: getattr(ttnn, name)(
        i[0], args["dim"], args["keepdim"], correction=args["correction"], memory_config=out)) for name in ("var", "std")},
    "l1_loss": (loss, lambda ttnn, i, args, out: ttnn.l1_loss(
        i[0], i[1], reduction=getattr(ttnn.LossReductionMode, args["reduction"]), memory_config=out)),
    "prod": (product, call("prod", "dim", "keepdim")),
    "argmax": (argmax, call_reduce("argmax")),
    "topk": (topk, lambda ttnn, i, args, out: ttnn.topk(i[0], args["k"], dim=args["dim"], memory_config=out)),
}.items()}

NORMALIZATION = {name + ":wide": (norm, call_norm(name)) for name in ("layer_norm", "rms_norm")}
NORMALIZATION["softmax:wide"] = softmax, call_softmax

TRANSFORMER = {"embedding:wide": (embedding, call_embedding), "embedding_bw:wide": (embedding_gradient, call("embedding_bw"))}

MOREH = {"moreh_sum:wide": (moreh_sum, lambda ttnn, i, args, out: ttnn.moreh_sum(
    i[0], args["dim"], keepdim=args["keepdim"], memory_config=out))}

CREATION = {"uniform:wide": (lambda rng, grid: row([in_tiles(rng, ("bfloat16", "float32"))]),
                             lambda ttnn, i, args, out: ttnn.uniform(i[0], 0.0, 1.0, seed=3))}

MATMUL = {"matmul:wide": (product_of_rows, call("matmul"))}
