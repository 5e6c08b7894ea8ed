# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random configurations of softmaxes and norms."""

import operator

from . import in_shards
from .tensor_specs import (DRAM, FLOATS, L1, batches, block_shards, divisors, edge, given, height, height_shards,
                           interleaved, kernels, mostly_bfloat16, mostly_dram, rectangle, row, row_wise, shape4,
                           shard_config, sharded, spec, up)


def softmax(rng, grid):
    dim = rng.choice((-1, -1, -1, -2, 3, 2, 1))
    return row([spec(shape4(rng, 2000 if dim == -1 else 600), rng.choice(FLOATS), "TILE", interleaved(rng))], {"dim": dim},
               interleaved(rng))


def sharded_softmax(rng, grid):
    shape, config = sharded(rng, grid)
    return row([spec(shape, rng.choice(FLOATS), "TILE", config)], {"dim": rng.choice((-1, -1, -2))}, config)


def row_major_softmax(rng, grid):
    return row([spec(shape4(rng, 600), rng.choice(("bfloat16", "float32")), "ROW_MAJOR", interleaved(rng))], {"dim": -1},
               interleaved(rng))


def softmax_over_others(rng, grid):
    shape, config = sharded(rng, grid)
    parts = rng.choice((1, 2, 4))
    if shape[2] % (32 * parts) == 0:
        shape = (1, parts, shape[2] // parts, shape[3])
    return row([spec(shape, rng.choice(FLOATS), "TILE", config)], {"dim": rng.choice((-2, 1, 2, 0, -1))},
               rng.choice((None, None, DRAM, L1, config)))


def with_kernels(*generators):
    """Adds fields of compute_kernel_config: fp32_dest_acc_en, packer_l1_acc."""
    def generate(rng, grid):
        config = rng.choice(generators)(rng, grid)
        config["args"]["kernels"] = [rng.random() < 0.6, rng.random() < 0.5]
        return config
    return generate


def call_softmax(ttnn, inputs, args, out):
    return ttnn.softmax(inputs[0], dim=args["dim"], memory_config=out)


def call_softmax_with_kernels(ttnn, inputs, args, out):
    return ttnn.softmax(inputs[0], dim=args["dim"], memory_config=out, compute_kernel_config=kernels(ttnn, args))


def masked_input(rng):
    """With a mask, mostly."""
    batch, heads, rows = rng.choice([1, 2, 3, 8]), rng.choice([1, 2, 4, 12, 16]), rng.choice([32, 64, 128, 384, 17, 100])
    columns, kind = rng.choice([32, 64, 128, 384, 512, 1024, 4096, 6000, 10240, 17, 100, 77]), mostly_bfloat16(rng)
    inputs = [spec([batch, heads, rows, columns], kind, memory=mostly_dram(rng))]
    if rng.random() < 0.75:
        inputs.append(spec([batch, 1, rng.choice([1, 32, rows]), columns], rng.choice(["bfloat16", kind]), memory=mostly_dram(rng)))
    return inputs


def attention_softmax(rng, grid):
    inputs, width, out = masked_input(rng), rng.choice([None, 64, 128]), rng.choice([None, DRAM, L1])
    return row(inputs, {"head_size": width}, out)


def attention_softmax_in_place(rng, grid):
    return attention_softmax(rng, grid) | {"out_mem": None}


def scale_mask_softmax(rng, grid):
    inputs, out, stable = masked_input(rng), rng.choice([None, DRAM, L1]), rng.random() < 0.5
    scale = rng.choice([None, 0.125]) if len(inputs) > 1 else None
    return row(inputs, {"scale": scale, "numeric_stable": stable}, out)


def scale_mask_softmax_in_place(rng, grid):
    return scale_mask_softmax(rng, grid) | {"out_mem": None}


def softmax_of_shards(mask=None, more_args=lambda rng, inputs, args: args.update(numeric_stable=rng.random() < 0.5)):
    """In place, as told by a program config; `mask` makes one for an input."""
    def generate(rng, grid):
        batch, heads = rng.choice([1, 2, 4, 8]), rng.choice([1, 2, 4, 8, 16])
        rows, columns = rng.choice([32, 64, 128, 384]), rng.choice([32, 64, 128, 384, 512, 1024, 100])
        kind, padded, total = mostly_bfloat16(rng), up(columns), batch * heads * rows
        if rng.choice(["height", "height", "block"]) == "height":
            cores = rng.choice(divisors(total // 32, grid[0] * grid[1]))
            x, y = (grid[0], cores // grid[0]) if cores % grid[0] == 0 else (cores, 1) if cores <= grid[0] else grid
            memory = height_shards(grid, cores, total // cores, padded)
        else:
            x, y = rng.choice(divisors(heads, grid[0])), rng.choice(divisors(batch * rows // 32, grid[1]))
            memory = block_shards(x, y, total // (x * y), padded)
            memory = memory | {"memory_layout": "BLOCK_SHARDED" if x == 1 else "HEIGHT_SHARDED"}
        width = padded // 32
        subblock = rng.choice(divisors(width, 8))
        wrong = rng.random() < 0.1
        args = {"program_config": {"grid": [x, y], "subblock_w": subblock, "block_w": width,
                                   "block_h": memory["shard_shape"][0] // 32 * (2 if wrong else 1)}}
        if rng.random() < 0.15:
            args.pop("program_config")
        inputs = [spec([batch, heads, rows, columns], kind, memory=memory)]
        if mask and rng.random() < 0.8:
            inputs.append(mask(rng, inputs[0], rng.choice(["bfloat16", kind]), args))
        more_args(rng, inputs, args)
        return row(inputs, args)

    return generate


def some_mask(rng, tensor, kind, args):
    (batch, heads, rows, columns), choice = tensor["shape"], rng.random()
    args["causal_mask"] = 0.45 <= choice < 0.85
    if choice < 0.45:
        return spec([batch, 1, rng.choice([1, 32, 32]), columns], kind, memory=mostly_dram(rng))
    if choice < 0.65:
        return spec([batch, rng.choice([1, heads]), rows, columns], kind, memory=mostly_dram(rng))
    if choice < 0.85:
        return spec([batch, heads, rows, columns], kind, memory=tensor["memory_config"])
    return spec([batch, 1, rng.choice([32, rows]), columns], kind, memory=mostly_dram(rng))


def causal_mask(rng, tensor, kind, args):
    _, _, rows, columns = tensor["shape"]
    return spec([1, 1, rng.choice([rows, rows, 32]), columns], kind, memory=mostly_dram(rng))


def attention_args(rng, inputs, args):
    args["head_size"] = rng.choice([None, 64])


def scale_mask_args(rng, inputs, args):
    args["scale"] = rng.choice([None, 0.125]) if len(inputs) > 1 else None
    args["numeric_stable"] = rng.random() < 0.5


def scale_causal_mask_args(rng, inputs, args):
    args["scale"], args["numeric_stable"] = rng.choice([None, 0.125]), rng.random() < 0.5


def softmax_keywords(ttnn, args, out):
    """Keyword arguments that the softmaxes of attention share; those in place take no memory config."""
    keywords = given(args, "numeric_stable") | ({"memory_config": out} if out else {})
    if "program_config" in args:
        config = dict(args["program_config"])
        keywords["program_config"] = ttnn.SoftmaxShardedMultiCoreProgramConfig(
            compute_with_storage_grid_size=tuple(config.pop("grid")), **config)
    return keywords


def call_softmax_in_place(ttnn, inputs, args, out):
    return ttnn.softmax_in_place(inputs[0], **softmax_keywords(ttnn, args, out))


def call_attention_softmax(name):
    def call(ttnn, inputs, args, out):
        mask = inputs[1] if len(inputs) > 1 else None
        return getattr(ttnn.transformer, name)(inputs[0], attention_mask=mask, **softmax_keywords(ttnn, args, out),
                                               **given(args, "head_size", "causal_mask"))

    return call


def call_scaled_softmax(name):
    def call(ttnn, inputs, args, out):
        causal = {"is_causal_mask": args["causal_mask"]} if "causal_mask" in args else {}
        return getattr(ttnn, name)(inputs[0], args["scale"], inputs[1] if len(inputs) > 1 else None,
                                   **softmax_keywords(ttnn, args, out), **causal)

    return call


def norm(rng, grid):
    width = height(rng, 3000)
    memory = interleaved(rng)
    inputs = [spec((*batches(rng), height(rng, 600), width), rng.choice(FLOATS), "TILE", memory)]
    args = {}
    for name in ("weight", "bias"):
        if rng.random() < 0.4:
            inputs.append(spec((1, width), rng.choice(("bfloat16", "bfloat16", "float32")), "TILE", rng.choice((DRAM, memory))))
            args[name] = True
    return row(inputs, args, interleaved(rng))


def norm_with_residual(rng, grid):
    config = norm(rng, grid)
    inputs, args = config["inputs"], config["args"]
    inputs.insert(1, spec(list(inputs[0]["shape"]), rng.choice(("bfloat16", inputs[0]["dtype"])), "TILE", interleaved(rng)))
    args["residual"] = True
    return config


def sharded_norm(rng, grid):
    shape, config = sharded(rng, grid, ("WIDTH_SHARDED", "BLOCK_SHARDED"), tiles=rng.choice((2, 4, 8)))
    inputs, args = [spec(shape, rng.choice(("bfloat16", "bfloat16", "float32", "bfloat8_b")), "TILE", config)], {}
    for name in ("weight", "bias"):
        if rng.random() < 0.4:
            inputs.append(spec((1, shape[3]), "bfloat16", "TILE", DRAM))
            args[name] = True
    return row(inputs, args, config)


def norm_in_shards(rng, grid):
    """args: which operands follow the input; program: grid, subblock_w, block_h, block_w, inplace."""
    shape, config = sharded(rng, grid, ("WIDTH_SHARDED", "BLOCK_SHARDED"), tiles=rng.choice((2, 4, 8)))
    dtype = rng.choice(("bfloat16", "bfloat16", "float32", "bfloat8_b"))
    inputs, args = [spec(shape, dtype, "TILE", config)], {}
    if rng.random() < 0.5:
        inputs.append(spec(shape, rng.choice((dtype, "bfloat16")), "TILE", config))
        args["residual"] = True
    for name in ("weight", "bias"):
        if rng.random() < 0.5:
            rows = rng.random() < 0.4
            inputs.append(spec((1, 1, shape[3] // 32, 32) if rows else (1, 1, 1, shape[3]), "bfloat16",
                               "ROW_MAJOR" if rows else "TILE", DRAM))
            args[name] = True
    if rng.random() < 0.7:
        box = [max(each[i] for each in config["shard_grid"]) + 1 for i in (2, 3)]
        block = config["shard_shape"][1] // 32
        args["program"] = {"grid": box, "subblock_w": rng.choice([n for n in range(1, 5) if block % n == 0]),
                           "block_h": config["shard_shape"][0] // 32, "block_w": block,
                           "inplace": "residual" not in args and rng.random() < 0.4}
    return row(inputs, args, config)


def norm_of_tile_rows(rng, grid):
    """Weight and bias of whole tiles, of other dtypes, wider ones, and those that are refused."""
    if rng.random() < 0.3:
        shape, memory = sharded(rng, grid, ("WIDTH_SHARDED", "BLOCK_SHARDED"), tiles=rng.choice((2, 4)))
    else:
        shape, memory = (*batches(rng), height(rng, 300), height(rng, 1000)), interleaved(rng)
    inputs, args = [spec(shape, rng.choice(("bfloat16", "bfloat16", "float32", "bfloat8_b")), "TILE", memory)], {}
    width, layout = shape[3], rng.choice(("TILE", "TILE", "TILE", "ROW_MAJOR"))
    for name in ("weight", "bias"):
        if rng.random() < 0.3:
            continue
        if layout == "TILE":
            columns = rng.choice((width, width, width, up(width), min(width + 1, up(width)), width + 32))
            lead = rng.choice(((1, 1, 32), (32,), (1, 1, 1), (1,), (), (1, 1, 7), (1, 1, 64)))
            inputs.append(spec((*lead, columns), rng.choice(("bfloat16", "bfloat8_b", "float32", "bfloat4_b")), "TILE", DRAM))
        else:
            inputs.append(spec((1, 1, up(width) // 32, 32), rng.choice(("bfloat16", "float32")), "ROW_MAJOR", DRAM))
        args[name] = True
    return row(inputs, args, memory)


def by_welford(generate):
    """Welford's method, rows of up to 9,000 elements, a table of reciprocals for as many elements as the rows of a core have; some have none."""
    def welford(rng, grid):
        config = generate(rng, grid)
        inputs, args = config["inputs"], config["args"]
        memory = inputs[0]["memory_config"]
        if rng.random() < 0.5:  # in shards only these are reduced so
            inputs[0]["dtype"] = "float32"
        if "shard_shape" not in memory and all(each["layout"] == "TILE" for each in inputs) and rng.random() < 0.3:
            for each in {id(each["shape"]): each["shape"] for each in inputs}.values():
                each[-1] *= 3
        if "shard_shape" in memory:
            width, cores = memory["shard_shape"][1], memory["shard_grid"]
            args.setdefault("program", {"grid": [max(each[i] for each in cores) + 1 for i in (2, 3)], "subblock_w": 1,
                                        "block_h": memory["shard_shape"][0] // 32, "block_w": width // 32, "inplace": False})
        else:
            config["out_mem"] = DRAM  # what fits into L1 is recorded without dispatch, when results have no place there yet
            width, cores = inputs[0]["shape"][-1], rng.choice(([[0, 0, grid[0] - 1, grid[1] - 1]], [[0, 0, 3, 1]]))
        args.setdefault("program", {})["use_welford"] = rng.random() < 0.9
        if rng.random() < 0.9:
            count = sum((x1 - x0 + 1) * (y1 - y0 + 1) for x0, y0, x1, y1 in cores)
            table = {"memory_layout": "HEIGHT_SHARDED", "buffer_type": "L1", "shard_grid": cores, "shard_shape": [1, width],
                     "orientation": "ROW_MAJOR"}
            inputs.append(spec((count, width), "float32", "ROW_MAJOR", table))
            args["recip_tensor"] = True
        if rng.random() < 0.4:
            args["kernels"] = [rng.random() < 0.6, rng.random() < 0.5]
        return config

    return welford


def call_norm(name):
    def call(ttnn, inputs, args, out):
        rest = list(inputs[1:])
        names = {"residual": "residual_input_tensor", "weight": "weight", "bias": "bias", "recip_tensor": "recip_tensor"}
        named = {to: rest.pop(0) for key, to in names.items() if args.get(key)}
        if "program" in args:
            program = dict(args["program"])
            if "grid" in program:
                program["compute_with_storage_grid_size"] = program.pop("grid")
                named["program_config"] = ttnn.LayerNormShardedMultiCoreProgramConfig(**program)
            else:
                named["program_config"] = ttnn.LayerNormDefaultProgramConfig(**program)
        if "kernels" in args:
            named["compute_kernel_config"] = kernels(ttnn, args)
        if "activation" in args:
            named["activation"] = args["activation"]
        return operator.attrgetter(name)(ttnn)(inputs[0], epsilon=1e-12, memory_config=out, **named)
    return call


def with_activation(*generators):
    """Of one of these kinds, most with a function after them."""
    def generate(rng, grid):
        config = rng.choice(generators)(rng, grid)
        if rng.random() < 0.8:
            config["args"]["activation"] = rng.choice(["silu", "gelu", "relu"])
        return config
    return generate


def norm_over_chips(kind, stage):
    """A norm of rows in shards: stage "pre" sums them, "post" normalizes them by the sums of several chips; one call in
    six is refused."""
    def generate(rng, grid):
        columns, rows = rng.choice(((1, 1), (8, 1), (4, 2), (1, 4), (2, 2), (8, 2), (8, 4), (4, 1), (3, 3)))
        x, y = rng.choice(((0, 0), (0, 0), (rng.randrange(grid[0] - columns + 1), rng.randrange(grid[1] - rows + 1))))
        block, cores = rng.choice((1, 2, 3, 4, 8)), [[x, y, x + columns - 1, y + rows - 1]]
        height, images = rng.choice((32, 32, 32, 32, 32, 17, 1)), rng.choice((1, 1, 1, 2, 3))
        shape, config = (images, 1, height, columns * rows * block * 32), shard_config("WIDTH_SHARDED", (32 * images, block * 32), cores)
        if images == rows:  # an image on each row of cores
            shape, config = (images, 1, height, columns * block * 32), shard_config("BLOCK_SHARDED", (32, block * 32), cores)
        kind_of = rng.random()
        if kind_of < 0.06:
            shape, config = (1, 1, 64, shape[3]), shard_config("WIDTH_SHARDED", (64, block * 32), cores)
        inputs = [spec(shape, rng.choice(("bfloat16", "bfloat16", "bfloat8_b", "float32")), "TILE", config)]
        args = {"program": {"grid": [columns, rows], "subblock_w": rng.choice(divisors(block, 4)),
                            "block_h": config["shard_shape"][0] // 32, "block_w": block, "inplace": rng.random() < 0.1}}
        if kind_of > 0.96:
            args.pop("program")
        if rng.random() < 0.5:
            args["kernels"] = [rng.random() < 0.6, rng.random() < 0.5]
        if stage == "pre":
            if rng.random() < 0.4:
                inputs.append(spec(shape, rng.choice((inputs[0]["dtype"], "bfloat16")), "TILE", config))
                args["residual"] = True
            return row(inputs, args, rng.choice((None, None, config)))
        sums = (2 if kind == "layer_norm" else 1) * rng.choice((1, 2, 4, 8))
        stats = shard_config("WIDTH_SHARDED", (shape[0] * up(shape[2]), 32 * sums), [[x, y, x, y]])
        inputs.append(spec((*shape[:3], 32 * sums), "float32" if 0.06 < kind_of < 0.09 else "bfloat16", "TILE",
                           L1 if 0.09 < kind_of < 0.12 else stats))
        sticks = rng.random() < 0.3
        for name in ("weight", "bias"):
            if rng.random() < 0.6:
                inputs.append(spec((1, 1, shape[3] // 32, 32) if sticks else (1, 1, 1, shape[3]),
                                   rng.choice(("bfloat16", "float32" if sticks else "bfloat8_b")),
                                   "ROW_MAJOR" if sticks else "TILE", DRAM))
                args[name] = True
        if rng.random() < 0.4:
            args["dtype"] = rng.choice(("bfloat16", "bfloat8_b", "float32"))
        if config["memory_layout"] == "BLOCK_SHARDED":
            return row(inputs, args, rng.choice((None, config)))
        other = rng.choice(divisors(shape[3] // 32, grid[0] * grid[1]))
        elsewhere = shard_config("WIDTH_SHARDED", (config["shard_shape"][0], shape[3] // other), row_wise(other, grid))
        return row(inputs, args, rng.choice((None, config, elsewhere, elsewhere)))

    return generate


def call_norm_over_chips(name, stage):
    def call(ttnn, inputs, args, out):
        rest, named = list(inputs[1:]), {}
        for key, to in (("residual", "residual_input_tensor"), ("stats", "stats"), ("weight", "weight"), ("bias", "bias")):
            if args.get(key) or (key == "stats" and stage == "post"):
                named[to] = rest.pop(0)
        if "program" in args:
            program = dict(args["program"])
            named["program_config"] = ttnn.LayerNormShardedMultiCoreProgramConfig(
                compute_with_storage_grid_size=program.pop("grid"), **program)
        if "kernels" in args:
            named["compute_kernel_config"] = kernels(ttnn, args)
        if "dtype" in args:
            named["dtype"] = getattr(ttnn, args["dtype"])
        return getattr(ttnn, f"{name}_{stage}_all_gather")(inputs[0], memory_config=out, **named)

    return call


def batch_norm(rng, grid):
    """As a model that is not trained calls it; args: which operands follow the input."""
    channels = rng.choice((1, 3, 16, 64, rng.randrange(1, 200)))
    shape = (rng.randrange(1, 4), channels, edge(rng), edge(rng))
    dtype = rng.choice(("bfloat16", "bfloat16", "float32"))
    inputs, args = [spec(shape, dtype, "TILE", interleaved(rng))], {}
    for name in ("running_mean", "running_var", "weight", "bias"):
        if name in ("running_mean", "running_var") or rng.random() < 0.6:
            other = dtype if rng.random() < 0.8 else rng.choice(("bfloat16", "float32"))
            inputs.append(spec((1, channels, 1, 1), other, "TILE", interleaved(rng)))
            args[name] = True
    return row(inputs, args, rng.choice((None, DRAM, L1)))


def call_batch_norm(ttnn, inputs, args, out):
    named = dict(zip(args, inputs[1:]))
    return ttnn.batch_norm(inputs[0], training=False, eps=1e-5, memory_config=out, **named)


def tile_span(width, group):
    """Tiles that a group of so many columns touches at most."""
    return max((start + group - 1) // 32 - start // 32 + 1 for start in range(0, width, group))


def group_norm(rng, grid):
    while True:
        groups = rng.choice((8, 16, 32, 32))
        channels = rng.choice((64, 128, 256, 320, 480, 512, 640, 960, 1280))
        batch = rng.choice((1, 1, 2, 4))
        block = rng.random() < 0.6
        columns = rng.choice((1, 2, 4, 8)) if block else 1
        rows = rng.randrange(1, grid[1] + 1) if block else rng.choice((4, 8, 16, 32, 64))
        height = 32 * rng.randrange(1, 9)
        pixels = height * rows
        fits = channels % groups == 0 and groups % columns == 0 and pixels % batch == 0 and pixels // batch % 32 == 0
        even = max(batch, rows) % min(batch, rows) == 0 and height % max(1, batch // rows) == 0
        if fits and even and columns <= grid[0] and rows * columns <= grid[0] * grid[1] and height * channels // columns < 90000:
            break
    width = channels // columns
    tiled = rng.random() < 0.5 and width % 32 == 0
    layout = "TILE" if tiled else "ROW_MAJOR"
    memory = (shard_config("BLOCK_SHARDED", (height, width), rectangle(columns, rows)) if block
              else shard_config("HEIGHT_SHARDED", (height, width), row_wise(rows, grid)))
    span = tile_span(width, channels // groups)
    args = {"num_groups": groups, "weight": rng.random() < 0.8, "bias": rng.random() < 0.8, "inplace": not tiled and rng.random() < 0.6,
            "core_grid": [columns, rows] if block else [min(rows, grid[0]), -(-rows // grid[0])]}
    if not args["inplace"] and rng.random() < 0.3 and width % 32 == 0:
        args["output_layout"] = rng.choice(("TILE", "ROW_MAJOR"))
    inputs = [spec((batch, 1, pixels // batch, channels), "bfloat16", layout, memory),
              spec((1, groups, 32, 32 * span), rng.choice(("bfloat16", "bfloat16", "bfloat8_b")), "TILE", DRAM)]
    padded = columns * up(width)
    for name in ("weight", "bias"):
        if args[name]:
            inputs.append(spec((1, 1, padded // 32, 32), "bfloat16", "ROW_MAJOR", DRAM))
    return row(inputs, args, memory)


def virtual_columns(columns, channels, groups):
    """Among how many columns of cores TT-NN shares out the channels of an interleaved group_norm."""
    return next(n for n in range(min(columns, groups), 0, -1) if channels // n % 32 == 0 and groups % n == 0)


def group_norm_interleaved(rng, grid):
    while True:
        groups = rng.choice((2, 4, 8, 16, 32, 32, 32))
        channels = rng.choice((64, 96, 128, 192, 256, 320, 320, 480, 512, 640, 640, 960, 1280, 1280, 1920, 2560))
        batch = rng.choice((1, 1, 1, 2, 2, 4))
        pixels = rng.choice((64, 128, 256, 576, 1024, 2304, 4096, 4096, 9216, 16384, 50, 100, 1000, 32 * rng.randrange(1, 40)))
        if channels % groups == 0 and batch * pixels * channels < 3e7:
            break
    dtype = rng.choice(("bfloat16",) * 6 + ("float32",))
    args = {"num_groups": groups, "mask": pixels % 32 == 0 and rng.random() < 0.5, "weight": rng.random() < 0.8, "bias": rng.random() < 0.8,
            "inplace": False}
    columns = grid[0]
    if rng.random() < 0.4:
        args["core_grid"] = [rng.choice((columns, columns, 8, rng.randrange(1, columns + 1))), rng.choice((grid[1], 8, rng.randrange(1, grid[1] + 1)))]
        columns = args["core_grid"][0]
        if rng.random() < 0.5:
            args["num_out_blocks"] = rng.choice((-1, -1, 1, 2, 3, 4))
    if rng.random() < 0.15:
        args["use_welford"] = True
    memory = rng.choice((DRAM, DRAM, L1))
    inputs = [spec((batch, 1, pixels, channels), dtype, "TILE", memory)]
    if args["mask"]:
        width = channels // virtual_columns(columns, channels, groups)
        inputs.append(spec((1, groups, 32, 32 * tile_span(width, channels // groups)), "bfloat16", "TILE", DRAM))
    for name in ("weight", "bias"):
        if args[name]:
            inputs.append(spec((1, 1, channels // 32, 32), "bfloat16", "ROW_MAJOR", DRAM))
    return row(inputs, args, memory)


def group_norm_whole_images(rng, grid):
    """A group norm of an interleaved tensor with as many images as rows of cores, or more: no core shares one."""
    while True:
        groups = rng.choice((1, 2, 4, 8, 16, 32))
        channels = rng.choice((64, 96, 128, 256, 320, 480, 640, 1280))
        batch = rng.choice((1, 1, 2, 3, 4, 6, 8))
        cores = [rng.choice((1, 1, 2, 4, 8)), rng.choice((1, 1, 2, 4))]
        columns = virtual_columns(cores[0], channels, groups) if channels % groups == 0 else 0
        if columns and batch % (cores[0] // columns * cores[1]) == 0:
            break
    pixels = rng.choice((32, 64, 128, 256, 1024, 50, 100))
    dtype = rng.choice(("bfloat16",) * 3 + ("float32",))
    args = {"num_groups": groups, "mask": pixels % 32 == 0 and rng.random() < 0.5, "weight": rng.random() < 0.8, "bias": rng.random() < 0.8,
            "inplace": False, "core_grid": cores}
    if rng.random() < 0.5:
        args["num_out_blocks"] = rng.choice((-1, 1, 2))
    if rng.random() < 0.3:
        args["use_welford"] = True
    memory = rng.choice((DRAM, DRAM, L1))
    inputs = [spec((batch, 1, pixels, channels), dtype, "TILE", memory)]
    if args["mask"]:
        width = 32 * tile_span(channels // columns, channels // groups)
        inputs.append(spec((1, groups, 32, width), rng.choice(("bfloat16", "bfloat8_b")), "TILE", DRAM))
    for name in ("weight", "bias"):
        if args[name]:
            inputs.append(spec((1, 1, channels // 32, 32), "bfloat16", "ROW_MAJOR", DRAM))
    return row(inputs, args, memory)


def call_group_norm(ttnn, inputs, args, out):
    rest = list(inputs[2 if args.get("mask", True) else 1:])
    more = {name: rest.pop(0) for name in ("weight", "bias") if args[name]}
    if "output_layout" in args:
        more["output_layout"] = getattr(ttnn, args["output_layout"] + "_LAYOUT")
    if args.get("mask", True):
        more["input_mask"] = inputs[1]
    if "core_grid" in args:
        more["core_grid"] = ttnn.CoreGrid(x=args["core_grid"][0], y=args["core_grid"][1])
    for name in ("num_out_blocks", "use_welford"):
        if name in args:
            more[name] = args[name]
    return ttnn.group_norm(inputs[0], num_groups=args["num_groups"], epsilon=1e-5, memory_config=out, inplace=args["inplace"], **more)


CONFIGURATIONS = {
    "softmax": (softmax, call_softmax),
    "softmax:sharded": (sharded_softmax, call_softmax),
    "softmax:row_major": (row_major_softmax, call_softmax),
    "softmax:others": (softmax_over_others, call_softmax),
    "softmax:kernels": (with_kernels(softmax, softmax, sharded_softmax), call_softmax_with_kernels),
    "softmax_in_place": (softmax_of_shards(), call_softmax_in_place),
    "attention_softmax": (attention_softmax, call_attention_softmax("attention_softmax")),
    "attention_softmax_": (attention_softmax_in_place, call_attention_softmax("attention_softmax_")),
    "attention_softmax_:sharded": (softmax_of_shards(some_mask, attention_args), call_attention_softmax("attention_softmax_")),
    "scale_mask_softmax": (scale_mask_softmax, call_scaled_softmax("scale_mask_softmax")),
    "scale_mask_softmax_in_place": (scale_mask_softmax_in_place, call_scaled_softmax("scale_mask_softmax_in_place")),
    "scale_mask_softmax_in_place:sharded": (
        softmax_of_shards(some_mask, scale_mask_args), call_scaled_softmax("scale_mask_softmax_in_place")),
    "scale_causal_mask_hw_dims_softmax_in_place": (
        softmax_of_shards(causal_mask, scale_causal_mask_args), call_scaled_softmax("scale_causal_mask_hw_dims_softmax_in_place")),
    **{name: (norm, call_norm(name)) for name in ("layer_norm", "rms_norm")},
    "dit_rms_norm_unary_fused": (with_activation(norm, norm_with_residual), call_norm("experimental.dit_rms_norm_unary_fused")),
    "dit_rms_norm_unary_fused:shards": (with_activation(sharded_norm, norm_in_shards), call_norm("experimental.dit_rms_norm_unary_fused")),
    **{name + ":sharded": (sharded_norm, call_norm(name)) for name in ("layer_norm", "rms_norm")},
    **{name + ":program": (norm_in_shards, call_norm(name)) for name in ("layer_norm", "rms_norm")},
    **{name + ":rows": (norm_of_tile_rows, call_norm(name)) for name in ("layer_norm", "rms_norm")},
    "layer_norm:welford": (by_welford(norm), call_norm("layer_norm")),
    "layer_norm:welford_residual": (by_welford(norm_with_residual), call_norm("layer_norm")),
    "layer_norm:welford_rows": (by_welford(norm_of_tile_rows), call_norm("layer_norm")),
    "layer_norm:welford_shards": (by_welford(norm_in_shards), call_norm("layer_norm")),
    **{name + ":kernels": (with_kernels(norm, norm, norm_in_shards), call_norm(name)) for name in ("layer_norm", "rms_norm")},
    **{f"{name}_{stage}_all_gather:shards": (norm_over_chips(name, stage), call_norm_over_chips(name, stage))
       for name in ("layer_norm", "rms_norm") for stage in ("pre", "post")},
    "batch_norm": (batch_norm, call_batch_norm),
    "group_norm": (group_norm, call_group_norm),
    "group_norm:interleaved": (group_norm_interleaved, call_group_norm),
    "group_norm:whole_images": (group_norm_whole_images, call_group_norm),
    **in_shards.NORMALIZATION,
}
