# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Shards of every form: on one core, rows, columns, rectangles that are no squares, several ranges, grids away from the origin, in
either order, uneven, on more cores than there are shards, and of any number of dimensions."""

import math

from .tensor_specs import DRAM, L1, up

FLAT = ("HEIGHT_SHARDED", "WIDTH_SHARDED", "BLOCK_SHARDED")


def extent(rng, most):
    """A number of cores along one side of a grid: few, many or all."""
    return rng.choice((1, 1, 2, rng.randrange(1, most + 1), rng.randrange(1, most + 1), most))


def box(rng, grid, across, down):
    """A rectangle of so many cores, mostly at the origin."""
    x, y = (0, 0) if rng.random() < 0.7 else (rng.randrange(grid[0] - across + 1), rng.randrange(grid[1] - down + 1))
    return [x, y, x + across - 1, y + down - 1]


def cores_in_line(rng, grid):
    """Cores for shards that follow each other, as ranges."""
    form = rng.choice(("one", "row", "column", "rectangle", "rectangle", "rows", "ranges"))
    if form == "one":
        return [box(rng, grid, 1, 1)]
    if form == "row":
        return [box(rng, grid, extent(rng, grid[0]), 1)]
    if form == "column":
        return [box(rng, grid, 1, extent(rng, grid[1]))]
    if form == "rectangle":
        return [box(rng, grid, extent(rng, grid[0]), extent(rng, grid[1]))]
    if form == "rows":  # whole rows and a part of the next
        rows, rest = rng.randrange(1, grid[1]), rng.randrange(1, grid[0])
        return [[0, 0, grid[0] - 1, rows - 1], [0, rows, rest - 1, rows]]
    upper, lower = rng.randrange(1, grid[1]), rng.randrange(0, grid[0])
    first = [rng.randrange(0, lower + 1), rng.randrange(0, upper), lower, upper - 1]
    x, y = rng.randrange(0, grid[0]), rng.randrange(upper, grid[1])
    return [first, [x, y, rng.randrange(x, grid[0]), rng.randrange(y, grid[1])]]


def count(ranges):
    return sum((x1 - x0 + 1) * (y1 - y0 + 1) for x0, y0, x1, y1 in ranges)


def part(rng, size, cores, unit):
    """The part of a size that each core gets: as even as can be, or more, so that some cores stay empty."""
    share = up(-(-size // cores), unit)
    return share if rng.random() < 0.8 else share + unit * rng.randrange(1, 4)


def rows_of(shape, layout):
    return math.prod(shape[:-2]) * (up(shape[-2]) if layout == "TILE" else shape[-2]) if len(shape) > 1 else 1


def shards_of(rng, grid, shape, layout="TILE", kinds=FLAT, buffer_type="L1"):
    """A config that spreads a tensor of this shape over cores."""
    kind = rng.choice(kinds)
    unit, width_unit = (32, 32) if layout == "TILE" else (1, rng.choice((8, 16, 32)))
    rows, columns = rows_of(shape, layout), up(shape[-1], unit)
    order = rng.choice(("ROW_MAJOR", "ROW_MAJOR", "ROW_MAJOR", "COL_MAJOR"))
    if kind == "ND_SHARDED":
        return nd_shards_of(rng, grid, shape, layout, order, buffer_type)
    if kind == "BLOCK_SHARDED":
        ranges = [box(rng, grid, extent(rng, grid[0]), extent(rng, grid[1]))]
        across, down = ranges[0][2] - ranges[0][0] + 1, ranges[0][3] - ranges[0][1] + 1
        if order == "COL_MAJOR":
            across, down = down, across
        shard = [part(rng, rows, down, unit), part(rng, columns, across, width_unit)]
    else:
        ranges = cores_in_line(rng, grid)
        height = kind == "HEIGHT_SHARDED"
        shard = [part(rng, rows, count(ranges), unit) if height else rows, columns if height else part(rng, columns, count(ranges), width_unit)]
    return {"memory_layout": kind, "buffer_type": buffer_type, "shard_shape": shard, "shard_grid": ranges, "orientation": order}


def shards_in_banks(rng, grid, shape, layout="TILE"):
    """A config that spreads a tensor over banks of DRAM."""
    banks = 12 if grid[0] == 8 else 8
    ranges = [box(rng, (banks, 1), extent(rng, banks), 1)]
    rows, columns = rows_of(shape, layout), up(shape[-1], 32 if layout == "TILE" else 1)
    kind = rng.choice(("HEIGHT_SHARDED", "WIDTH_SHARDED"))
    shard = [part(rng, rows, count(ranges), 32 if layout == "TILE" else 1), columns] if kind == "HEIGHT_SHARDED" else \
        [rows, part(rng, columns, count(ranges), 32)]
    return {"memory_layout": kind, "buffer_type": "DRAM", "shard_shape": shard, "shard_grid": ranges, "orientation": "ROW_MAJOR"}


def nd_shards_of(rng, grid, shape, layout, order, buffer_type="L1"):
    """Shards of as many dimensions as the tensor, dealt out to the cores in turns."""
    unit = 32 if layout == "TILE" else 1
    shard = []
    for i, size in enumerate(shape):
        step = unit if len(shape) - i <= 2 else 1
        shard.append(part(rng, size, rng.choice((1, 1, 2, 3, 4)), step))
    return {"memory_layout": "ND_SHARDED", "buffer_type": buffer_type, "shard_shape": shard, "shard_grid": cores_in_line(rng, grid),
            "orientation": order, "strategy": rng.choice(("ROUND_ROBIN_1D",) * 3 + ("GRID_2D",))}


def shards_made_by_cores(rng, grid, kinds=FLAT, tiles=4, whole=0.8):
    """A shape that fills shards of a few tiles on cores of any form, or nearly: (shape, config)."""
    kind = rng.choice(kinds)
    order = rng.choice(("ROW_MAJOR", "ROW_MAJOR", "ROW_MAJOR", "COL_MAJOR"))
    high, wide = 32 * rng.randrange(1, tiles + 1), 32 * rng.randrange(1, tiles + 1)
    ranges = [box(rng, grid, extent(rng, grid[0]), extent(rng, grid[1]))] if kind == "BLOCK_SHARDED" else cores_in_line(rng, grid)
    down = ranges[0][3] - ranges[0][1] + 1 if kind == "BLOCK_SHARDED" else count(ranges) if kind == "HEIGHT_SHARDED" else 1
    across = ranges[0][2] - ranges[0][0] + 1 if kind == "BLOCK_SHARDED" else count(ranges) if kind == "WIDTH_SHARDED" else 1
    if kind == "BLOCK_SHARDED" and order == "COL_MAJOR":
        across, down = down, across
    rows, columns = high * down, wide * across
    if rng.random() > whole:  # the last shards are not full, or empty
        rows, columns = (max(1, each - rng.choice((0, 0, 32, 17, 64))) for each in (rows, columns))
    batch = rng.choice([n for n in (1, 1, 1, 2, 3, 4) if rows % (32 * n) == 0] or [1])
    return (1, batch, rows // batch, columns), {"memory_layout": kind, "buffer_type": "L1", "shard_shape": [high, wide],
                                                "shard_grid": ranges, "orientation": order}


def without_shards(rng):
    return rng.choice((DRAM, L1))
