# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random configurations of what changes images as a whole: scaling, turning, sampling, folding, means of all pixels."""

from configurations import DRAM, L1, row, row_wise, spec
from configurations_windows import call_pool2d


def small_image(rng, most=40000):
    while True:
        batch = rng.choice((1, 1, 1, 2, 3, 8))
        height = rng.choice((4, 7, 8, 14, 16, 28, 32, rng.randrange(1, 65)))
        width = rng.choice((height, height, rng.randrange(1, 65)))
        if batch * height * width <= most:
            return batch, height, width


def channels_of(rng):
    return rng.choice((3, 8, 16, 32, 32, 64, 64, 96, 128, 256, 320, 1024, 1280, rng.randrange(1, 200)))


def memory(rng):
    return rng.choice((DRAM, DRAM, L1))


def sticks_in_shards(rng, grid, rows, channels, kinds=("HEIGHT_SHARDED", "HEIGHT_SHARDED", "BLOCK_SHARDED")):
    """Rows over cores that all have as many, channels over columns."""
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


def image_of_any_kind(rng, grid):
    batch, height, width = small_image(rng)
    channels = channels_of(rng)
    layout = rng.choice(("TILE", "ROW_MAJOR"))
    dtype = rng.choice(("bfloat16", "bfloat16", "bfloat16", "float32", "bfloat8_b") if layout == "TILE" else ("bfloat16", "bfloat16", "float32"))
    args = {"dtype": rng.choice(("bfloat8_b", "float32"))} if rng.random() < 0.15 else {}
    shape = (batch, height, width, channels) if rng.random() < 0.9 else (height, width, channels)
    place = memory(rng)
    if layout == "ROW_MAJOR" and len(shape) == 4 and rng.random() < 0.15:
        place = sticks_in_shards(rng, grid, batch * height * width, channels)
    return row([spec(shape, dtype, layout, place)], args, rng.choice((None, None, DRAM, L1)))


def avg_pool2d_global(rng, grid):
    """A window as large as the image."""
    config = image_of_any_kind(rng, grid)
    shape = config["inputs"][0]["shape"]
    if len(shape) == 3:
        shape = [1] + shape
    batch, height, width, channels = shape
    flat = rng.random() < 0.5
    config["inputs"][0]["shape"] = [1, 1, batch * height * width, channels] if flat else shape
    config["args"] = {"batch_size": batch, "input_h": height, "input_w": width, "channels": channels,
                      "kernel_size": [height, width], "stride": rng.choice(([1, 1], [height, width])), "padding": [0, 0]}
    for name, values, chance in (("output_layout", ("TILE",), 0.5), ("ceil_mode", (True,), 0.1), ("count_include_pad", (False,), 0.1),
                                 ("deallocate_input", (True,), 0.1), ("divisor_override", (7,), 0.1),
                                 ("applied_shard_scheme", ("HEIGHT_SHARDED",), 0.1)):
        if rng.random() < chance:
            config["args"][name] = rng.choice(values)
    return config


def upsample_more(rng, grid):
    """Bilinear, by broken factors, of shards."""
    batch, height, width = small_image(rng, 9000)
    channels = rng.choice((8, 16, 32, 32, 64, 64, 96, 128, 256, 320))
    kind = rng.choice(("nearest", "bilinear", "bilinear", "float"))
    if kind == "float":
        scale = [rng.choice((0.5, 1.5, 2.5, 1.25, 2.0, 3.7)), rng.choice((0.5, 1.5, 2.5, 1.25, 2.0, 3.7))]
    else:
        scale = [rng.choice((1, 2, 2, 3, 4)), rng.choice((1, 2, 2, 3, 4))]
    layout = rng.choice(("ROW_MAJOR", "ROW_MAJOR", "ROW_MAJOR", "TILE"))
    place = memory(rng)
    if rng.random() < 0.5:
        place = sticks_in_shards(rng, grid, batch * height * width, channels)
    dtype = rng.choice(("bfloat16", "bfloat16", "bfloat16", "float32"))
    out = rng.choice((None, None, None, DRAM, L1))
    return row([spec((batch, height, width, channels), dtype, layout, place)],
               {"scale_factor": scale, "mode": "bilinear" if kind == "bilinear" else "nearest"}, out)


def call_upsample_more(ttnn, inputs, args, out):
    return ttnn.upsample(inputs[0], scale_factor=args["scale_factor"], mode=args["mode"], memory_config=out)


