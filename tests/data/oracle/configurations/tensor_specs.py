# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Shapes, dtypes, memory configs and shard specs that the configurations of all families share."""

import math

DRAM = {"memory_layout": "INTERLEAVED", "buffer_type": "DRAM"}
L1 = {"memory_layout": "INTERLEAVED", "buffer_type": "L1"}
FLOATS = ("bfloat16", "bfloat16", "float32", "bfloat8_b")
FLOATS_IN_ROWS = ("bfloat16", "float32")  # a block format needs tiles


def row(inputs, args=None, out=None):
    """A configuration: the inputs (spec), the arguments of the call, the memory config asked for the output."""
    return {"inputs": inputs, "args": args or {}, "out_mem": out}


def spec(shape, dtype="bfloat16", layout="TILE", memory=DRAM):
    return {"shape": list(shape), "dtype": dtype, "layout": layout, "memory_config": memory}


def up(value, multiple=32):
    return -(-value // multiple) * multiple


def height(rng, top=900):
    return rng.choice((rng.randrange(1, top), 32 * rng.randrange(1, top // 32 + 1), rng.choice((32, 64, 128, 256, 512))))


def batches(rng):
    return rng.choice(((1, 1), (1, 1), (1, rng.randrange(1, 9)), (rng.randrange(1, 5), rng.randrange(1, 5))))


def shape4(rng, top=900):
    return (*batches(rng), height(rng, top), height(rng, top))


def last_dimensions(rng, shape):
    """The shape's last dimensions, two to four of them."""
    return shape[-rng.choice((2, 3, 4, 4)):]


def dim_of(rng, shape):
    return rng.randrange(-len(shape), len(shape))


def edge(rng):
    return rng.choice((32 * rng.randrange(1, 9), rng.randrange(1, 200)))


def tiles(rng, dtypes):
    return spec((rng.randrange(1, 4), rng.randrange(1, 4), edge(rng), edge(rng)), rng.choice(dtypes), "TILE", interleaved(rng))


def interleaved(rng):
    return rng.choice((DRAM, L1))


def interleaved_or_default(rng):
    return rng.choice((None, interleaved(rng)))


def rectangle(cores_x, cores_y):
    return [[0, 0, cores_x - 1, cores_y - 1]]


def row_wise(cores, grid):
    """That many cores, row by row, as rectangles."""
    x, _ = grid
    if cores <= x:
        return [[0, 0, cores - 1, 0]]
    rows, rest = divmod(cores, x)
    return [[0, 0, x - 1, rows - 1]] + ([[0, rows, rest - 1, rows]] if rest else [])


def shard_config(layout, shape, grid_ranges):
    return {"memory_layout": layout, "buffer_type": "L1", "shard_shape": list(shape), "shard_grid": grid_ranges,
            "orientation": "ROW_MAJOR"}


def sharded(rng, grid, kinds=("HEIGHT_SHARDED", "WIDTH_SHARDED", "BLOCK_SHARDED"), full=False, tiles=4, dtype="bfloat16"):
    """A tile-aligned shape and a config that spreads it over cores: (shape, config)."""
    kind = rng.choice(kinds)
    x, y = rng.randrange(1, grid[0] + 1), rng.randrange(1, grid[1] + 1)
    shard_h, shard_w = 32 * rng.randrange(1, tiles + 1), 32 * rng.randrange(1, tiles + 1)
    if kind == "BLOCK_SHARDED":
        shape, cores = (1, 1, shard_h * y, shard_w * x), rectangle(x, y)
    else:
        count = rng.choice((x * y, rng.randrange(1, grid[0] * grid[1] + 1)))
        cores = rectangle(x, y) if count == x * y else row_wise(count, grid)
        shape = (1, 1, shard_h * count, shard_w) if kind == "HEIGHT_SHARDED" else (1, 1, shard_h, shard_w * count)
    return shape, {"memory_layout": kind, "buffer_type": "L1", "shard_shape": [shard_h, shard_w], "shard_grid": cores,
                   "orientation": "ROW_MAJOR"}


def sticks_in_shards(rng, grid, rows, channels, kinds=("HEIGHT_SHARDED", "HEIGHT_SHARDED", "BLOCK_SHARDED")):
    """Shards of whole rows of channels: every core has the same number of rows; channels over the columns of cores."""
    kind = rng.choice(kinds)
    if kind == "HEIGHT_SHARDED":
        counts = [n for n in range(1, grid[0] * grid[1] + 1) if rows % n == 0]
        cores = rng.choice(counts[-4:] + counts)
        shape, ranges = (rows // cores, channels), row_wise(cores, grid)
    elif kind == "BLOCK_SHARDED":
        y = rng.choice([n for n in range(1, grid[1] + 1) if rows % n == 0])
        x = rng.choice([n for n in range(1, grid[0] + 1) if channels % (8 * n) == 0] or [1])
        shape, ranges = (rows // y, channels // x), [[0, 0, x - 1, y - 1]]
    else:
        x = rng.choice([n for n in range(1, grid[0] + 1) if channels % (8 * n) == 0] or [1])
        shape, ranges = (rows, channels // x), [[0, 0, x - 1, 0]]
    return {"memory_layout": kind, "buffer_type": "L1", "shard_shape": list(shape), "shard_grid": ranges, "orientation": "ROW_MAJOR"}


def nd_shards(rng, grid, tiled=True):
    """A shape of two to four dimensions and a config of shards of as many dimensions or fewer: (shape, config)."""
    unit, rank = 32 if tiled else 1, rng.choice((2, 3, 4, 4))
    shape = [rng.choice((1, 2, 3, 4)) for _ in range(rank - 2)] + [unit * rng.choice((1, 2, 3, 4, 6)) for _ in range(2)]
    whole = shape if rng.random() < 0.8 else [math.prod(shape[:-1]), shape[-1]]
    shard = []
    for i, size in enumerate(whole):
        step = unit if len(whole) - i <= 2 else 1
        shard.append(rng.choice((size, size, step, step * max(1, size // step // 2), step * rng.choice((1, 2, 3)))))
    if rng.random() < 0.4:
        shard[:-2] = [1] * (len(shard) - 2)
    x, y = rng.choice((1, 2, 3, 4, 8)), rng.choice((1, 1, 2, 3, 4))
    kind = rng.choice(("L1", "L1", "L1", "DRAM"))
    return shape, {"memory_layout": "ND_SHARDED", "buffer_type": kind, "shard_shape": shard,
                   "shard_grid": [[0, 0, min(x, grid[0]) - 1, 0 if kind == "DRAM" else y - 1]],
                   "orientation": rng.choice(("ROW_MAJOR", "ROW_MAJOR", "ROW_MAJOR", "COL_MAJOR")),
                   "strategy": rng.choice(("ROUND_ROBIN_1D",) * 4 + ("GRID_2D",))}


def some_cores(rng, grid):
    """A rectangle of the grid, and sometimes a second one beside it, as [x0, y0, x1, y1] each."""
    x, y = rng.randrange(0, grid[0]), rng.randrange(0, grid[1])
    first = [x, y, rng.randrange(x, grid[0]), rng.randrange(y, grid[1])]
    if first[2] + 1 == grid[0] or rng.random() < 0.5:
        return [first]
    x = rng.randrange(first[2] + 1, grid[0])
    return [first, [x, y, rng.randrange(x, grid[0]), rng.randrange(y, grid[1])]]


def core_set(ttnn, cores):
    return ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(*each[:2]), ttnn.CoreCoord(*each[2:])) for each in cores])


def mostly_dram(rng):
    return rng.choice([DRAM, DRAM, L1])


def mostly_bfloat16(rng):
    return rng.choice(["bfloat16"] * 4 + ["bfloat8_b", "float32"])


def divisors(number, most):
    return [n for n in range(1, most + 1) if number % n == 0]


def height_shards(grid, cores, rows, columns):
    return {"memory_layout": "HEIGHT_SHARDED", "buffer_type": "L1", "shard_grid": row_wise(cores, grid),
            "shard_shape": [rows, columns]}


def width_shards(grid, cores, rows, columns):
    return height_shards(grid, cores, rows, columns) | {"memory_layout": "WIDTH_SHARDED"}


def block_shards(x, y, rows, columns, orientation="ROW_MAJOR"):
    memory = {"memory_layout": "BLOCK_SHARDED", "buffer_type": "L1", "shard_grid": rectangle(x, y),
              "shard_shape": [rows, columns]}
    return memory if orientation == "ROW_MAJOR" else memory | {"orientation": orientation}


def given(args, *names):
    """Those of the named arguments that a row has."""
    return {name: args[name] for name in names if args.get(name) is not None}


def kernels(ttnn, args):
    """The compute_kernel_config of args["kernels"], which is (fp32_dest_acc_en, packer_l1_acc); None without it."""
    if "kernels" not in args:
        return None
    return ttnn.WormholeComputeKernelConfig(math_fidelity=ttnn.MathFidelity.HiFi2, math_approx_mode=False,
                                            fp32_dest_acc_en=args["kernels"][0], packer_l1_acc=args["kernels"][1])


def l1_before(rng, l1_bytes):
    """The tensors in the L1 of each core before a call, in the order in which they were made, the bytes of each on
    every core, and whether it has been freed since. From none to so many that hardly anything is left, mostly a
    part."""
    rest = l1_bytes if rng.random() < 0.1 else int(l1_bytes / 2 ** rng.uniform(*rng.choice(((0, 5), (0, 5), (0, 5), (5, 10)))))
    sizes, full = [], (l1_bytes - rest) // 64 * 64
    while full > 0:
        sizes.append(full if len(sizes) == 7 else min(full, 64 * max(1, int(full / 64 * rng.choice((rng.random(), 1, 0.05))))))
        full -= sizes[-1]
    rng.shuffle(sizes)
    holes = rng.choice((0, 0, 0.3, 0.5))
    return [{"bytes": size, "freed": True} if rng.random() < holes else {"bytes": size} for size in sizes]
