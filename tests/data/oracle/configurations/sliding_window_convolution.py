# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random configurations of convolutions and transposed ones; a part of the family sliding_window."""

from .tensor_specs import DRAM, L1, row, row_wise, shard_config, spec


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


def conv2d_reuse(rng, grid):
    """Convolutions whose cores keep what they have read of the image (enable_activation_reuse), as ResNet-50's."""
    config = conv2d(rng, grid)
    args = config["args"]
    args.update(shard_layout="HEIGHT_SHARDED", stride=[1, 1], enable_activation_reuse=True, deallocate_activation=True)
    kernel = rng.choice((3, 3, 3, 5))
    args.update(kernel_size=[kernel, kernel], padding=[kernel // 2, kernel // 2])
    for name in ("dilation", "groups", "full_inner_dim", "transpose_shards"):
        args.pop(name, None)
    for name in ("enable_act_double_buffer", "enable_weights_double_buffer"):
        if rng.random() < 0.5:
            args[name] = True
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


def conv2d_replicating(rng, grid):
    """Images whose padding repeats their edges, in L1 and through it, in shards of all kinds."""
    found = rng.choice((conv2d, conv2d, conv2d_dram))(rng, grid)
    args = found["args"]
    kernel = args["kernel_size"]
    args["replicates_edges"] = True
    args["padding"] = [rng.randrange(0, kernel[0] // 2 + 1), rng.randrange(0, kernel[1] // 2 + 1)]
    if rng.random() < 0.3:
        args["padding"] = [rng.randrange(0, kernel[i // 2] // 2 + 2) for i in range(4)]
    return found


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


def few_rows(rng, grid):
    """Small images in DRAM whose channels lie in shards of columns, mostly slice by slice: rows that fill no tile."""
    groups = rng.choice((1, 1, 1, 2))
    args = {"in_channels": groups * rng.choice((1, 3, 8, 16, 32, 64)), "out_channels": groups * rng.choice((1, 3, 16, 32, 64, 96)),
            "batch_size": rng.choice((1, 1, 2, 3)), "input_height": rng.randrange(2, 13), "input_width": rng.randrange(2, 21),
            "kernel_size": [rng.choice((1, 2, 3)), rng.choice((1, 2, 3))], "stride": [1, 1], "padding": [rng.choice((0, 1))] * 2,
            "bias": rng.random() < 0.5, "weights_dtype": rng.choice(("bfloat16", "bfloat8_b")), "groups": groups,
            "shard_layout": rng.choice(("WIDTH_SHARDED", "WIDTH_SHARDED", "WIDTH_SHARDED", "BLOCK_SHARDED"))}
    if args["kernel_size"] == [1, 1]:
        args["kernel_size"] = [2, 1]
    args["kernel_size"] = [min(args["kernel_size"][i], args[name]) for i, name in enumerate(("input_height", "input_width"))]
    args["padding"] = [min(each, args["kernel_size"][i] - 1) for i, each in enumerate(args["padding"])]
    if rng.random() < 0.8:
        args["slice"] = [rng.choice(("DRAM_HEIGHT", "DRAM_WIDTH")), rng.choice((1, 2, 2))]
        if args["slice"][0] == "DRAM_HEIGHT" and rng.random() < 0.5:
            args["output_layout"] = "ROW_MAJOR"
    rows = args["batch_size"] * args["input_height"] * args["input_width"]
    return row([spec((1, 1, rows, args["in_channels"]), rng.choice(("bfloat16", "float32")), rng.choice(("TILE", "ROW_MAJOR")),
                     DRAM)], args)


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
    """The arguments of a convolution and of a transposed one, as tests and models do."""
    config = {name: args[name] for name in ("act_block_h_override", "deallocate_activation", "reallocate_halo_output",
                                            "enable_act_double_buffer", "enable_weights_double_buffer",
                                            "full_inner_dim", "transpose_shards", "reshard_if_not_optimal", "config_tensors_in_dram",
                                            "enable_kernel_stride_folding", "enable_activation_reuse") if name in args}
    config["weights_dtype"] = getattr(ttnn, args["weights_dtype"])
    if "shard_layout" in args:
        config["shard_layout"] = getattr(ttnn.TensorMemoryLayout, args["shard_layout"])
    if "output_layout" in args:
        config["output_layout"] = ttnn.ROW_MAJOR_LAYOUT
    if "replicates_edges" in args:
        config["padding_mode"] = ttnn.PaddingMode.Replicate
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


def conv3d(rng, grid):
    """Volumes with prepared weights, in blocks of places and of channels."""
    dtype = rng.choice(("bfloat16", "bfloat16", "float32"))
    channels, out_channels = rng.choice((16, 32, 32, 64, 96, 128)), rng.choice((3, 16, 32, 64, 64, 96, 256))
    kernel = [rng.choice((1, 2, 3, 3)) for _ in range(3)]
    volume = [rng.randrange(3, 12) for _ in range(3)]
    args = {"dtype": dtype, "output_channels": out_channels, "kernel_size": kernel, "stride": [rng.choice((1, 1, 2)) for _ in kernel],
            "padding": [rng.choice((0, 0, 1)) for _ in kernel], "padding_mode": rng.choice(("zeros", "replicate"))}
    if rng.random() < 0.15:
        args["dilation"] = [rng.choice((1, 2)) for _ in kernel]
    if rng.random() < 0.9:
        blocks = {"grid": [rng.randrange(1, grid[0] + 1), rng.randrange(1, grid[1] + 1)]}
        for name in ("T_out_block", "H_out_block", "W_out_block"):
            if rng.random() < 0.6:
                blocks[name] = rng.choice((1, 2, 4, 8, 16, 3))
        if rng.random() < 0.5:
            blocks["C_out_block"] = rng.choice((32, 64, 128))
        if rng.random() < 0.5:
            blocks["C_in_block"] = rng.choice((16, 32, 64))
        args["config"] = blocks
    if rng.random() < 0.6:
        args["compute_kernel_config"] = rng.random() < 0.5
    rows = kernel[0] * kernel[1] * kernel[2] * channels
    tensors = [spec((rng.choice((1, 1, 2)), *volume, channels), dtype, "ROW_MAJOR", rng.choice((DRAM, DRAM, L1))),
               spec((rows, out_channels), dtype, "TILE", DRAM)]
    if rng.random() < 0.6:
        tensors.append(spec((1, out_channels), dtype, "TILE", DRAM))
    return row(tensors, args, rng.choice((None, None, DRAM, L1)))


def call_conv3d(ttnn, inputs, args, out):
    config = None
    if "config" in args:
        given = {name: value for name, value in args["config"].items() if name != "grid"}
        config = ttnn.Conv3dConfig(**given, compute_with_storage_grid_size=ttnn.CoreCoord(*args["config"]["grid"]))
    kernels = None
    if "compute_kernel_config" in args:
        kernels = ttnn.init_device_compute_kernel_config(inputs[0].device().arch(), math_fidelity=ttnn.MathFidelity.HiFi2,
                                                         math_approx_mode=False, fp32_dest_acc_en=args["compute_kernel_config"])
    more = {name: args[name] for name in ("stride", "padding", "dilation", "padding_mode", "kernel_size", "output_channels") if name in args}
    return ttnn.experimental.conv3d(input_tensor=inputs[0], weight_tensor=inputs[1], bias_tensor=inputs[2] if len(inputs) > 2 else None,
                                    config=config, dtype=getattr(ttnn, args["dtype"]), memory_config=out,
                                    compute_kernel_config=kernels, **more)


CONFIGURATIONS = {
    "conv3d": (conv3d, call_conv3d),
    "conv2d": (conv2d, call_conv2d, prepare_conv2d),
    "conv2d:few_rows": (few_rows, call_conv2d, prepare_conv2d),
    "conv_transpose2d:few_rows": (few_rows, call_conv_transpose2d, prepare_conv_transpose2d),
    "conv2d:dram": (conv2d_dram, call_conv2d, prepare_conv2d),
    "conv2d:reuse": (conv2d_reuse, call_conv2d, prepare_conv2d),
    "conv2d:fold": (conv2d_fold, call_conv2d, prepare_conv2d),
    "conv2d:replicating": (conv2d_replicating, call_conv2d, prepare_conv2d),
    "conv2d:depthwise": (conv2d_depthwise, call_conv2d, prepare_conv2d),
    "conv_transpose2d": (conv_transpose2d, call_conv_transpose2d, prepare_conv_transpose2d),
    "conv_transpose2d:dram": (conv_transpose2d_dram, call_conv_transpose2d, prepare_conv_transpose2d),
}