def fold(rng, grid):
    stride = [rng.choice((1, 2, 2, 2, 4, 3)), rng.choice((1, 2, 2, 2, 4, 3))]
    batch, height, width = small_image(rng, 20000)
    height, width = max(1, height // stride[0]) * stride[0], max(1, width // stride[1]) * stride[1]
    channels = rng.choice((3, 4, 8, 16, 32, 64, 128))
    layout = rng.choice(("ROW_MAJOR", "ROW_MAJOR", "TILE"))
    place = memory(rng)
    if layout == "ROW_MAJOR" and rng.random() < 0.3:
        place = sticks_in_shards(rng, grid, batch * height * width, channels, ("HEIGHT_SHARDED",))
    args = {"stride": stride}
    if rng.random() < 0.2:
        args["padding"] = rng.choice(([1, 1], [stride[0], stride[1]], [1, 1, 1, 1], [0, stride[0], 0, stride[1]]))
    if rng.random() < 0.3:
        args["collapse_output"] = True
    dtype = rng.choice(("bfloat16", "bfloat16", "float32") if layout == "ROW_MAJOR" else ("bfloat16", "bfloat8_b", "float32"))
    return row([spec((batch, height, width, channels), dtype, layout, place)], args)


def call_fold(ttnn, inputs, args, out):
    more = {name: args[name] for name in ("padding", "collapse_output") if name in args}
    return ttnn.fold(inputs[0], *args["stride"], **more)


def rotate(rng, grid):
    batch, height, width = small_image(rng, 9000)
    channels = rng.choice((8, 16, 32, 32, 64, 96, 128, 256, 320, rng.randrange(1, 100)))
    place = memory(rng)
    if rng.random() < 0.2:
        place = sticks_in_shards(rng, grid, batch * height * width, channels)
    args = {"angle": rng.choice((45.0, 90.0, -30.0, 180.0)), "interpolation_mode": rng.choice(("nearest", "bilinear"))}
    return row([spec((batch, height, width, channels), rng.choice(("bfloat16", "bfloat16", "float32")),
                     rng.choice(("ROW_MAJOR",) * 9 + ("TILE",)), place)], args, rng.choice((None, None, DRAM, L1)))


def call_rotate(ttnn, inputs, args, out):
    return ttnn.rotate(inputs[0], args["angle"], interpolation_mode=args["interpolation_mode"], memory_config=out)


def grid_sample(rng, grid):
    batch, height, width = small_image(rng, 9000)
    channels = rng.choice((8, 16, 32, 32, 64, 96, 128, 256, 320, rng.randrange(1, 100)))
    rows, columns = rng.choice((4, 8, 16, rng.randrange(1, 40))), rng.choice((4, 8, 16, rng.randrange(1, 40)))
    together = rng.choice((1, 1, 1, 2, 4, 7))
    mode = rng.choice(("bilinear", "bilinear", "nearest"))
    computed = rng.random() < 0.3
    args = {"mode": mode}
    if computed:
        args["use_precomputed_grid"] = True
    if rng.random() < 0.3:
        args["align_corners"] = True
    if rng.random() < 0.3:
        args["batch_output_channels"] = True
    dtype = rng.choice(("bfloat16", "bfloat16", "bfloat16", "float32"))
    wide = (2 if mode == "nearest" else 6) if computed else 2
    shape = (batch, rows, columns, wide * together)
    place = memory(rng)
    if rng.random() < 0.3:
        place = sticks_in_shards(rng, grid, batch * rows * columns, wide * together, ("HEIGHT_SHARDED",))
    return row([spec((batch, height, width, channels), dtype, rng.choice(("ROW_MAJOR",) * 9 + ("TILE",)), memory(rng)),
                spec(shape, "bfloat16" if computed else rng.choice(("bfloat16", "float32")), "ROW_MAJOR", place)],
               args, rng.choice((None, None, DRAM, L1)))


def call_grid_sample(ttnn, inputs, args, out):
    return ttnn.grid_sample(inputs[0], inputs[1], memory_config=out, **args)


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


def call_narrow(ttnn, inputs, args, out):
    return ttnn.narrow(inputs[0], args["dim"], args["start"], args["length"])


CONFIGURATIONS = {
    "avg_pool2d:global": (avg_pool2d_global, call_pool2d("avg_pool2d")),
    "upsample:more": (upsample_more, call_upsample_more),
    "fold": (fold, call_fold),
    "rotate": (rotate, call_rotate),
    "grid_sample": (grid_sample, call_grid_sample),
    "narrow": (narrow, call_narrow),
}
