# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random configurations of operations on images: convolutions, poolings, upsampling, rotation, sampling, folding."""

from .tensor_specs import DRAM, L1, row, row_wise, shard_config, spec, sticks_in_shards


def image(rng, most):
    """Batch, height and width of at most `most` pixels."""
    while True:
        batch = rng.choice((1, 1, 1, 2, 4, 8))
        height = rng.choice((7, 8, 14, 16, 28, 32, 56, 64, 112, rng.randrange(5, 80)))
        width = rng.choice((height, height, rng.randrange(5, 80)))
        if batch * height * width <= most:
            return batch, height, width


def sharded_rows(rng, grid, rows, channels, tiled):
    """Rows spread over as many cores as have work, or None."""
    cores = rng.randrange(1, grid[0] * grid[1] + 1)
    unit = 32 if tiled else 1
    height = -(-rows // (cores * unit)) * unit
    if -(-rows // height) != cores or channels % 32:
        return None
    return shard_config("HEIGHT_SHARDED", (height, channels), row_wise(cores, grid))


def conv2d(rng, grid):
    kernel = rng.choice((1, 1, 3, 3, 3, 3, 5, 7))
    batch, height, width = image(rng, 13000 if kernel < 7 else 50000)
    channels = (3, 4, 8, 16, 20, 32, 32, 48, 64, 64, 96, 128, 128, 256, 320, 512)
    in_channels, out_channels = rng.choice(channels), rng.choice(channels[5:] + (10, 40))
    if kernel == 7:
        in_channels = rng.choice((3, 8, 16, 32))
    stride = 2 if kernel == 7 else rng.choice((1, 1, 1, 2))
    layout = rng.choice(("HEIGHT_SHARDED", "HEIGHT_SHARDED", "BLOCK_SHARDED", "WIDTH_SHARDED", None))
    tiled = rng.random() < 0.3
    dtype = rng.choice(("bfloat16", "bfloat16", "bfloat8_b")) if tiled else "bfloat16"
    args = {"in_channels": in_channels, "out_channels": out_channels, "batch_size": batch, "input_height": height,
            "input_width": width, "kernel_size": [kernel, kernel], "stride": [stride, stride],
            "padding": rng.choice(([kernel // 2] * 2, [kernel // 2] * 2, [0, 0])),
            "bias": rng.random() < 0.7, "weights_dtype": rng.choice(("bfloat16", "bfloat16", "bfloat8_b"))}
    if layout:
        args["shard_layout"] = layout
    if rng.random() < 0.15:
        args["groups"] = rng.choice([g for g in (2, 4, 8, 32) if in_channels % g == 0 and out_channels % g == 0] or [1])
    if rng.random() < 0.15 and kernel > 1:
        args["dilation"] = [2, 2]
    for name, values, chance in (("activation", ("relu", "silu"), 0.3), ("act_block_h_override", (32, 64, 96), 0.2),
                                 ("deallocate_activation", (True,), 0.3), ("reallocate_halo_output", (False,), 0.2),
                                 ("output_layout", ("ROW_MAJOR",), 0.15), ("enable_act_double_buffer", (True,), 0.15),
                                 ("enable_weights_double_buffer", (True,), 0.15), ("full_inner_dim", (True,), 0.1),
                                 ("dtype", ("bfloat8_b",), 0.1), ("transpose_shards", (True,), 0.1),
                                 ("l1_full", (True,), 0.3), ("return_weights", (False,), 0.2),
                                 ("reshard_if_not_optimal", (True,), 0.1)):
        if rng.random() < chance:
            args[name] = rng.choice(values)
    if args.get("output_layout") == "ROW_MAJOR":
        args.pop("dtype", None)
        dtype = "bfloat16"
    memory = rng.choice((DRAM, L1, L1))
    rows = batch * height * width
    if rng.random() < 0.2:
        shards = sharded_rows(rng, grid, rows, in_channels, tiled)
        if shards:
            memory = shards
            args.pop("shard_layout", None)
    out = rng.choice((None, None, None, DRAM, L1))
    config = row([spec((1, 1, rows, in_channels), dtype, "TILE" if tiled else "ROW_MAJOR", memory)], args, out)
    return config


def conv2d_dram(rng, grid):
    """Large images in DRAM, that go through L1 slice by slice, or in one piece."""
    while True:
        kernel = rng.choice((1, 3, 3, 3, 3, 5, 7))
        stride = rng.choice((1, 1, 1, 2))
        padding = rng.choice(([kernel // 2] * 2, [kernel // 2] * 2, [0, 0], [1, 0, 0, 1] if kernel > 1 else [0, 0]))
        height = rng.choice((64, 112, 128, 160, 224, 224, 256, 320, 512, 640, rng.randrange(50, 500)))
        width = rng.choice((height, height, height, 32, 1024, rng.randrange(50, 500)))
        batch = rng.choice((1, 1, 1, 1, 2, 4))
        in_channels = rng.choice((3, 3, 4, 8, 16, 32, 64, 64, 96, 128, 256, 320, 512))
        out_channels = rng.choice((16, 32, 64, 64, 128, 128, 256, 512, 40))
        pixels = batch * height * width
        outputs = pixels // stride**2
        if kernel == 1 and stride == 1 and padding == [0, 0]:
            continue
        if pixels * in_channels < 36e6 and outputs * out_channels < 72e6 and pixels * in_channels + outputs * out_channels > 3e6:
            break
    tiled = rng.random() < 0.4
    dtype = rng.choice(("bfloat16", "bfloat16", "bfloat8_b")) if tiled else "bfloat16"
    args = {"in_channels": in_channels, "out_channels": out_channels, "batch_size": batch, "input_height": height,
            "input_width": width, "kernel_size": [kernel, kernel], "stride": [stride, stride], "padding": padding,
            "bias": rng.random() < 0.7, "weights_dtype": rng.choice(("bfloat16", "bfloat16", "bfloat8_b"))}
    if rng.random() < 0.5:
        args["shard_layout"] = rng.choice(("HEIGHT_SHARDED", "HEIGHT_SHARDED", "BLOCK_SHARDED"))
    if rng.random() < 0.1:
        args["groups"] = rng.choice([g for g in (2, 4, 8, 32) if in_channels % g == 0 and out_channels % g == 0] or [1])
    if rng.random() < 0.5:
        args["slice"] = [rng.choice(("DRAM_HEIGHT", "DRAM_WIDTH")), rng.choice((0, 0, 2, 3, 4, 7, 8))]
    for name, values, chance in (("activation", ("relu", "silu"), 0.2), ("act_block_h_override", (32, 64, 128), 0.2),
                                 ("deallocate_activation", (True,), 0.2), ("reallocate_halo_output", (False,), 0.1),
                                 ("output_layout", ("ROW_MAJOR",), 0.3), ("enable_act_double_buffer", (True,), 0.1),
                                 ("enable_weights_double_buffer", (True,), 0.1), ("full_inner_dim", (True,), 0.05),
                                 ("dtype", ("bfloat8_b",), 0.1), ("transpose_shards", (True,), 0.05),
                                 ("return_weights", (False,), 0.2), ("dilation", ([2, 2],), 0.1 if kernel > 1 else 0),
                                 ("config_tensors_in_dram", (True,), 0.1)):
        if rng.random() < chance:
            args[name] = rng.choice(values)
    if args.get("output_layout") == "ROW_MAJOR":
        args.pop("dtype", None)
        dtype = "bfloat16"
    shape = rng.choice(((1, 1, pixels, in_channels), (batch, height, width, in_channels)))
    return row([spec(shape, dtype, "TILE" if tiled else "ROW_MAJOR", DRAM)], args, rng.choice((None, None, None, None, DRAM)))


def conv2d_fold(rng, grid):
    """Kernels that tile the image, as patches of vision transformers; others where folding is asked for."""
    patch = rng.choice((2, 2, 4, 4, 8, 14, 16, 16, 32))
    stride = [patch, patch] if rng.random() < 0.9 else [patch, 1]
    asked = rng.choice((None, None, None, True, False))
    kernel = list(stride) if asked is None or rng.random() < 0.6 else [each + rng.choice((0, 1)) for each in stride]
    rows, columns = rng.randrange(2, 1 + max(2, 224 // patch)), rng.randrange(2, 1 + max(2, 224 // patch))
    padding = rng.choice(([0, 0], [0, 0], [0, 0], [1, 1], [0, 1, 0, 1])) if patch < 8 else [0, 0]
    tall, wide = (padding[0] * 2, padding[1] * 2) if len(padding) == 2 else (padding[0] + padding[1], padding[2] + padding[3])
    height, width = rows * stride[0] - tall, columns * stride[1] - wide
    batch = rng.choice((1, 1, 2, 8))
    in_channels = rng.choice((3, 3, 3, 1, 4, 16, 32, 48, 64, 96, 128) if patch < 8 else (3, 3, 3, 1, 4, 8))
    out_channels = rng.choice((32, 64, 96, 192, 384, 768, 1024))
    if batch * height * width * in_channels > 3e6 or height < kernel[0] or width < kernel[1]:
        return conv2d_fold(rng, grid)
    tiled = rng.random() < 0.3
    dtype = rng.choice(("bfloat16", "bfloat16", "bfloat8_b")) if tiled else rng.choice(("bfloat16", "bfloat16", "float32"))
    args = {"in_channels": in_channels, "out_channels": out_channels, "batch_size": batch, "input_height": height,
            "input_width": width, "kernel_size": kernel, "stride": stride, "padding": padding,
            "bias": rng.random() < 0.7, "weights_dtype": rng.choice(("bfloat16", "bfloat16", "bfloat8_b"))}
    if asked is not None:
        args["enable_kernel_stride_folding"] = asked
    for name, values, chance in (("activation", ("relu",), 0.1), ("deallocate_activation", (True,), 0.2),
                                 ("output_layout", ("ROW_MAJOR",), 0.1), ("return_weights", (False,), 0.3),
                                 ("shard_layout", ("HEIGHT_SHARDED", "BLOCK_SHARDED"), 0.2)):
        if rng.random() < chance:
            args[name] = rng.choice(values)
    shape = rng.choice(((1, 1, batch * height * width, in_channels), (batch, height, width, in_channels)))
    return row([spec(shape, dtype, "TILE" if tiled else "ROW_MAJOR", rng.choice((DRAM, DRAM, DRAM, L1)))], args,
               rng.choice((None, None, None, DRAM, L1)))


def conv2d_depthwise(rng, grid):
    """A group for each channel, as in MobileNet and ConvNeXt."""
    config = conv2d(rng, grid)
    args = config["args"]
    channels = rng.choice((16, 32, 32, 64, 96, 128, 144, 192, 240, 384))
    kernel = rng.choice((3, 3, 3, 5, 7))
    stride = rng.choice((1, 1, 2))
    args.update(in_channels=channels, out_channels=channels, groups=channels, kernel_size=[kernel, kernel],
                stride=[stride, stride], padding=[kernel // 2, kernel // 2])
    args.pop("dilation", None)
    (tensor,) = config["inputs"]
    if "shard_shape" in tensor["memory_config"]:
        tensor["memory_config"] = L1
    pixels = args["batch_size"] * args["input_height"] * args["input_width"]
    tensor["shape"] = [1, 1, pixels, channels]
    return config if pixels * channels < 2e6 else conv2d_depthwise(rng, grid)


def conv_transpose2d(rng, grid):
    """Images made larger, as decoders do."""
    kernel = rng.choice((2, 2, 2, 3, 3, 3, 4, 4, 4, 1, 5))
    stride = rng.choice((2, 2, 2, 1, 3, 4)) if kernel > 1 else rng.choice((1, 1, 2))
    while True:
        batch, height, width = image(rng, 4000)
        in_channels, out_channels = (rng.choice((3, 8, 16, 20, 32, 32, 48, 64, 64, 96, 128, 128, 256, 320, 512)) for _ in range(2))
        if batch * height * width * stride**2 * out_channels < 3e6:
            break
    padding = rng.choice(([0, 0], [0, 0], [1, 1], [1, 1], [kernel // 2] * 2, [0, 1, 1, 0]))
    padding = [min(each, kernel - 1) for each in padding]
    args = {"in_channels": in_channels, "out_channels": out_channels, "batch_size": batch, "input_height": height,
            "input_width": width, "kernel_size": [kernel, kernel], "stride": [stride, stride], "padding": padding,
            "bias": rng.random() < 0.6, "weights_dtype": rng.choice(("bfloat16", "bfloat16", "bfloat8_b"))}
    layout = rng.choice(("HEIGHT_SHARDED", "HEIGHT_SHARDED", "BLOCK_SHARDED", "WIDTH_SHARDED", None, None))
    if layout:
        args["shard_layout"] = layout
    if rng.random() < 0.3 and stride > 1:
        args["output_padding"] = [rng.randrange(stride), rng.randrange(stride)]
    if rng.random() < 0.1:
        args["groups"] = rng.choice([g for g in (2, 4, 8, 32) if in_channels % g == 0 and out_channels % g == 0] or [1])
    if rng.random() < 0.15 and kernel > 1:
        args["dilation"] = [2, 2]
    for name, values, chance in (("activation", ("relu",), 0.2), ("act_block_h_override", (32, 64, 96), 0.2),
                                 ("deallocate_activation", (True,), 0.3), ("reallocate_halo_output", (False,), 0.2),
                                 ("output_layout", ("ROW_MAJOR",), 0.15), ("enable_act_double_buffer", (True,), 0.15),
                                 ("enable_weights_double_buffer", (True,), 0.15), ("dtype", ("bfloat8_b",), 0.1),
                                 ("config_tensors_in_dram", (True,), 0.1), ("l1_full", (True,), 0.4),
                                 ("return_weights", (False,), 0.3), ("mirror_kernel", (False,), 0.1)):
        if rng.random() < chance:
            args[name] = rng.choice(values)
    tiled = rng.random() < 0.3
    dtype = rng.choice(("bfloat16", "bfloat16", "bfloat8_b")) if tiled else rng.choice(("bfloat16",) * 6 + ("float32",))
    if args.get("output_layout") == "ROW_MAJOR":
        args.pop("dtype", None)
        dtype = "bfloat16"
    rows = batch * height * width
    memory = rng.choice((DRAM, L1, L1))
    if rng.random() < 0.15:
        shards = sharded_rows(rng, grid, rows, in_channels, tiled)
        if shards:
            memory = shards
            args.pop("shard_layout", None)
    shape = rng.choice(((1, 1, rows, in_channels), (1, 1, rows, in_channels), (batch, height, width, in_channels)))
    if memory not in (DRAM, L1):
        shape = (1, 1, rows, in_channels)
    return row([spec(shape, dtype, "TILE" if tiled else "ROW_MAJOR", memory)], args, rng.choice((None, None, None, DRAM, L1)))


def conv_transpose2d_dram(rng, grid):
    """Larger ones in DRAM, whole or slice by slice."""
    while True:
        config = conv_transpose2d(rng, grid)
        args = config["args"]
        args.pop("l1_full", None)
        height = rng.choice((32, 56, 64, 100, 128, 128, 160, 256, rng.randrange(30, 300)))
        width = rng.choice((height, height, height, 32, 512, rng.randrange(30, 300)))
        batch = rng.choice((1, 1, 1, 2))
        pixels, channels = batch * height * width, args["in_channels"]
        if 1e6 < pixels * args["stride"][0] ** 2 * args["out_channels"] < 36e6 and pixels * channels < 1.6e7 and args["kernel_size"][0] > 1:
            break
    args.update(batch_size=batch, input_height=height, input_width=width)
    if args.get("shard_layout") == "WIDTH_SHARDED":
        del args["shard_layout"]
    if rng.random() < 0.5:
        args["slice"] = [rng.choice(("DRAM_HEIGHT", "DRAM_WIDTH")), rng.choice((0, 0, 2, 3, 4, 7, 8))]
    tensor = config["inputs"][0]
    tensor.update(shape=[1, 1, pixels, channels], memory_config=DRAM)
    return config


def prepare_conv_transpose2d(ttnn, args):
    import torch

    weights = torch.zeros(args["in_channels"], args["out_channels"] // args.get("groups", 1), *args["kernel_size"])
    bias = torch.zeros(1, 1, 1, args["out_channels"])
    return (ttnn.from_torch(weights, dtype=ttnn.bfloat16),
            ttnn.from_torch(bias, dtype=ttnn.bfloat16) if args["bias"] else None)


def prepare_conv2d(ttnn, args):
    import torch

    weights = torch.zeros(args["out_channels"], args["in_channels"] // args.get("groups", 1), *args["kernel_size"])
    bias = torch.zeros(1, 1, 1, args["out_channels"])
    return (ttnn.from_torch(weights, dtype=ttnn.bfloat16),
            ttnn.from_torch(bias, dtype=ttnn.bfloat16) if args["bias"] else None)


def convolution_keywords(ttnn, tensor, args):
    """What a convolution and a transposed one are called with, as tests and models do."""
    config = {name: args[name] for name in ("act_block_h_override", "deallocate_activation", "reallocate_halo_output",
                                            "enable_act_double_buffer", "enable_weights_double_buffer",
                                            "full_inner_dim", "transpose_shards", "reshard_if_not_optimal", "config_tensors_in_dram",
                                            "enable_kernel_stride_folding") if name in args}
    config["weights_dtype"] = getattr(ttnn, args["weights_dtype"])
    if "shard_layout" in args:
        config["shard_layout"] = getattr(ttnn.TensorMemoryLayout, args["shard_layout"])
    if "output_layout" in args:
        config["output_layout"] = ttnn.ROW_MAJOR_LAYOUT
    if "activation" in args:
        config["activation"] = ttnn.UnaryWithParam(getattr(ttnn.UnaryOpType, args["activation"].upper()))
    sizes = {name: args[name] for name in ("in_channels", "out_channels", "batch_size", "input_height", "input_width")}
    more = {"dtype": getattr(ttnn, args["dtype"])} if "dtype" in args else {}
    return dict(device=tensor.device(), **sizes, kernel_size=tuple(args["kernel_size"]), stride=tuple(args["stride"]),
                padding=tuple(args["padding"]), dilation=tuple(args.get("dilation", (1, 1))), groups=args.get("groups", 1),
                conv_config=ttnn.Conv2dConfig(**config), return_weights_and_bias=args.get("return_weights", True), **more)


def slices_asked(ttnn, args):
    if args.get("l1_full"):
        return ttnn.Conv2dL1FullSliceConfig
    if "slice" not in args:
        return None
    kind, count = args["slice"]
    return ttnn.Conv2dSliceConfig(
        slice_type=ttnn.Conv2dDRAMSliceHeight if kind == "DRAM_HEIGHT" else ttnn.Conv2dDRAMSliceWidth, num_slices=count)


def convolution_tensors(result):
    return [result[0]] + [each for each in result[1] if each is not None] if isinstance(result, (list, tuple)) else result


def call_conv2d(ttnn, inputs, args, out):
    (tensors, (weights, bias)) = inputs
    return convolution_tensors(ttnn.conv2d(
        input_tensor=tensors[0], weight_tensor=weights, bias_tensor=bias, memory_config=out,
        slice_config=slices_asked(ttnn, args), **convolution_keywords(ttnn, tensors[0], args)))


def call_conv_transpose2d(ttnn, inputs, args, out):
    (tensors, (weights, bias)) = inputs
    return convolution_tensors(ttnn.conv_transpose2d(
        input_tensor=tensors[0], weight_tensor=weights, bias_tensor=bias, memory_config=out,
        output_padding=tuple(args.get("output_padding", (0, 0))), mirror_kernel=args.get("mirror_kernel", True),
        dram_slice_config=slices_asked(ttnn, args), **convolution_keywords(ttnn, tensors[0], args)))


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


CONFIGURATIONS = {
    "conv2d": (conv2d, call_conv2d, prepare_conv2d),
    "conv2d:dram": (conv2d_dram, call_conv2d, prepare_conv2d),
    "conv2d:fold": (conv2d_fold, call_conv2d, prepare_conv2d),
    "conv2d:depthwise": (conv2d_depthwise, call_conv2d, prepare_conv2d),
    "conv_transpose2d": (conv_transpose2d, call_conv_transpose2d, prepare_conv_transpose2d),
    "conv_transpose2d:dram": (conv_transpose2d_dram, call_conv_transpose2d, prepare_conv_transpose2d),
    "max_pool2d": (max_pool2d, call_pool2d("max_pool2d")),
    "avg_pool2d": (avg_pool2d, call_pool2d("avg_pool2d")),
    "upsample": (upsample, call_upsample),
    "max_pool2d:dram": (pool2d_dram, call_pool2d("max_pool2d")),
    "avg_pool2d:dram": (pool2d_dram, call_pool2d("avg_pool2d")),
    "max_pool2d:tables": (pool2d_tables_in_dram, call_pool2d("max_pool2d")),
    "avg_pool2d:tables": (avg_pool2d_tables_in_dram, call_pool2d("avg_pool2d")),
    "max_pool2d:indices": (max_pool2d_indices, call_pool2d("max_pool2d")),
    "adaptive_avg_pool2d": (adaptive_pool2d, call_adaptive_pool2d("adaptive_avg_pool2d")),
    "adaptive_max_pool2d": (adaptive_pool2d, call_adaptive_pool2d("adaptive_max_pool2d")),
    "avg_pool2d:global": (avg_pool2d_global, call_pool2d("avg_pool2d")),
    "upsample:more": (upsample_more, call_upsample_more),
    "fold": (fold, call_fold),
    "rotate": (rotate, call_rotate),
    "grid_sample": (grid_sample, call_grid_sample),
}
