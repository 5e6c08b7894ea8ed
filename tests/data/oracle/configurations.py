# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random configurations of operations, and how each is called. record.py records what TT-NN makes of them."""

DRAM = {"memory_layout": "INTERLEAVED", "buffer_type": "DRAM"}
L1 = {"memory_layout": "INTERLEAVED", "buffer_type": "L1"}
FLOATS = ("bfloat16", "bfloat16", "float32", "bfloat8_b")


def spec(shape, dtype="bfloat16", layout="TILE", memory=DRAM):
    return {"shape": list(shape), "dtype": dtype, "layout": layout, "memory_config": memory}


def up(value, multiple=32):
    return -(-value // multiple) * multiple


def interleaved(rng):
    return rng.choice((DRAM, L1))


def height(rng, top=900):
    return rng.choice((rng.randrange(1, top), 32 * rng.randrange(1, top // 32 + 1), rng.choice((32, 64, 128, 256, 512))))


def batches(rng):
    return rng.choice(((1, 1), (1, 1), (1, rng.randrange(1, 9)), (rng.randrange(1, 5), rng.randrange(1, 5))))


def shape4(rng, top=900):
    return (*batches(rng), height(rng, top), height(rng, top))


def rectangle(cores_x, cores_y):
    return [[0, 0, cores_x - 1, cores_y - 1]]


def row_wise(cores, grid):
    """So many cores, row by row, as rectangles."""
    x, _ = grid
    if cores <= x:
        return [[0, 0, cores - 1, 0]]
    rows, rest = divmod(cores, x)
    return [[0, 0, x - 1, rows - 1]] + ([[0, rows, rest - 1, rows]] if rest else [])


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


def row(inputs, args=None, out=None):
    return {"inputs": inputs, "args": args or {}, "out_mem": out}


# --- elementwise


def unary(rng, grid):
    if rng.random() < 0.25:
        shape, config = sharded(rng, grid)
        return row([spec(shape, rng.choice(FLOATS), "TILE", config)], out=config)
    layout = rng.choice(("TILE", "TILE", "TILE", "ROW_MAJOR"))
    dtype = rng.choice(FLOATS if layout == "TILE" else ("bfloat16", "float32"))
    return row([spec(shape4(rng), dtype, layout, interleaved(rng))], out=interleaved(rng))


def binary(rng, grid):
    kind = rng.random()
    dtype = rng.choice(FLOATS)
    if kind < 0.15:
        shape, config = sharded(rng, grid)
        return row([spec(shape, dtype, "TILE", config)] * 2, out=config)
    shape = shape4(rng)
    if kind < 0.25:
        return row([spec(shape, dtype, "TILE", interleaved(rng))], {"scalar": 2.5}, interleaved(rng))
    if kind < 0.6:
        return row([spec(shape, dtype, "TILE", interleaved(rng)), spec(shape, dtype, "TILE", interleaved(rng))],
                   out=interleaved(rng))
    other = [rng.choice((each, each, 1)) for each in shape]
    sides = [list(shape), other]
    if rng.random() < 0.3:
        sides = [[rng.choice((each, each, 1)) for each in shape], other]
        sides[0] = [a if b != 1 else c for a, b, c in zip(sides[0], other, shape)]
    rng.shuffle(sides)
    second = dtype if rng.random() < 0.6 else rng.choice(FLOATS)
    return row([spec(sides[0], dtype, "TILE", interleaved(rng)), spec(sides[1], second, "TILE", interleaved(rng))],
               {"broadcast": True}, interleaved(rng))


def typecast(rng, grid):
    return row([spec(shape4(rng), rng.choice(FLOATS), "TILE", interleaved(rng))], {"to": rng.choice(FLOATS)}, interleaved(rng))


def sharded_typecast(rng, grid):
    """Shards to the same shards, to none, and to shards from none."""
    dtype = rng.choice((*FLOATS, "uint32", "int32", "uint16"))
    shape, memory = sharded(rng, grid, dtype=dtype)
    here, there = rng.choice(((memory, memory), (memory, memory), (memory, memory), (memory, interleaved(rng)),
                              (interleaved(rng), memory)))
    return row([spec(shape, dtype, "TILE", here)], {"to": rng.choice((*FLOATS, "uint32", "int32", "uint16"))}, there)


# --- rows of a tensor


def softmax(rng, grid):
    dim = rng.choice((-1, -1, -1, -2, 3, 2, 1))
    return row([spec(shape4(rng, 2000 if dim == -1 else 600), rng.choice(FLOATS), "TILE", interleaved(rng))], {"dim": dim},
               interleaved(rng))


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


def sharded_norm(rng, grid):
    shape, config = sharded(rng, grid, ("WIDTH_SHARDED", "BLOCK_SHARDED"), tiles=rng.choice((2, 4, 8)))
    inputs, args = [spec(shape, rng.choice(("bfloat16", "bfloat16", "float32", "bfloat8_b")), "TILE", config)], {}
    for name in ("weight", "bias"):
        if rng.random() < 0.4:
            inputs.append(spec((1, shape[3]), "bfloat16", "TILE", DRAM))
            args[name] = True
    return row(inputs, args, config)


def sharded_softmax(rng, grid):
    shape, config = sharded(rng, grid)
    return row([spec(shape, rng.choice(FLOATS), "TILE", config)], {"dim": rng.choice((-1, -1, -2))}, config)


def row_major_softmax(rng, grid):
    return row([spec(shape4(rng, 600), rng.choice(("bfloat16", "float32")), "ROW_MAJOR", interleaved(rng))], {"dim": -1},
               interleaved(rng))


def sharded_reduce(rng, grid):
    shape, config = sharded(rng, grid)
    return row([spec(shape, rng.choice(FLOATS), "TILE", config)], {"dim": rng.choice((-1, -2)), "keepdim": True},
               rng.choice((config, DRAM, L1, None)))


def sharded_transpose(rng, grid):
    shape, config = sharded(rng, grid)
    return row([spec(shape, rng.choice(FLOATS), "TILE", config)], {"dim0": -2, "dim1": -1}, rng.choice((None, DRAM, L1)))


def reduce(rng, grid):
    dim = rng.choice((-1, -2, -1, -2, 0, 1, None, [2, 3], [1, 2], [0, 1]))
    return row([spec(shape4(rng), rng.choice(FLOATS), "TILE", interleaved(rng))],
               {"dim": dim, "keepdim": rng.choice((True, True, False))}, interleaved(rng))


def reduce_rows(rng, grid):
    """Of a ROW_MAJOR tensor."""
    config = reduce(rng, grid)
    shape = config["inputs"][0]["shape"]
    if rng.random() < 0.3:
        shape = shape[1:]
        config["args"]["dim"] = rng.choice((-1, -2, 0, None, [0, 2], [1, 2]))
    config["inputs"][0].update(shape=shape, dtype=rng.choice(("bfloat16", "bfloat16", "float32")), layout="ROW_MAJOR")
    return config


# --- matrices


def matrices(rng):
    scale = rng.choice((4, 12, 40))
    m, k, n = (rng.choice((32 * rng.randrange(1, scale + 1), rng.randrange(1, 32 * scale))) for _ in range(3))
    if rng.random() < 0.6:
        m, k, n = up(m), up(k), up(n)
    return m, k, n


def matmul(rng, grid):
    m, k, n = matrices(rng)
    batch = rng.choice(((1, 1), (1, 1), (1, rng.randrange(2, 9)), (rng.randrange(2, 4), rng.randrange(1, 5))))
    right = batch if rng.random() < 0.6 else (1, 1)
    memory = interleaved(rng)
    dtype = rng.choice(FLOATS)
    args = {}
    a, b = [*batch, m, k], [*right, k, n]
    if rng.random() < 0.2:
        args["transpose_b"] = True
        b[2], b[3] = b[3], b[2]
    if rng.random() < 0.1:
        args["transpose_a"] = True
        a[2], a[3] = a[3], a[2]
    if rng.random() < 0.15:
        args["core_grid"] = [rng.randrange(1, grid[0] + 1), rng.randrange(1, grid[1] + 1)]
    if rng.random() < 0.2:
        args["kernels"] = [rng.choice((True, False)), rng.choice((True, False))]
    return row([spec(a, dtype, "TILE", memory),
                spec(b, dtype if rng.random() < 0.8 else rng.choice(FLOATS), "TILE", rng.choice((memory, DRAM)))],
               args, interleaved(rng))


def linear(rng, grid):
    m, k, n = matrices(rng)
    memory = interleaved(rng)
    dtype = rng.choice(("bfloat16", "bfloat16", "bfloat8_b", "float32"))
    inputs = [spec((*batches(rng), m, k), dtype, "TILE", memory), spec((1, 1, k, n), dtype, "TILE", rng.choice((memory, DRAM)))]
    args = {}
    if rng.random() < 0.2:
        args["transpose_b"] = True
        inputs[1]["shape"] = [1, 1, n, k]
    if rng.random() < 0.7:
        inputs.append(spec((1, n), dtype, "TILE", rng.choice((memory, DRAM))))
        args["bias"] = True
    if rng.random() < 0.3:
        args["activation"] = rng.choice(("relu", "gelu", "silu"))
    if rng.random() < 0.2:
        args["kernels"] = [rng.choice((True, False)), rng.choice((True, False))]
    return row(inputs, args, interleaved(rng))


# --- data movement


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


def permute(rng, grid):
    dims = [0, 1, 2, 3]
    rng.shuffle(dims)
    return row([any_layout(rng, 300)], {"dims": dims}, interleaved(rng))


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


def embedding(rng, grid):
    ids = (rng.randrange(1, 9), rng.choice((rng.randrange(1, 200), 32 * rng.randrange(1, 17))))
    table = (rng.randrange(2, 3000), rng.choice((32 * rng.randrange(1, 64), rng.randrange(1, 500) * 2)))
    memory = interleaved(rng)
    layout = rng.choice(("TILE", "ROW_MAJOR"))
    return row([spec(ids, "uint32", "ROW_MAJOR", memory), spec(table, "bfloat16", "ROW_MAJOR", memory)], {"out_layout": layout},
               interleaved(rng))


def to_layout(rng, grid):
    tensor = any_layout(rng, 800)
    return row([tensor], {"to": "ROW_MAJOR" if tensor["layout"] == "TILE" else "TILE"}, interleaved(rng))


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


def call_unary(name):
    return lambda ttnn, inputs, args, out: getattr(ttnn, name)(inputs[0], memory_config=out)


def call_binary(name):
    def call(ttnn, inputs, args, out):
        other = args["scalar"] if "scalar" in args else inputs[1]
        return getattr(ttnn, name)(inputs[0], other, memory_config=out)
    return call


def call_norm(name):
    def call(ttnn, inputs, args, out):
        rest = list(inputs[1:])
        named = {key: rest.pop(0) for key in ("weight", "bias") if args.get(key)}
        return getattr(ttnn, name)(inputs[0], epsilon=1e-12, memory_config=out, **named)
    return call


def call_softmax(ttnn, inputs, args, out):
    return ttnn.softmax(inputs[0], dim=args["dim"], memory_config=out)


def call_transpose(ttnn, inputs, args, out):
    return ttnn.transpose(inputs[0], args["dim0"], args["dim1"], memory_config=out)


def kernels(ttnn, args):
    """What compute_kernel_config says, of args["kernels"]: fp32_dest_acc_en, packer_l1_acc."""
    if "kernels" not in args:
        return None
    return ttnn.WormholeComputeKernelConfig(math_fidelity=ttnn.MathFidelity.HiFi2, math_approx_mode=False,
                                            fp32_dest_acc_en=args["kernels"][0], packer_l1_acc=args["kernels"][1])


def call_matmul(ttnn, inputs, args, out):
    grid = ttnn.CoreGrid(x=args["core_grid"][0], y=args["core_grid"][1]) if "core_grid" in args else None
    return ttnn.matmul(inputs[0], inputs[1], transpose_a=args.get("transpose_a", False),
                       transpose_b=args.get("transpose_b", False), memory_config=out, core_grid=grid, compute_kernel_config=kernels(ttnn, args))


def call_linear(ttnn, inputs, args, out):
    return ttnn.linear(inputs[0], inputs[1], bias=inputs[2] if args.get("bias") else None,
                       transpose_b=args.get("transpose_b", False), activation=args.get("activation"), memory_config=out,
                       compute_kernel_config=kernels(ttnn, args))


def call_reduce(name):
    return lambda ttnn, inputs, args, out: getattr(ttnn, name)(inputs[0], dim=args["dim"], keepdim=args["keepdim"],
                                                               memory_config=out)


def call_embedding(ttnn, inputs, args, out):
    layout = ttnn.TILE_LAYOUT if args["out_layout"] == "TILE" else ttnn.ROW_MAJOR_LAYOUT
    return ttnn.embedding(inputs[0], inputs[1], layout=layout, memory_config=out)


# --- choices


def where(rng, grid):
    """args: which of the branches are numbers."""
    dtype = rng.choice(("bfloat16", "bfloat16", "float32"))
    if rng.random() < 0.12:
        shape, config = sharded(rng, grid)
        return row([spec(shape, dtype, "TILE", config)] * 3, out=config)
    shape = shape4(rng, 400)
    broadcast = rng.random() < 0.6
    args, inputs = {}, []
    for name in ("condition", "x", "y"):
        if name != "condition" and rng.random() < 0.2:
            args[name] = rng.choice((0.5, 2.0))
            continue
        kind = rng.choice(("row", "column", "one", "outer", "none", "none", "none")) if broadcast else "none"
        own = list(shape)
        if kind in ("row", "one"):
            own[2] = 1
        if kind in ("column", "one"):
            own[3] = 1
        if kind == "outer":
            own[0] = own[1] = 1
        inputs.append(spec(own, dtype if rng.random() < 0.8 else rng.choice(("bfloat16", "float32")), "TILE", interleaved(rng)))
    return row(inputs, args, interleaved(rng))


def call_where(ttnn, inputs, args, out):
    rest = list(inputs[1:])
    branches = [args[name] if name in args else rest.pop(0) for name in ("x", "y")]
    return ttnn.where(inputs[0], *branches, memory_config=out)


def argmax(rng, grid):
    layout = rng.choice(("ROW_MAJOR", "ROW_MAJOR", "TILE"))
    width = rng.choice((rng.randrange(2, 1000), 32 * rng.randrange(1, 200), rng.choice((4096, 32000, 50257))))
    dtype = rng.choice(("bfloat16", "bfloat16", "float32", "int32", "uint32"))
    shape = (*batches(rng), height(rng, 200), width)
    return row([spec(shape, dtype, layout, interleaved(rng))],
               {"dim": rng.choice((-1, -1, -1, 3, None, -2, 1) if layout == "ROW_MAJOR" else (-1, -1, 3, -2, 1)),
                "keepdim": rng.choice((True, False))}, interleaved(rng))


def topk(rng, grid):
    width = rng.choice((rng.randrange(64, 1000), 32 * rng.randrange(2, 100), 64 * 2 ** rng.randrange(0, 11)))
    shape = [*batches(rng), height(rng, 400), width]
    dim = rng.choice((-1, -1, -1, 3, -2))
    if dim == -2:
        shape[2], shape[3] = shape[3], shape[2]
    k = rng.choice((1, 8, 32, 50, 64, rng.randrange(1, 65)))
    return row([spec(shape, rng.choice(("bfloat16", "bfloat16", "bfloat8_b")), "TILE", interleaved(rng))],
               {"k": min(k, width), "dim": dim}, interleaved(rng))


CONFIGURATIONS = {
    "where": (where, call_where),
    "argmax": (argmax, lambda ttnn, i, args, out: ttnn.argmax(
        i[0], dim=args["dim"], keepdim=args["keepdim"], memory_config=out)),
    "topk": (topk, lambda ttnn, i, args, out: ttnn.topk(i[0], args["k"], dim=args["dim"], memory_config=out)),
    **{name: (unary, call_unary(name)) for name in ("relu", "gelu", "exp", "sqrt")},
    **{name: (binary, call_binary(name)) for name in ("add", "multiply", "subtract")},
    "typecast": (typecast, lambda ttnn, i, args, out: ttnn.typecast(i[0], getattr(ttnn, args["to"]), memory_config=out)),
    "typecast:sharded": (sharded_typecast, lambda ttnn, i, args, out: ttnn.typecast(
        i[0], getattr(ttnn, args["to"]), memory_config=out)),
    "softmax": (softmax, call_softmax),
    "layer_norm": (norm, call_norm("layer_norm")),
    "rms_norm": (norm, call_norm("rms_norm")),
    **{name: (reduce, call_reduce(name)) for name in ("sum", "mean", "max", "min")},
    **{name + ":rows": (reduce_rows, call_reduce(name)) for name in ("sum", "mean", "max", "min")},
    "layer_norm:sharded": (sharded_norm, call_norm("layer_norm")),
    "rms_norm:sharded": (sharded_norm, call_norm("rms_norm")),
    "softmax:sharded": (sharded_softmax, call_softmax),
    "softmax:row_major": (row_major_softmax, call_softmax),
    **{name + ":sharded": (sharded_reduce, call_reduce(name)) for name in ("sum", "mean", "max")},
    "transpose:sharded": (sharded_transpose, call_transpose),
    "matmul": (matmul, call_matmul),
    "linear": (linear, call_linear),
    "transpose": (transpose, call_transpose),
    "permute": (permute, lambda ttnn, i, args, out: ttnn.permute(i[0], args["dims"], memory_config=out)),
    "reshape": (reshape, lambda ttnn, i, args, out: ttnn.reshape(i[0], args["shape"])),
    "concat": (concat, lambda ttnn, i, args, out: ttnn.concat(i, dim=args["dim"], memory_config=out)),
    "slice": (slice_, lambda ttnn, i, args, out: ttnn.slice(i[0], args["start"], args["end"], memory_config=out)),
    "embedding": (embedding, call_embedding),
    "to_layout": (to_layout, lambda ttnn, i, args, out: ttnn.to_layout(
        i[0], getattr(ttnn, args["to"] + "_LAYOUT"), memory_config=out)),
    "to_memory_config": (to_memory_config, lambda ttnn, i, args, out: ttnn.to_memory_config(i[0], out)),
}
