# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random configurations of operations on images: convolutions, poolings, upsampling, rotation, sampling, folding."""

from . import sliding_window_convolution
from .sliding_window_convolution import image, sharded_rows
from .tensor_specs import DRAM, L1, height_shards, interleaved, row, row_wise, spec, sticks_in_shards, up


def pool2d(rng, grid):
    batch, height, width = image(rng, 13000)
    channels = rng.choice((16, 32, 32, 40, 64, 64, 96, 128, 192, 256, 320, 512, 1024, rng.randrange(8, 300)))
    kernel = rng.choice(((2, 2), (3, 3), (3, 3), (5, 5), (7, 7), (9, 9), (2, 3), (4, 4), (1, 1)))
    stride = rng.choice(((2, 2), (2, 2), (1, 1), kernel))
    padding = rng.choice(([0, 0], [kernel[0] // 2, kernel[1] // 2]))
    tiled = rng.random() < 0.4
    dtype = rng.choice(("bfloat16", "bfloat16", "bfloat8_b")) if tiled else "bfloat16"
    args = {"batch_size": batch, "input_h": height, "input_w": width, "channels": channels,
            "kernel_size": list(kernel), "stride": list(stride), "padding": padding}
    for name, values, chance in (("ceil_mode", (True,), 0.2), ("deallocate_input", (True,), 0.2),
                                 ("reallocate_halo_output", (False,), 0.15), ("output_layout", ("TILE",), 0.25),
                                 ("applied_shard_scheme", ("HEIGHT_SHARDED", "BLOCK_SHARDED", "WIDTH_SHARDED"), 0.4)):
        if rng.random() < chance:
            args[name] = rng.choice(values)
    if args.get("output_layout") == "TILE" and rng.random() < 0.4:
        args["dtype"] = "bfloat8_b"
    memory = rng.choice((DRAM, L1))
    rows = batch * height * width
    if rng.random() < 0.3:
        shards = sharded_rows(rng, grid, rows, channels, tiled)
        if shards:
            memory = shards
            args.pop("applied_shard_scheme", None)
    return row([spec((1, 1, rows, channels), dtype, "TILE" if tiled else "ROW_MAJOR", memory)], args,
               rng.choice((None, None, None, DRAM, L1)))


def max_pool2d(rng, grid):
    config = pool2d(rng, grid)
    if rng.random() < 0.15:
        config["args"]["dilation"] = [2, 2]
    return config


def avg_pool2d(rng, grid):
    config = pool2d(rng, grid)
    if rng.random() < 0.3:
        config["args"]["count_include_pad"] = False
    if rng.random() < 0.2:
        config["args"]["divisor_override"] = rng.choice((3, 5))
    return config


def pool2d_dram(rng, grid):
    """Poolings of large images in DRAM."""
    while True:
        batch = rng.choice((1, 1, 1, 2, 4))
        height = rng.choice((112, 160, 224, 256, 320, 512, 640, rng.randrange(100, 500)))
        width = rng.choice((height, height, height, rng.randrange(100, 500), 1024, 48))
        channels = rng.choice((16, 32, 32, 40, 64, 64, 96, 128, 192, 256, 320, 480))
        if 3e6 < batch * height * width * channels < 4e7:
            break
    kernel = rng.choice(((2, 2), (3, 3), (3, 3), (5, 5), (7, 7), (2, 3)))
    stride = rng.choice(((2, 2), (2, 2), (1, 1), kernel))
    padding = rng.choice(([0, 0], [kernel[0] // 2, kernel[1] // 2]))
    tiled = rng.random() < 0.3
    args = {"batch_size": batch, "input_h": height, "input_w": width, "channels": channels,
            "kernel_size": list(kernel), "stride": list(stride), "padding": padding}
    for name, values, chance in (("ceil_mode", (True,), 0.15), ("deallocate_input", (True,), 0.2),
                                 ("reallocate_halo_output", (False,), 0.15), ("output_layout", ("TILE",), 0.25),
                                 ("applied_shard_scheme", ("HEIGHT_SHARDED", "BLOCK_SHARDED"), 0.3)):
        if rng.random() < chance:
            args[name] = rng.choice(values)
    if args.get("output_layout") == "TILE" and rng.random() < 0.3:
        args["dtype"] = "bfloat8_b"
    shape = rng.choice(((1, 1, batch * height * width, channels), (batch, height, width, channels)))
    return row([spec(shape, "bfloat16", "TILE" if tiled else "ROW_MAJOR", DRAM)], args, rng.choice((None, None, None, DRAM)))


def max_pool2d_indices(rng, grid):
    config = pool2d(rng, grid)
    config["args"].pop("dtype", None)
    config["args"].pop("output_layout", None)
    config["args"]["return_indices"] = True
    return config


def max_pool2d_large_indices(rng, grid):
    """Images of so many pixels that their places need 32 bits."""
    config = max_pool2d_indices(rng, grid)
    args = config["args"]
    height, width = rng.choice(((256, 256), (256, 257), (300, 300), (320, 256)))
    channels = rng.choice((16, 32))
    args.update(batch_size=1, input_h=height, input_w=width, channels=channels)
    args.pop("applied_shard_scheme", None)
    if rng.random() < 0.7:
        args.update(kernel_size=rng.choice(([2, 2], [3, 3], [6, 6], [7, 7])), stride=[2, 2], padding=[0, 0])
    return row([spec((1, 1, height * width, channels), "bfloat16", "ROW_MAJOR", DRAM)], args, config["out_mem"])


def pool2d_tables_in_dram(rng, grid):
    config = rng.choice((max_pool2d, pool2d_dram))(rng, grid)
    config["args"]["config_tensor_in_dram"] = True
    return config


def avg_pool2d_tables_in_dram(rng, grid):
    config = avg_pool2d(rng, grid)
    config["args"]["config_tensor_in_dram"] = True
    return config


def call_pool2d(name):
    def call(ttnn, inputs, args, out):
        more = {key: args[key] for key in ("ceil_mode", "deallocate_input", "reallocate_halo_output", "count_include_pad",
                                           "divisor_override", "config_tensor_in_dram") if key in args}
        if "output_layout" in args:
            more["output_layout"] = ttnn.TILE_LAYOUT
        if "dtype" in args:
            more["dtype"] = getattr(ttnn, args["dtype"])
        if "applied_shard_scheme" in args:
            more["applied_shard_scheme"] = getattr(ttnn.TensorMemoryLayout, args["applied_shard_scheme"])
        if name == "max_pool2d":
            more["dilation"] = args.get("dilation", [1, 1])
            if "return_indices" in args:
                more["return_indices"] = True
        return getattr(ttnn, name)(input_tensor=inputs[0], memory_config=out, **more, **{
            key: args[key] for key in ("batch_size", "input_h", "input_w", "channels", "kernel_size", "stride", "padding")})

    return call


def adaptive_pool2d(rng, grid):
    batch, height, width = image(rng, 13000)
    channels = rng.choice((32, 64, 64, 96, 128, 192, 256, 320, 512, rng.randrange(8, 300)))
    tiled = rng.random() < 0.3
    args = {"batch_size": batch, "input_h": height, "input_w": width, "channels": channels,
            "output_size": rng.choice(([7, 7], [8, 8], [4, 4], [2, 2], [3, 5], [min(height, 14)] * 2))}
    if rng.random() < 0.3:
        args["applied_shard_scheme"] = rng.choice(("HEIGHT_SHARDED", "BLOCK_SHARDED", "WIDTH_SHARDED"))
    return row([spec((1, 1, batch * height * width, channels), "bfloat16", "TILE" if tiled else "ROW_MAJOR",
                     rng.choice((DRAM, L1)))], args, rng.choice((None, None, DRAM, L1)))


def call_adaptive_pool2d(name):
    def call(ttnn, inputs, args, out):
        more = {}
        if "applied_shard_scheme" in args:
            more["applied_shard_scheme"] = getattr(ttnn.TensorMemoryLayout, args["applied_shard_scheme"])
        return getattr(ttnn, name)(input_tensor=inputs[0], memory_config=out, **more, **{
            key: args[key] for key in ("batch_size", "input_h", "input_w", "channels", "output_size")})

    return call


def upsample(rng, grid):
    tiled = rng.random() < 0.3
    batch = rng.choice((1, 1, 2))
    height, width = rng.randrange(3, 70), rng.choice((32, 64)) if tiled else rng.randrange(3, 70)
    channels = rng.choice((32, 64, 128, 320, 640, 1280)) if tiled else rng.choice((3, 8, 32, 40, 64, 320, 640, 1280))
    args = {"scale_factor": rng.choice(([2, 2], [2, 2], [2, 3], [1, 2], [4, 4]))}
    return row([spec((batch, height, width, channels), rng.choice(("bfloat16", "bfloat16", "float32")),
                     "TILE" if tiled else "ROW_MAJOR", rng.choice((DRAM, DRAM, L1)))], args, rng.choice((None, None, DRAM, L1)))


def call_upsample(ttnn, inputs, args, out):
    return ttnn.upsample(inputs[0], args["scale_factor"], memory_config=out)


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


def fold_of_large_blocks(rng, grid):
    """Tiles of which a row of blocks takes about as much of L1 as there is."""
    stride = rng.choice((2, 8, 16, 32, 64))
    channels, dtype = rng.choice((8, 16, 32, 64, 128)), rng.choice(("bfloat16", "bfloat16", "bfloat8_b", "float32"))
    around = rng.choice((0.3, 0.8, 0.9, 0.92, 0.95, 1.0, 1.1, 2.0)) * (1.39e6 if grid[0] == 8 else 1.46e6)
    width = max(1, int(around / (stride * channels * (4 if dtype == "float32" else 2))))
    return row([spec((1, stride * rng.choice((1, 1, 2)), width, channels), dtype, "TILE", DRAM)], {"stride": [stride, 1]})


def fold_transposed(rng, grid):
    """Images with channels first, in rows of shards or not, as the first layer of ResNet-50 takes them."""
    stride = [rng.choice((1, 2, 2, 4)), rng.choice((1, 2, 2, 4))]
    batch, channels = rng.choice((1, 2, 3, 4, 8)), rng.choice((1, 3, 3, 4, 8))
    more = rng.choice((0, 1, 4 - channels if channels < 4 else 0))
    before = rng.choice((0, 0, 1, 3))
    size = rng.choice((32, 56, 58, 64, 90, 96, 128))
    width = size if rng.random() < 0.8 else rng.choice((32, 64, 100))
    args = {"stride": stride, "transposed": True, "padding": [before, before, before, before, 0, more]}
    place = rng.choice((DRAM, L1))
    if rng.random() < 0.6:
        y, x = rng.randrange(1, grid[1] + 1), rng.randrange(1, grid[0] + 1)
        place = sticks_in_shards(rng, grid, batch * channels * size, width, ("HEIGHT_SHARDED",))
        if rng.random() < 0.9:
            args["grid"] = [x, y]
    blocks = [batch, (size + 2 * before) // stride[0], (width + 2 * before) // stride[1], (channels + more) * stride[0] * stride[1]]
    if rng.random() < 0.3:
        args["output_shape"] = [batch, max(1, blocks[1] - 1), max(1, blocks[2] - 1), blocks[3]]
    return row([spec((batch, channels, size, width), "bfloat16", "ROW_MAJOR", place)], args)


def call_fold(ttnn, inputs, args, out):
    if "transposed" in args:
        cores = None
        if "grid" in args:
            x, y = args["grid"]
            cores = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(x - 1, y - 1))})
        shape = ttnn.Shape(args["output_shape"]) if "output_shape" in args else None
        return ttnn.fold(inputs[0], *args["stride"], use_transpose_as_fold=True, output_shape=shape, padding=args["padding"],
                         grid_size=cores)
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


# --- the order of channels


def slice_write(rng, grid):
    """Rows of a tensor of any rank, with steps or without, and results of convolutions in shards."""
    if rng.random() < 0.6:
        rank = rng.randrange(1, 6)
        whole = [rng.choice((1, 2, 3, 5, 8)) for _ in range(rank - 2)] + [rng.randrange(1, 70), rng.choice((8, 16, 32, 50, 64, 128))]
        whole = whole[-rank:]
        start = [rng.choice((0, 0, rng.randrange(0, size))) for size in whole]
        end = [rng.choice((size, rng.randrange(first + 1, size + 1))) for first, size in zip(start, whole)]
        step = [rng.choice((1, 1, 1, 2, 3)) for _ in whole]
        part = [-(-(b - a) // c) for a, b, c in zip(start, end, step)]
        if rng.random() < 0.1:
            part[0] += 1
        dtype = rng.choice(("bfloat16", "bfloat16", "float32"))
        return row([spec(part, dtype, "ROW_MAJOR", memory(rng)), spec(whole, dtype, "ROW_MAJOR", memory(rng))],
                   {"start": start, "end": end, "step": step})
    batch, height, width = small_image(rng, 3000)
    channels = rng.choice((32, 64, 96))
    rows = rng.randrange(1, height + 1)
    first = rng.randrange(0, height - rows + 1)
    tiled = rng.random() < 0.5
    if tiled:
        width, batch = up(width), 1
    pixels = batch * rows * width
    place = sticks_in_shards(rng, grid, pixels // 32 if tiled else pixels, channels, ("HEIGHT_SHARDED", "HEIGHT_SHARDED", "BLOCK_SHARDED"))
    if tiled:
        place["shard_shape"][0] *= 32
        place["shard_shape"][1] = up(place["shard_shape"][1])
    layout = "TILE" if tiled else "ROW_MAJOR"
    return row([spec((1, 1, pixels, channels), "bfloat16", layout, place), spec((batch, height, width, channels), "bfloat16", layout, DRAM)],
               {"start": [0, first, 0, 0], "end": [batch, first + rows, width, channels], "step": [1, 1, 1, 1]})


def padded_slice(rng, grid):
    batch, height, width = small_image(rng, 3000)
    channels = rng.choice((3, 8, 16, 32, 40, 64))
    start = [0, rng.randrange(0, height), rng.choice((0, 0, rng.randrange(0, width))), 0]
    end = [batch, rng.randrange(start[1] + 1, height + 1), rng.choice((width, rng.randrange(start[2] + 1, width + 1))), channels]
    if rng.random() < 0.1:
        start, end = [0, 0, 0, 0], [batch, height, width, channels]
    pixels = batch * (end[1] - start[1]) * (end[2] - start[2])
    cores = rng.randrange(1, min(pixels, grid[0] * grid[1]) + 1)
    out = height_shards(grid, cores, pixels, up(channels, rng.choice((8, 16, 32))))
    layout = rng.choice(("ROW_MAJOR", "ROW_MAJOR", "TILE"))
    return row([spec((batch, height, width, channels), rng.choice(("bfloat16", "bfloat16", "float32")), layout, DRAM)],
               {"padded_slice_start": start, "padded_slice_end": end}, out)


def convert_to_chw(rng, grid):
    channels, cores = rng.choice((1, 2, 3, 8, 16, 32, 40)), rng.randrange(1, grid[0] * grid[1] + 1)
    tall = 32 * rng.choice((1, 2, 5, 16, 83, rng.randrange(1, 90)))
    rows = tall * cores - rng.choice((0, 0, 0, 32 * rng.randrange(0, max(1, tall // 32)), 7))
    place = {"memory_layout": "HEIGHT_SHARDED", "buffer_type": "L1", "shard_shape": [tall, 64 if channels > 32 else 32],
             "shard_grid": row_wise(cores, grid), "orientation": rng.choice(("ROW_MAJOR", "ROW_MAJOR", "COL_MAJOR"))}
    if rng.random() < 0.1:
        place = interleaved(rng)
    args = {"dtype": rng.choice(("bfloat16", "bfloat16", "float32"))} if rng.random() < 0.6 else {}
    return row([spec((1, 1, rows, channels), rng.choice(("bfloat16", "bfloat8_b", "float32")), "TILE", place)], args)


def convert_to_hwc(rng, grid):
    images, channels, cores = rng.choice((1, 1, 1, 2, 4)), rng.choice((1, 2, 3, 4, 8, 16, 32, 40)), rng.randrange(1, grid[0] * grid[1] + 1)
    wide = 32 * rng.choice((1, 2, 8, 32, 64, 96, rng.randrange(1, 90)))
    columns = wide * cores - (rng.choice((0, 0, 0, 32 * rng.randrange(0, wide // 32), 7)) if images == 1 or rng.random() < 0.1 else 0)
    place = {"memory_layout": "WIDTH_SHARDED", "buffer_type": "L1", "shard_shape": [images * channels, wide],
             "shard_grid": row_wise(cores, grid), "orientation": rng.choice(("ROW_MAJOR", "ROW_MAJOR", "COL_MAJOR"))}
    out, dtype = None, rng.choice(("bfloat16", "bfloat16", "float32"))
    if rng.random() < 0.3:
        banks = rng.choice((1, 4, 8))
        wide, more = 32 * rng.choice((4, 16, 64)), rng.choice((1, 1, 2, 4))
        columns = wide * banks
        place = place | {"buffer_type": "DRAM", "shard_grid": [[0, 0, banks - 1, 0]],
                         "shard_shape": [images * channels, wide], "orientation": "ROW_MAJOR"}
        tall = images * columns // banks // more
        out = {"memory_layout": "HEIGHT_SHARDED", "buffer_type": "L1", "orientation": "ROW_MAJOR",
               "shard_shape": [tall, up(channels, 8 if dtype == "bfloat16" else 4)],
               "shard_grid": row_wise(images * columns // tall, grid)}
    layout = rng.choice(("ROW_MAJOR",) * 12 + ("TILE",))
    return row([spec((1, images, channels, columns), dtype, layout, place)], {}, out)


CONFIGURATIONS = {
    **sliding_window_convolution.CONFIGURATIONS,
    "max_pool2d": (max_pool2d, call_pool2d("max_pool2d")),
    "avg_pool2d": (avg_pool2d, call_pool2d("avg_pool2d")),
    "upsample": (upsample, call_upsample),
    "max_pool2d:dram": (pool2d_dram, call_pool2d("max_pool2d")),
    "avg_pool2d:dram": (pool2d_dram, call_pool2d("avg_pool2d")),
    "max_pool2d:tables": (pool2d_tables_in_dram, call_pool2d("max_pool2d")),
    "avg_pool2d:tables": (avg_pool2d_tables_in_dram, call_pool2d("avg_pool2d")),
    "max_pool2d:indices": (max_pool2d_indices, call_pool2d("max_pool2d")),
    "max_pool2d:large_indices": (max_pool2d_large_indices, call_pool2d("max_pool2d")),
    "adaptive_avg_pool2d": (adaptive_pool2d, call_adaptive_pool2d("adaptive_avg_pool2d")),
    "adaptive_max_pool2d": (adaptive_pool2d, call_adaptive_pool2d("adaptive_max_pool2d")),
    "avg_pool2d:global": (avg_pool2d_global, call_pool2d("avg_pool2d")),
    "upsample:more": (upsample_more, call_upsample_more),
    "fold": (fold, call_fold),
    "fold:large_blocks": (fold_of_large_blocks, call_fold),
    "fold:transposed": (fold_transposed, call_fold),
    "slice_write": (slice_write, lambda ttnn, i, args, out: ttnn.experimental.slice_write(
        i[0], i[1], args["start"], args["end"], args["step"])),
    "padded_slice": (padded_slice, lambda ttnn, i, args, out: ttnn.experimental.padded_slice(
        i[0], args["padded_slice_start"], args["padded_slice_end"], memory_config=out)),
    "rotate": (rotate, call_rotate),
    "convert_to_chw": (convert_to_chw, lambda ttnn, i, args, out: ttnn.experimental.convert_to_chw(
        *i, dtype=getattr(ttnn, args["dtype"]) if "dtype" in args else None)),
    "convert_to_hwc": (convert_to_hwc, lambda ttnn, i, args, out: ttnn.experimental.convert_to_hwc(*i, memory_config=out)),
    "grid_sample": (grid_sample, call_grid_sample),
}
