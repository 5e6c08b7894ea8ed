# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random configurations of data movement: transposes, reshapes, joins, slices, sorts, gathers, pads, repeats, and
conversions of dtype, layout and memory config. What cuts shards is in data_movement_shards."""

import math

from . import data_movement_shards, in_shards
from .data_movement_shards import shards_of
from .tensor_specs import (DRAM, FLOATS, FLOATS_IN_ROWS, L1, core_set, dim_of, height, height_shards, interleaved, interleaved_or_default,
                           last_dimensions, nd_shards, row, row_wise, shape4, sharded, some_cores, spec,
                           sticks_in_shards, tiles, up, width_shards)


def typecast(rng, grid):
    return row([spec(shape4(rng), rng.choice(FLOATS), "TILE", interleaved(rng))], {"to": rng.choice(FLOATS)}, interleaved(rng))


def sharded_typecast(rng, grid):
    """Shards to the same shards, to none, and to shards from none."""
    dtype = rng.choice((*FLOATS, "uint32", "int32", "uint16"))
    shape, memory = sharded(rng, grid, dtype=dtype)
    here, there = rng.choice(((memory, memory), (memory, memory), (memory, memory), (memory, interleaved(rng)),
                              (interleaved(rng), memory)))
    return row([spec(shape, dtype, "TILE", here)], {"to": rng.choice((*FLOATS, "uint32", "int32", "uint16"))}, there)


def any_layout(rng, top=500):
    layout = rng.choice(("TILE", "TILE", "ROW_MAJOR"))
    dtype = rng.choice(FLOATS if layout == "TILE" else ("bfloat16", "float32"))
    shape = shape4(rng, top)
    if layout == "ROW_MAJOR" and dtype == "bfloat16":
        shape = (*shape[:3], up(shape[3], 2))
    return spec(shape, dtype, layout, interleaved(rng))


def transpose(rng, grid):
    dims = rng.choice(((-2, -1), (-2, -1), (1, 2), (0, 1), (1, 3), (0, 2), (0, 3)))
    return row([any_layout(rng)], {"dim0": dims[0], "dim1": dims[1]}, interleaved(rng))


def sharded_transpose(rng, grid):
    shape, config = sharded(rng, grid)
    return row([spec(shape, rng.choice(FLOATS), "TILE", config)], {"dim0": -2, "dim1": -1}, rng.choice((None, DRAM, L1)))


def transpose_of_row_major_shards(rng, grid):
    shape, config = sharded(rng, grid, ("HEIGHT_SHARDED",))
    dims = rng.choice(((-2, -1), (1, 2), (-2, -1)))
    return row([spec(shape, rng.choice(("bfloat16", "float32")), "ROW_MAJOR", config)], {"dim0": dims[0], "dim1": dims[1]},
               rng.choice((None, DRAM, L1)))


def call_transpose(ttnn, inputs, args, out):
    return ttnn.transpose(inputs[0], args["dim0"], args["dim1"], memory_config=out)


def permute(rng, grid):
    dims = [0, 1, 2, 3]
    rng.shuffle(dims)
    return row([any_layout(rng, 300)], {"dims": dims}, interleaved(rng))


def permute_of_shards(rng, grid):
    layout = rng.choice(("TILE", "TILE", "ROW_MAJOR"))
    shape, config = sharded(rng, grid)
    parts = rng.choice((1, 2, 4))
    if shape[2] % (32 * parts) == 0:
        shape = (1, parts, shape[2] // parts, shape[3])
    dims = [0, 1, 2, 3]
    rng.shuffle(dims)
    if rng.random() < 0.4:
        dims = rng.choice(([0, 2, 1, 3], [0, 1, 3, 2], [0, 3, 1, 2]))
    return row([spec(shape, rng.choice(("bfloat16", "float32")), layout, config)], {"dims": dims},
               rng.choice((None, None, DRAM, L1)))


def reshape(rng, grid):
    tensor = any_layout(rng, 300)
    volume = 1
    for each in tensor["shape"]:
        volume *= each
    shape, rest = [], volume
    for _ in range(rng.choice((1, 2, 3))):
        divisors = [each for each in range(1, min(rest, 2000) + 1) if rest % each == 0]
        shape.append(rng.choice(divisors))
        rest //= shape[-1]
    shape.append(rest)
    rng.shuffle(shape)
    if rng.random() < 0.3:
        shape = [volume // tensor["shape"][-1], tensor["shape"][-1]]
    if max(shape) > 40000:
        return reshape(rng, grid)
    return row([tensor], {"shape": shape})


def reshape_of_shards(rng, grid):
    """Tiles and rows in shards, to shapes of which some keep the last dimension."""
    layout = rng.choice(("TILE", "TILE", "ROW_MAJOR"))
    shape, config = sharded(rng, grid)
    if layout == "TILE" and rng.random() < 0.3:
        shape = (*shape[:2], shape[2] - rng.randrange(0, 31), shape[3] - rng.choice((0, rng.randrange(0, 31))))
    parts = rng.choice((1, 2, 4))
    if shape[2] % (32 * parts) == 0 and rng.random() < 0.5:
        shape = (1, parts, shape[2] // parts, shape[3])
    rest, target = shape[0] * shape[1] * shape[2] * shape[3], []
    for _ in range(rng.choice((1, 2, 3))):
        divisors = [each for each in range(1, min(rest, 4000) + 1) if rest % each == 0]
        whole = [each for each in divisors if each % 32 == 0]
        target.append(rng.choice(whole if whole and rng.random() < 0.6 else divisors))
        rest //= target[-1]
    target.append(rest)
    rng.shuffle(target)
    if rng.random() < 0.3:
        target = [each for each in shape if each != 1]
    if max(target) > 30000:
        return reshape_of_shards(rng, grid)
    return row([spec(shape, rng.choice(("bfloat16", "bfloat16", "float32") + (("bfloat8_b",) if layout == "TILE" else ())),
                     layout, config)], {"shape": target})


def reshape_to_memory(rng, grid):
    """From interleaved tensors and shards, to a memory config: interleaved, shards of the result, or those of the input."""
    layout = rng.choice(("TILE", "TILE", "ROW_MAJOR"))
    shape = [rng.choice((1, 1, 2, 4)), rng.choice((32, 64, 96, 128, 1024)), rng.choice((32, 64, 128, 512))]
    if rng.random() < 0.2:
        shape[2] = rng.choice((1, 4, 8, 16))
    volume = math.prod(shape)
    last = rng.choice([each for each in (1, 8, 16, 32, 64, 128, 256, 512, 1024, shape[2]) if volume % each == 0])
    target = [volume // last, last]
    if rng.random() < 0.5:
        first = rng.choice([each for each in (1, 2, 4, 32) if target[0] % each == 0])
        target = [first, target[0] // first, last]
    here = rng.choice((interleaved(rng), shards_of(rng, shape, layout, None), shards_of(rng, shape, layout, None)))
    there = rng.choice((interleaved(rng), shards_of(rng, target, layout, None), shards_of(rng, target, layout, None), here))
    dtype = rng.choice(("bfloat16", "bfloat16", "float32") + (("bfloat8_b",) if layout == "TILE" else ()))
    return row([spec(shape, dtype, layout, here)], {"shape": target}, there)


def gather_on_cores(rng, grid):
    made = gather(rng, grid)
    made["args"]["sub_core_grids"] = some_cores(rng, grid)
    return made


def call_gather(ttnn, inputs, args, out):
    return ttnn.gather(inputs[0], args["dim"], index=inputs[1], memory_config=out, sub_core_grids=core_set(ttnn, args["sub_core_grids"]))


def concat_of_shards(rng, grid):
    """Rows in shards side by side, columns in shards one below the other, in groups, to shards and not."""
    layout, groups = rng.choice(("TILE", "ROW_MAJOR")), rng.choice((1, 1, 2, 2, 4, 8))
    dtype = rng.choice(("bfloat16", "bfloat16", "float32", "bfloat8_b") if layout == "TILE" else ("bfloat16", "bfloat16", "float32"))
    count, cores, beside = rng.choice((2, 2, 2, 3, 4)), rng.choice((1, 4, 8, grid[0] * grid[1])), rng.random() < 0.7
    tall = rng.choice((32, 64, 96) if layout == "TILE" else (32, 8, 7, 98))
    unit = 32 if layout == "TILE" else rng.choice((8, 16, 32))
    sizes = [unit * rng.choice((1, 2, 4, 5)) for _ in range(count)]
    if rng.random() < 0.5:
        sizes = sizes[:1] * count
    place = height_shards if beside else width_shards
    inputs = []
    for size in sizes:
        if beside:
            shape, memory = (1, 1, tall * cores, size), place(grid, cores, tall, size)
        else:
            rows = size if layout == "TILE" else max(1, size // 8)
            shape, memory = (1, 1, rows, unit * cores), place(grid, cores, rows, unit)
        inputs.append(spec(shape, dtype, layout, memory))
    whole = sum(each["shape"][3 if beside else 2] for each in inputs)
    out = place(grid, cores, tall, whole) if beside else place(grid, cores, whole, unit)
    return row(inputs, {"dim": rng.choice((3, -1)) if beside else rng.choice((2, -2)), "groups": groups if beside else 1},
               rng.choice((out, out, out, out, None, L1)))


def concat(rng, grid):
    first = any_layout(rng, 300)
    dim = rng.choice((-1, -2, 0, 1, -1, -2))
    inputs = [first]
    same = rng.random() < 0.5
    for _ in range(rng.choice((1, 1, 2, 3))):
        other = dict(first, shape=list(first["shape"]))
        if not same:
            other["shape"][dim] = max(2, up(height(rng, 300), 2)) if dim < 0 else rng.randrange(1, 5)
        inputs.append(other)
    return row(inputs, {"dim": dim}, interleaved(rng))


def concat_of_many(rng, grid):
    """More tensors than one program joins."""
    first, dim = any_layout(rng, 40), rng.choice((-1, -2, 0, 1))
    for axis, most in ((0, 2), (1, 2)):
        first["shape"][axis] = min(first["shape"][axis], most)
    if rng.random() < 0.5:
        first["shape"][2:] = [32, 64]
    return row([first] * rng.choice((46, 47, 48, 49, 50, 94, 95, 100)), {"dim": dim}, interleaved(rng))


def slice_(rng, grid):
    tensor = any_layout(rng)
    aligned = rng.random() < 0.5
    start, end = [], []
    for axis, size in enumerate(tensor["shape"]):
        step = 32 if aligned and axis >= 2 and tensor["layout"] == "TILE" else 1
        first = step * rng.randrange(0, -(-size // step))
        last = min(size, first + step * rng.randrange(1, (size - first) // step + 2))
        start.append(first)
        end.append(last)
    return row([tensor], {"start": start, "end": end}, interleaved(rng))


def slice_of_shards(rng, grid):
    """Parts of shards, to where TT-NN puts them by default, to none, and to shards of the part on other cores."""
    if rng.random() < 0.6:
        batch, channels, dtype, layout = rng.choice((1, 1, 2, 3)), rng.choice((1, 1, 2, 4)), "bfloat16", "ROW_MAJOR"
        shape = [batch, channels, rng.choice((8, 16, 32, 50, 64)), rng.choice((8, 16, 32, 64, 96))]
        memory = sticks_in_shards(rng, grid, batch * channels * shape[2], shape[3],
                                  ("HEIGHT_SHARDED", "HEIGHT_SHARDED", "HEIGHT_SHARDED", "WIDTH_SHARDED"))
        step = 1
    else:
        dtype, layout, step = rng.choice(FLOATS), "TILE", rng.choice((1, 32, 32))
        shape, memory = sharded(rng, grid)
    start, end = [], []
    for axis, size in enumerate(shape):
        unit = step if axis >= 2 else 1
        keeps = rng.random() < 0.5 or (axis == 3 and layout == "ROW_MAJOR" and rng.random() < 0.6)
        first = 0 if keeps else unit * rng.randrange(0, -(-size // unit))
        start.append(first)
        end.append(size if keeps else min(size, first + unit * rng.randrange(1, (size - first) // unit + 2)))
    part = [b - a for a, b in zip(start, end)]
    rows, out = part[0] * part[1] * part[2], rng.choice((None, None, DRAM, L1))
    if layout == "ROW_MAJOR" and rng.random() < 0.4:
        out = height_shards(grid, rng.randrange(1, min(rows, grid[0] * grid[1]) + 1), rows, part[3])
    return row([spec(shape, dtype, layout, memory)], {"start": start, "end": end}, out)


def to_layout(rng, grid):
    tensor = any_layout(rng, 800)
    return row([tensor], {"to": "ROW_MAJOR" if tensor["layout"] == "TILE" else "TILE"}, interleaved(rng))


def untilize_of_padded_shards(rng, grid):
    shape, config = sharded(rng, grid)
    shape = (*shape[:2], shape[2] - rng.randrange(0, 31), shape[3] - rng.choice((0, 0, rng.randrange(0, 31))))
    return row([spec(shape, rng.choice(("bfloat16", "float32", "bfloat8_b")), "TILE", config)], {"to": "ROW_MAJOR"},
               rng.choice((None, None, DRAM, L1)))


def to_memory_config(rng, grid):
    shape, config = sharded(rng, grid)
    dtype = rng.choice(FLOATS)
    kind = rng.random()
    if kind < 0.4:
        return row([spec(shape, dtype, "TILE", interleaved(rng))], out=config)
    if kind < 0.7:
        return row([spec(shape, dtype, "TILE", config)], out=interleaved(rng))
    if kind < 0.85:
        memory = interleaved(rng)
        return row([spec(shape4(rng), dtype, "TILE", memory)], out=L1 if memory is DRAM else DRAM)
    other = dict(config, shard_grid=config["shard_grid"])
    for _ in range(50):
        candidate_shape, other = sharded(rng, grid)
        if candidate_shape == shape:
            break
    height_tiles, width_tiles = shape[2] // 32, shape[3] // 32
    cores = rng.choice([each for each in range(1, grid[0] * grid[1] + 1) if height_tiles % each == 0])
    other = {"memory_layout": "HEIGHT_SHARDED", "buffer_type": "L1", "shard_shape": [shape[2] // cores, shape[3]],
             "shard_grid": row_wise(cores, grid), "orientation": "ROW_MAJOR"}
    return row([spec(shape, dtype, "TILE", config)], out=other)


def gather(rng, grid):
    shape = last_dimensions(rng, shape4(rng, 300))
    dim = dim_of(rng, shape)
    index = [each if rng.random() < 0.6 else rng.randrange(1, each + 1) for each in shape]
    layout = rng.choice(("TILE", "TILE", "TILE", "ROW_MAJOR"))
    return row([spec(shape, rng.choice(FLOATS_IN_ROWS), layout, interleaved(rng)),
                spec(index, rng.choice(("uint32", "uint16")), layout, interleaved(rng))], {"dim": dim}, interleaved_or_default(rng))


def scatter(rng, grid):
    shape = last_dimensions(rng, shape4(rng, 300))
    dim = dim_of(rng, shape)
    index = [each if rng.random() < 0.8 else rng.randrange(1, each + 1) for each in shape]
    layout = rng.choice(("TILE", "ROW_MAJOR"))
    dtype = rng.choice(("bfloat16", "bfloat16", "float32", "int32"))
    memory = interleaved(rng)
    return row([spec(shape, dtype, layout, memory), spec(index, rng.choice(("int32", "uint32", "uint16")), layout, memory),
                spec(index, dtype, layout, memory)], {"dim": dim}, interleaved_or_default(rng))


def sort(rng, grid):
    shape = list(last_dimensions(rng, shape4(rng, 300)))
    shape[-1] = height(rng, 2048)
    if len(shape) < 3:
        shape = [1, *shape]
    dim = -1 if rng.random() < 0.7 else dim_of(rng, shape)
    return row([spec(shape, rng.choice(("bfloat16", "bfloat16", "float32")), "TILE", interleaved(rng))],
               {"dim": dim, "descending": rng.random() < 0.5}, interleaved_or_default(rng))


def stack(rng, grid):
    shape = rng.choice((shape4(rng, 300)[-2:], shape4(rng, 300)[-3:]))
    layout = rng.choice(("TILE", "TILE", "ROW_MAJOR"))
    dtype = rng.choice(FLOATS_IN_ROWS)
    memory = interleaved(rng)
    return row([spec(shape, dtype, layout, memory)] * rng.randrange(1, 5), {"dim": rng.randrange(-len(shape) - 1, len(shape) + 1)})


def roll(rng, grid):
    shape = last_dimensions(rng, shape4(rng, 300))
    layout = rng.choice(("TILE", "TILE", "ROW_MAJOR"))
    dims = rng.sample(range(len(shape)), rng.choice((1, 1, 2)))
    return row([spec(shape, rng.choice(FLOATS_IN_ROWS), layout, interleaved(rng))],
               {"shifts": [rng.randrange(-5, max(2, shape[each])) for each in dims], "dims": dims})


def repeat(rng, grid):
    shape = last_dimensions(rng, shape4(rng, 300))
    layout = rng.choice(("TILE", "TILE", "ROW_MAJOR"))
    times = [rng.choice((1, 1, 2, 3)) for _ in shape]
    return row([spec(shape, rng.choice(FLOATS if layout == "TILE" else FLOATS_IN_ROWS), layout, interleaved(rng))], {"times": times},
               interleaved_or_default(rng))


def repeat_of_shards(rng, grid):
    """Tiles and rows in shards, to the same kind of memory, to none, and to shards from none."""
    layout = rng.choice(("TILE", "TILE", "ROW_MAJOR"))
    shape, memory = sharded(rng, grid)
    parts = rng.choice((1, 2, 4))
    if shape[2] % (32 * parts) == 0:
        shape = (1, parts, shape[2] // parts, shape[3])
    shape = shape[-rng.choice((3, 4)):]
    times = [1] * len(shape)
    for _ in range(rng.choice((0, 1, 1, 2))):
        times[rng.randrange(len(shape))] = rng.choice((2, 3))
    return row([spec(shape, rng.choice(("bfloat16", "float32") + (("bfloat8_b",) if layout == "TILE" else ())), layout, memory)],
               {"times": times}, rng.choice((None, None, DRAM, L1)))


def broadcast_to(rng, grid):
    """Up to four dimensions, of which those of 1 grow, rows and columns together or one of them; one in six does not fit, is too
    long, or lies in shards."""
    sizes = [rng.choice((1, 2, 3, 5)), rng.choice((1, 2, 3, 7)), rng.choice((1, 4, 32, 65, 300)), rng.choice((1, 6, 32, 70, 500))]
    sizes = sizes[rng.randrange(4):] if rng.random() < 0.3 else sizes
    sizes = sizes if len(sizes) >= 2 else [1, *sizes]
    shape = [1 if rng.random() < 0.5 else size for size in sizes]
    if rng.random() < 0.1:
        shape = [2 if size == 1 else size for size in shape]
    if rng.random() < 0.05:
        sizes = [2, *sizes]
    if rng.random() < 0.2 and len(shape) > 2 and shape[0] == 1:
        shape = shape[1:]
    dtype = rng.choice(("bfloat16", "float32", "bfloat8_b", "int32", "uint32", "uint16"))
    return row([spec(shape, dtype, "TILE" if rng.random() < 0.95 else "ROW_MAJOR", interleaved(rng))], {"output_shape": sizes},
               interleaved_or_default(rng))


def expand(rng, grid):
    shape = list(last_dimensions(rng, shape4(rng, 300)))
    sizes = []
    for at in range(len(shape)):
        if rng.random() < 0.4:
            shape[at] = 1
            sizes.append(rng.randrange(1, 5) if at < len(shape) - 1 else rng.randrange(1, 200))
        else:
            sizes.append(rng.choice((-1, shape[at])))
    layout = rng.choice(("TILE", "TILE", "ROW_MAJOR"))
    return row([spec(shape, rng.choice(FLOATS_IN_ROWS), layout, interleaved(rng))], {"sizes": sizes}, interleaved_or_default(rng))


def repeat_interleave(rng, grid):
    shape = shape4(rng, 200)
    layout = rng.choice(("TILE", "TILE", "ROW_MAJOR"))
    return row([spec(shape, rng.choice(("bfloat16", "bfloat16", "float32")), layout, interleaved(rng))],
               {"repeats": rng.randrange(1, 5), "dim": rng.choice((0, 1, 2, 3, -1, -2))}, interleaved_or_default(rng))


def repeat_interleave_of_a_vector(rng, grid):
    vector = spec([rng.randrange(1, 300)], rng.choice(("bfloat16", "float32", "bfloat8_b")), "TILE", interleaved(rng))
    if rng.random() < 0.4:
        vector = spec(vector["shape"], rng.choice(FLOATS_IN_ROWS), "ROW_MAJOR", interleaved(rng))
    return row([vector], {"repeats": rng.randrange(1, 5), "dim": rng.choice((0, -1))}, interleaved_or_default(rng))


def pad(rng, grid):
    shape = shape4(rng, 300)
    layout = rng.choice(("TILE", "TILE", "ROW_MAJOR"))
    if layout == "TILE":
        padding = [[0, rng.randrange(0, 3)], [0, rng.randrange(0, 3)], [0, rng.choice((0, 5, 32, 40))], [0, rng.choice((0, 3, 32, 70))]]
    else:
        padding = [[0, rng.randrange(0, 3)], [rng.randrange(0, 2), rng.randrange(0, 3)], [rng.randrange(0, 4), rng.randrange(0, 40)],
                   [0, rng.choice((0, 2, 32, 64))]]
    return row([spec(shape, rng.choice(FLOATS_IN_ROWS), layout, interleaved(rng))], {"padding": padding},
               interleaved_or_default(rng))


def clone(rng, grid):
    layout = rng.choice(("TILE", "TILE", "ROW_MAJOR"))
    dtype = rng.choice(FLOATS if layout == "TILE" else FLOATS_IN_ROWS)
    args = {"dtype": rng.choice(("bfloat16", "float32"))} if layout == "TILE" and rng.random() < 0.3 else {}
    return row([spec(last_dimensions(rng, shape4(rng, 400)), dtype, layout, interleaved(rng))], args, interleaved_or_default(rng))


def split(rng, grid):
    shape = list(shape4(rng, 400))
    dim = rng.choice((0, 1, 2, 3, -1, -1))
    layout = rng.choice(("TILE", "TILE", "ROW_MAJOR"))
    if rng.random() < 0.6:
        shape[dim] = up(shape[dim], 64) if dim in (2, 3, -1) else up(shape[dim], 2)
    size = rng.choice((shape[dim] // 2 or 1, 32, rng.randrange(1, shape[dim] + 1)))
    size = max(size, -(-shape[dim] // 6))
    return row([spec(shape, rng.choice(FLOATS_IN_ROWS), layout, interleaved(rng))], {"split_size": size, "dim": dim},
               interleaved_or_default(rng))


def fill_implicit_tile_padding(rng, grid):
    return row([tiles(rng, ("bfloat16", "float32", "bfloat8_b", "int32"))], {}, rng.choice((None, DRAM, L1)))


def index_fill(rng, grid):
    rank = rng.choice((4, 4, 3, 2))
    shape = [rng.randrange(1, 5) for _ in range(rank - 2)] + [rng.randrange(1, 100), rng.choice((rng.randrange(1, 300), 64, 128))]
    dim = rng.randrange(rank)
    return row([spec(shape, rng.choice(("bfloat16", "float32", "int32")), "ROW_MAJOR", interleaved(rng)),
                spec((rng.randrange(1, shape[dim] + 1),), "uint32", "ROW_MAJOR", interleaved(rng))], {"dim": dim},
               rng.choice((None, DRAM, L1)))


def narrow(rng, grid):
    rank = rng.choice((2, 3, 4, 4))
    layout = rng.choice(("TILE", "ROW_MAJOR"))
    unit = 32 if layout == "TILE" else 1
    shape = [rng.choice((1, 2, 4, 12, 32, 64)) for _ in range(rank - 2)] + [unit * rng.choice((1, 2, 8, 12, 24)), 32 * rng.choice((1, 2, 4))]
    dim = rng.choice((next((i for i, size in enumerate(shape) if size > 1), 0), rng.randrange(rank)))
    place = rng.choice((DRAM, DRAM, L1))
    rows = 1
    for size in shape[:-1]:
        rows *= size
    if rng.random() < 0.4:
        place = sticks_in_shards(rng, grid, rows, shape[-1], ("HEIGHT_SHARDED",))
        if layout == "TILE" and place["shard_shape"][0] % 32:
            place = DRAM
    step = 32 if layout == "TILE" and dim >= rank - 2 else 1
    units = max(1, shape[dim] // step)
    start = rng.choice((0, 0, rng.randrange(units))) * step
    length = rng.choice((shape[dim] - start, step, rng.randrange(1, max(2, (shape[dim] - start) // step + 1)) * step))
    return row([spec(shape, rng.choice(("bfloat16", "float32")), layout, place)], {"dim": dim, "start": start, "length": length})


def narrow_of_shards(rng, grid):
    """Tiles in shards of every kind, along rows or columns of shards or within each."""
    shape, memory = sharded(rng, grid)
    height, width = shape[2:]
    if rng.random() < 0.2:
        height = up(height - rng.randrange(0, min(height, 64)))
    memory["orientation"] = rng.choice(("ROW_MAJOR", "ROW_MAJOR", "COL_MAJOR"))
    if memory["orientation"] == "COL_MAJOR" and memory["memory_layout"] == "BLOCK_SHARDED":
        (x0, y0, x1, y1), = memory["shard_grid"]
        height, width = memory["shard_shape"][0] * (x1 - x0 + 1), memory["shard_shape"][1] * (y1 - y0 + 1)
    parts = rng.choice((1, 1, 2, 4))
    shape = (height, width) if height % (32 * parts) or parts == 1 else (parts, height // parts, width)
    dim = rng.randrange(len(shape))
    step = 32 if dim >= len(shape) - 2 else 1
    if dim >= len(shape) - 2 and rng.random() < 0.6:
        step = memory["shard_shape"][dim - len(shape) + 2]
    units = max(1, shape[dim] // step)
    start = rng.randrange(units)
    length = rng.choice((1, rng.randrange(1, units - start + 1)))
    return row([spec(shape, rng.choice(("bfloat16", "float32", "bfloat8_b")), "TILE", memory)],
               {"dim": rng.choice((dim, dim - len(shape))), "start": start * step, "length": length * step})


def call_narrow(ttnn, inputs, args, out):
    return ttnn.narrow(inputs[0], args["dim"], args["start"], args["length"])


def nonzero(rng, grid):
    rank = rng.choice((4,) * 12 + (1, 3, 5))
    shape = [rng.choice((1, 1, 2, 3)) for _ in range(rank - 2)] + [rng.randrange(1, 70) for _ in range(min(rank, 2))]
    memory = interleaved(rng)
    if rng.random() < 0.2:
        shape = [1] * (rank - 1) + [rng.randrange(1, 2000)]
    elif rank == 4 and rng.random() < 0.6:
        shape, memory = sharded(rng, grid, tiles=1)
    return row([spec(shape, rng.choice(("bfloat16", "bfloat16", "float32", "int32", "uint32", "uint16")),
                     rng.choice(("TILE", "ROW_MAJOR")), memory)], {}, rng.choice((None, DRAM, L1)))


def moe_expert_token_remap(rng, grid):
    users, tokens, experts, selected = rng.choice([1, 2, 4, 16, 33]), rng.choice([1, 4, 7, 32]), rng.choice([8, 16, 37, 64, 256]), rng.choice([1, 4, 8])
    kind = rng.choice(["bfloat16", "bfloat16", "float32", "uint16"])
    args = {"reduction_size": rng.choice([1, users, tokens, users * tokens])}
    mapping = [1, 1, experts, rng.choice([1] * 9 + [2])]
    return row([spec([1, users, tokens, experts], kind, rng.choice(["ROW_MAJOR"] * 9 + ["TILE"]), interleaved(rng)),
                spec(mapping, "uint16", "ROW_MAJOR", interleaved(rng)),
                spec([1, users, tokens, selected], "uint16", "ROW_MAJOR", interleaved(rng))], args, interleaved_or_default(rng))


def moe_routing_remap(rng, grid):
    experts = rng.choice([8, 16, 32, 37, 256])
    args = {"non_zero_weight_size": rng.choice([1, 4, 8, 8, 64]), "expert_parallel_size": rng.choice([1, 1, 2, 4]),
            "cluster_axis": rng.choice([0, 1, 1, 0, 0, 1, 1, 0, 2])}
    return row([spec([rng.choice([1] * 9 + [2]), experts], rng.choice(["bfloat16", "float32"]), "ROW_MAJOR", interleaved(rng))], args,
               interleaved_or_default(rng))


CONFIGURATIONS = {
    "typecast": (typecast, lambda ttnn, i, args, out: ttnn.typecast(i[0], getattr(ttnn, args["to"]), memory_config=out)),
    "typecast:sharded": (sharded_typecast, lambda ttnn, i, args, out: ttnn.typecast(
        i[0], getattr(ttnn, args["to"]), memory_config=out)),
    "transpose": (transpose, call_transpose),
    "transpose:sharded": (sharded_transpose, call_transpose),
    "transpose:row_major_shards": (transpose_of_row_major_shards, call_transpose),
    "permute": (permute, lambda ttnn, i, args, out: ttnn.permute(i[0], args["dims"], memory_config=out)),
    "permute:sharded": (permute_of_shards, lambda ttnn, i, args, out: ttnn.permute(i[0], args["dims"], memory_config=out)),
    "reshape": (reshape, lambda ttnn, i, args, out: ttnn.reshape(i[0], args["shape"])),
    "reshape:shards": (reshape_of_shards, lambda ttnn, i, args, out: ttnn.reshape(i[0], args["shape"])),
    "reshape:to_memory": (reshape_to_memory, lambda ttnn, i, args, out: ttnn.reshape(i[0], args["shape"], memory_config=out)),
    "concat:sharded": (concat_of_shards, lambda ttnn, i, args, out: ttnn.concat(
        i, dim=args["dim"], groups=args["groups"], memory_config=out)),
    "concat:many": (concat_of_many, lambda ttnn, i, args, out: ttnn.concat(i, dim=args["dim"], memory_config=out)),
    "concat": (concat, lambda ttnn, i, args, out: ttnn.concat(i, dim=args["dim"], memory_config=out)),
    "slice": (slice_, lambda ttnn, i, args, out: ttnn.slice(i[0], args["start"], args["end"], memory_config=out)),
    "slice:sharded": (slice_of_shards, lambda ttnn, i, args, out: ttnn.slice(i[0], args["start"], args["end"], memory_config=out)),
    "to_layout": (to_layout, lambda ttnn, i, args, out: ttnn.to_layout(
        i[0], getattr(ttnn, args["to"] + "_LAYOUT"), memory_config=out)),
    "to_layout:padded_shards": (untilize_of_padded_shards, lambda ttnn, i, args, out: ttnn.to_layout(
        i[0], ttnn.ROW_MAJOR_LAYOUT, memory_config=out)),
    "to_memory_config": (to_memory_config, lambda ttnn, i, args, out: ttnn.to_memory_config(i[0], out)),
    "gather": (gather, lambda ttnn, i, args, out: ttnn.gather(i[0], args["dim"], index=i[1], memory_config=out)),
    "gather:on_cores": (gather_on_cores, call_gather),
    "scatter": (scatter, lambda ttnn, i, args, out: ttnn.scatter(i[0], args["dim"], i[1], i[2], memory_config=out)),
    "sort": (sort, lambda ttnn, i, args, out: ttnn.sort(i[0], args["dim"], args["descending"], memory_config=out)),
    "stack": (stack, lambda ttnn, i, args, out: ttnn.stack(i, args["dim"])),
    "roll": (roll, lambda ttnn, i, args, out: ttnn.roll(i[0], args["shifts"], args["dims"])),
    "repeat": (repeat, lambda ttnn, i, args, out: ttnn.repeat(i[0], args["times"], memory_config=out)),
    "repeat:shards": (repeat_of_shards, lambda ttnn, i, args, out: ttnn.repeat(i[0], args["times"], memory_config=out)),
    "broadcast_to": (broadcast_to, lambda ttnn, i, args, out: ttnn.experimental.broadcast_to(
        i[0], ttnn.Shape(args["output_shape"]), memory_config=out)),
    "expand": (expand, lambda ttnn, i, args, out: ttnn.expand(i[0], args["sizes"], memory_config=out)),
    "repeat_interleave": (repeat_interleave, lambda ttnn, i, args, out: ttnn.repeat_interleave(
        i[0], args["repeats"], args["dim"], memory_config=out)),
    "repeat_interleave:vector": (repeat_interleave_of_a_vector, lambda ttnn, i, args, out: ttnn.repeat_interleave(
        i[0], args["repeats"], args["dim"], memory_config=out)),
    "pad": (pad, lambda ttnn, i, args, out: ttnn.pad(i[0], args["padding"], 0.0, memory_config=out)),
    "clone": (clone, lambda ttnn, i, args, out: ttnn.clone(
        i[0], dtype=getattr(ttnn, args["dtype"]) if "dtype" in args else None, memory_config=out)),
    "split": (split, lambda ttnn, i, args, out: ttnn.split(i[0], args["split_size"], args["dim"], memory_config=out)),
    "fill_implicit_tile_padding": (fill_implicit_tile_padding, lambda ttnn, i, args, out: ttnn.fill_implicit_tile_padding(
        i[0], 1.0, memory_config=out)),
    "index_fill": (index_fill, lambda ttnn, i, args, out: ttnn.index_fill(
        i[0], args["dim"], i[1], 2 if i[0].dtype == ttnn.int32 else 2.0, memory_config=out)),
    "narrow": (narrow, call_narrow),
    "moe_expert_token_remap": (moe_expert_token_remap, lambda ttnn, i, args, out: ttnn.moe_expert_token_remap(
        *i, memory_config=out, reduction_size=args["reduction_size"])),
    "moe_routing_remap": (moe_routing_remap, lambda ttnn, i, args, out: ttnn.moe_routing_remap(
        i[0], args["non_zero_weight_size"], args["expert_parallel_size"], args["cluster_axis"], memory_config=out)),
    "nonzero": (nonzero, lambda ttnn, i, args, out: ttnn.nonzero(i[0], memory_config=out)),
    "narrow:shards": (narrow_of_shards, call_narrow),
    **data_movement_shards.CONFIGURATIONS,
    **in_shards.DATA_MOVEMENT,
}
