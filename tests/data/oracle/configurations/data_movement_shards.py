# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random configurations of what puts tensors into shards, out of them and into others; a part of the family data_movement."""

import math

from .tensor_specs import DRAM, FLOATS, L1, interleaved, nd_shards, row, sharded, spec, up


def shards_of(rng, shape, layout, banks):
    """Height, width or block shards of a tensor in L1, or in DRAM where `banks` says how many there are; some cores may be left empty."""
    rows, columns = math.prod(shape[:-1]), shape[-1]
    unit = 32 if layout == "TILE" else 1
    kind = rng.choice(("HEIGHT_SHARDED", "WIDTH_SHARDED") if banks else ("HEIGHT_SHARDED", "WIDTH_SHARDED", "BLOCK_SHARDED"))
    orientation = rng.choice(("ROW_MAJOR", "ROW_MAJOR", "COL_MAJOR"))
    if kind == "BLOCK_SHARDED":
        across, down = rng.randrange(1, 5), rng.randrange(1, 5)
        parts = (down, across) if orientation == "ROW_MAJOR" else (across, down)
        shard = [up(-(-rows // parts[0]), unit), up(-(-columns // parts[1]), max(unit, 8))]
        grid = [[1, 2, across, down + 1]]
    else:
        parts = rng.randrange(1, 9)
        shard = [up(-(-rows // parts), unit), up(columns, unit)]
        if kind == "WIDTH_SHARDED":
            # Rows of a shard in DRAM have to be aligned, those of L1 may be refused.
            step = 32 if banks else rng.choice((unit, max(unit, 8), max(unit, 16)))
            shard = [up(rows, unit), up(-(-columns // parts), step)]
        cores = -(-rows // shard[0]) * -(-columns // shard[1])
        if banks:
            cores = min(banks, cores + rng.randrange(0, 2))
            first = rng.randrange(0, banks - cores + 1)
            grid = [[first, 0, first + cores - 1, 0]]
        else:
            grid = rng.choice(([[0, 0, cores - 1, 0]], [[0, 1, -(-cores // 2) - 1, 2]], [[2, 0, 2, 0], [0, 1, cores - 2, 1]]))
            if grid[-1][2] < 0 or grid[-1][2] > 7:
                grid = [[0, 0, (cores - 1) % 8, 0]] if cores <= 8 else [[0, 0, 7, -(-cores // 8) - 1]]
    return {"memory_layout": kind, "buffer_type": "DRAM" if banks else "L1", "shard_shape": shard, "shard_grid": grid,
            "orientation": orientation}


def rows_or_tiles(rng):
    layout = rng.choice(("TILE", "ROW_MAJOR"))
    heights, widths = (32, 64, 96, 160, 256), (32, 64, 96, 128, 160, 512)
    if layout == "ROW_MAJOR":
        heights = (*heights, 100)
    dtype = rng.choice(FLOATS if layout == "TILE" else ("bfloat16", "float32", "uint32"))
    return (1, rng.choice((1, 1, 2)), rng.choice(heights), rng.choice(widths)), layout, dtype


def banks_of(rng, grid):
    """The banks of the board's DRAM, or 0 for L1."""
    return rng.choice((0, 12 if grid[0] == 8 else 8))


def into_shards(rng, grid):
    shape, layout, dtype = rows_or_tiles(rng)
    return row([spec(shape, dtype, layout, interleaved(rng))], out=shards_of(rng, shape, layout, banks_of(rng, grid)))


def slice_of_rows(rng, grid):
    """A tensor, and how a slice of its rows lies in shards."""
    shape = (rng.choice((1, 1, 2)), rng.choice((1, 1, 2)), rng.choice((64, 128, 256, 512, 100)), rng.choice((64, 128, 256, 512)))
    count = rng.choice((1, 2, 2, 4, 8, 3))
    rows = shape[0] * shape[1] * up(shape[2], 32) // count
    scheme = rng.choice(("HEIGHT_SHARDED", "HEIGHT_SHARDED", "WIDTH_SHARDED", "BLOCK_SHARDED"))
    if scheme == "BLOCK_SHARDED":
        cores = (rng.choice((1, 2, 4)), rng.choice((1, 2, 4)))
        shard = [up(-(-rows // cores[1]), 32), up(-(-shape[3] // cores[0]), 32)]
    elif scheme == "HEIGHT_SHARDED":
        cores = (rng.randrange(1, grid[0] + 1), rng.randrange(1, 4))
        shard = [up(-(-rows // (cores[0] * cores[1])), 32), shape[3]]
    else:
        cores = (rng.randrange(1, grid[0] + 1), 1)
        shard = [up(rows, 32), up(-(-shape[3] // cores[0]), 32)]
    args = {"grid": list(cores), "shard_shape": shard, "num_slices": count, "slice_index": rng.randrange(count + (rng.random() < 0.1)),
            "shard_scheme": scheme, "shard_orientation": rng.choice(("ROW_MAJOR", "ROW_MAJOR", "ROW_MAJOR", "COL_MAJOR"))}
    if rng.random() < 0.3:
        args["output_dtype"] = rng.choice(("bfloat16", "bfloat8_b", "float32"))
    return row([spec(shape, rng.choice(FLOATS), "TILE", interleaved(rng))], args)


def call_slice_of_rows(ttnn, inputs, args, out):
    return ttnn.interleaved_to_sharded_partial(
        inputs[0], ttnn.CoreCoord(*args["grid"]), args["shard_shape"], args["num_slices"], args["slice_index"],
        getattr(ttnn.TensorMemoryLayout, args["shard_scheme"]), getattr(ttnn.ShardOrientation, args["shard_orientation"]),
        output_dtype=getattr(ttnn, args["output_dtype"]) if "output_dtype" in args else None)


def slice_into_rows(rng, grid):
    """A slice in shards, and the tensor whose rows it becomes."""
    shape, config = sharded(rng, grid)
    count = rng.choice((1, 2, 4))
    whole = (1, 1, math.prod(shape[:-1]) * count, shape[-1])
    args = {"num_slices": count, "slice_index": rng.randrange(count + (rng.random() < 0.1))}
    dtype = rng.choice(FLOATS)
    cache = dtype if rng.random() < 0.7 else rng.choice(FLOATS)
    if cache != dtype:
        args["output_dtype"] = cache
    return row([spec(shape, dtype, "TILE", config), spec(whole, cache, "TILE", interleaved(rng))], args)


def call_slice_into_rows(ttnn, inputs, args, out):
    return ttnn.sharded_to_interleaved_partial(
        inputs[0], inputs[1], args["num_slices"], args["slice_index"], memory_config=inputs[1].memory_config(),
        output_dtype=getattr(ttnn, args["output_dtype"]) if "output_dtype" in args else None)


def from_shards_to_shards(rng, grid):
    shape, layout, dtype = rows_or_tiles(rng)
    config = shards_of(rng, shape, layout, banks_of(rng, grid))
    return row([spec(shape, dtype, layout, config)], out=shards_of(rng, shape, layout, banks_of(rng, grid)))


def from_shards(rng, grid):
    shape, layout, dtype = rows_or_tiles(rng)
    return row([spec(shape, dtype, layout, shards_of(rng, shape, layout, banks_of(rng, grid)))], out=interleaved(rng))


def between_any(rng, grid):
    return rng.choice((into_shards, from_shards, from_shards_to_shards, from_shards_to_shards))(rng, grid)


def long_rows(rng, grid):
    """Rows that are too long to be copied whole."""
    shape = (1, 1, rng.randrange(1, 6), 8 * rng.randrange(7000, 20000))
    return row([spec(shape, rng.choice(("bfloat16", "float32")), "ROW_MAJOR", DRAM)], out=L1)


def rows_in_other_pieces(rng, grid):
    """Row-major shards in DRAM into shards whose rows are longer or shorter."""
    shape = (1, rng.choice((1, 2)), rng.choice((16, 32, 50)), rng.choice((64, 96, 128, 192)))
    rows, columns, banks = math.prod(shape[:-1]), shape[-1], 12 if grid[0] == 8 else 8
    dtype = rng.choice(("bfloat16", "float32"))

    def cut(where):
        width = rng.choice([each for each in (8, 16, 24, 32, 48, 64) if -(-columns // each) <= banks])
        cores = -(-columns // width)
        return {"memory_layout": "WIDTH_SHARDED", "buffer_type": where, "shard_shape": [rows, width],
                "shard_grid": [[0, 0, cores - 1, 0]], "orientation": "ROW_MAJOR"}

    whole = {"memory_layout": "HEIGHT_SHARDED", "buffer_type": rng.choice(("DRAM", "L1")), "shard_shape": [-(-rows // 4), columns],
             "shard_grid": [[0, 0, 3, 0]], "orientation": "ROW_MAJOR"}
    return row([spec(shape, dtype, "ROW_MAJOR", cut("DRAM"))], out=rng.choice((cut("DRAM"), cut("DRAM"), whole, interleaved(rng))))


def to_and_from_nd_shards(rng, grid):
    """Between shards of any number of dimensions and banks, or others of these."""
    layout = rng.choice(("TILE", "ROW_MAJOR"))
    shape, memory = nd_shards(rng, grid, layout == "TILE")
    here, there = rng.choice(((memory, interleaved(rng)), (interleaved(rng), memory)))
    return row([spec(shape, rng.choice(("bfloat16", "float32")), layout, here)], {}, there)


def layout_of_nd_shards(rng, grid, layout):
    """From shards of any number of dimensions to the same, others or none, or from none to them."""
    shape, memory = nd_shards(rng, grid)
    memory["strategy"] = "ROUND_ROBIN_1D"
    _, other = nd_shards(rng, grid)
    other["strategy"] = "ROUND_ROBIN_1D"
    here, there = rng.choice(((memory, memory), (memory, None), (memory, interleaved(rng)), (interleaved(rng), memory),
                              (memory, {**memory, "shard_grid": [[0, 0, 1, 0]]})))
    return row([spec(shape, rng.choice(("bfloat16", "bfloat16", "float32")), layout, here)], {}, there)


def unpadding_of_nd_shards(rng, grid):
    made = layout_of_nd_shards(rng, grid, "TILE")
    if made["inputs"][0]["memory_config"]["memory_layout"] == "INTERLEAVED":  # TT-NN loses its way
        return unpadding_of_nd_shards(rng, grid)
    made["args"] = {"output_tensor_end": [size - 1 - rng.choice((0, 0, 5, 20)) * (i >= len(made["inputs"][0]["shape"]) - 2)
                                          for i, size in enumerate(made["inputs"][0]["shape"])]}
    return made


def between_nd_shards(rng, grid):
    """From shards of many dimensions to others of the same tensor, or to flat ones, and back."""
    layout = rng.choice(("TILE", "ROW_MAJOR"))
    shape, memory = nd_shards(rng, grid, layout == "TILE")
    unit = 32 if layout == "TILE" else 1
    extents = [up(n, unit) if i >= len(shape) - 2 else n for i, n in enumerate(shape)]
    shard = [max(1, n // rng.choice((1, 1, 2))) for n in extents[:-2]]
    shard += [up(max(1, n // rng.choice((1, 2))), unit) for n in extents[-2:]]
    if rng.random() < 0.7:
        shard[-1] = memory["shard_shape"][-1]
    other = {**memory, "shard_shape": shard, "buffer_type": rng.choice(("L1", "L1", "DRAM"))}
    if other["buffer_type"] == "DRAM":
        other["shard_grid"] = [[0, 0, rng.choice((1, 3)), 0]]
    elif memory["buffer_type"] == "DRAM":
        other["shard_grid"] = [[0, 0, rng.randrange(grid[0]), rng.randrange(grid[1])]]
    from_memory, to = (memory, other) if rng.random() < 0.5 else (other, memory)
    return row([spec(shape, rng.choice(("bfloat16", "float32")), layout, from_memory)], {}, to)


CONFIGURATIONS = {
    "tilize:nd_shards": (lambda rng, grid: layout_of_nd_shards(rng, grid, "ROW_MAJOR"),
                         lambda ttnn, i, args, out: ttnn.tilize(i[0], memory_config=out)),
    "untilize:nd_shards": (lambda rng, grid: layout_of_nd_shards(rng, grid, "TILE"),
                           lambda ttnn, i, args, out: ttnn.untilize(i[0], memory_config=out)),
    "untilize_with_unpadding:nd_shards": (unpadding_of_nd_shards, lambda ttnn, i, args, out: ttnn.untilize_with_unpadding(
        i[0], args["output_tensor_end"], memory_config=out)),
    "to_memory_config:nd_shards": (to_and_from_nd_shards, lambda ttnn, i, args, out: ttnn.to_memory_config(i[0], out)),
    "to_memory_config:between_nd_shards": (between_nd_shards, lambda ttnn, i, args, out: ttnn.to_memory_config(i[0], out)),
    "to_memory_config:banks": (between_any, lambda ttnn, i, args, out: ttnn.to_memory_config(i[0], out)),
    "to_memory_config:long_rows": (long_rows, lambda ttnn, i, args, out: ttnn.to_memory_config(i[0], out)),
    "to_memory_config:pieces": (rows_in_other_pieces, lambda ttnn, i, args, out: ttnn.to_memory_config(i[0], out)),
    "interleaved_to_sharded": (into_shards, lambda ttnn, i, args, out: ttnn.interleaved_to_sharded(i[0], out)),
    "sharded_to_interleaved": (from_shards, lambda ttnn, i, args, out: ttnn.sharded_to_interleaved(i[0], out)),
    "interleaved_to_sharded_partial": (slice_of_rows, call_slice_of_rows),
    "sharded_to_interleaved_partial": (slice_into_rows, call_slice_into_rows),
    "reshard": (from_shards_to_shards, lambda ttnn, i, args, out: ttnn.reshard(i[0], out)),
}
