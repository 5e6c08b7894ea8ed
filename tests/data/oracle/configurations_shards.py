# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random calls on tensors in shards, for record.py: norms as told by a program config, and what moves or reduces shards."""

from configurations import (DRAM, FLOATS, L1, call_reduce, call_softmax, call_transpose, kernels, norm, row, sharded, sharded_softmax,
                            softmax, spec)


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


def call_norm(name):
    def call(ttnn, inputs, args, out):
        rest = list(inputs[1:])
        names = {"residual": "residual_input_tensor", "weight": "weight", "bias": "bias"}
        named = {to: rest.pop(0) for key, to in names.items() if args.get(key)}
        if "program" in args:
            program = dict(args["program"])
            named["program_config"] = ttnn.LayerNormShardedMultiCoreProgramConfig(
                compute_with_storage_grid_size=program.pop("grid"), **program)
        if "kernels" in args:
            named["compute_kernel_config"] = kernels(ttnn, args)
        return getattr(ttnn, name)(inputs[0], epsilon=1e-12, memory_config=out, **named)
    return call


def with_kernels(*generators):
    """What compute_kernel_config says on top: fp32_dest_acc_en, packer_l1_acc."""
    def generate(rng, grid):
        config = rng.choice(generators)(rng, grid)
        config["args"]["kernels"] = [rng.random() < 0.6, rng.random() < 0.5]
        return config
    return generate


def call_softmax_with_kernels(ttnn, inputs, args, out):
    return ttnn.softmax(inputs[0], dim=args["dim"], memory_config=out, compute_kernel_config=kernels(ttnn, args))


def softmax_over_others(rng, grid):
    shape, config = sharded(rng, grid)
    parts = rng.choice((1, 2, 4))
    if shape[2] % (32 * parts) == 0:
        shape = (1, parts, shape[2] // parts, shape[3])
    return row([spec(shape, rng.choice(FLOATS), "TILE", config)], {"dim": rng.choice((-2, 1, 2, 0, -1))},
               rng.choice((None, None, DRAM, L1, config)))


def reduce_over_others(rng, grid):
    shape, config = sharded(rng, grid)
    parts = rng.choice((1, 2, 4))
    if shape[2] % (32 * parts) == 0:
        shape = rng.choice(((1, parts, shape[2] // parts, shape[3]), (parts, 1, shape[2] // parts, shape[3])))
    return row([spec(shape, rng.choice(("bfloat16", "float32", "bfloat8_b")), "TILE", config)],
               {"dim": rng.choice((0, 1, -1, -2, None, [2, 3], [1, 2])), "keepdim": rng.random() < 0.5},
               rng.choice((None, None, DRAM, L1)))


def some_dims(rng, rank):
    """One dimension, several or all, some counted from the end."""
    if rng.random() < 0.15:
        return None
    dims = [each - rng.choice((0, rank)) for each in rng.sample(range(rank), rng.randrange(1, rank + 1))]
    return dims[0] if len(dims) == 1 and rng.random() < 0.7 else dims


def reduce_any(rng, grid):
    """Interleaved tensors of one to five dimensions over any of them."""
    rank = rng.choice((4, 4, 4, 3, 3, 2, 5, 1))
    edge = lambda: rng.choice((32 * rng.randrange(1, 9), rng.randrange(1, 300), 32 * rng.randrange(1, 40)))
    shape = [rng.randrange(1, 6) for _ in range(rank - 2)] + [edge() for _ in range(min(rank, 2))]
    layout = rng.choice(("TILE", "TILE", "TILE", "TILE", "ROW_MAJOR"))
    dtype = rng.choice(("bfloat16", "bfloat16", "bfloat16", "float32", "bfloat8_b", "int32", "uint32"))
    if layout == "ROW_MAJOR" and dtype == "bfloat8_b":
        dtype = "bfloat16"
    return row([spec(shape, dtype, layout, rng.choice((DRAM, L1)))],
               {"dim": some_dims(rng, rank), "keepdim": rng.random() < 0.5}, rng.choice((None, DRAM, L1)))


def reduce_any_of_shards(rng, grid):
    """Shards over any dimensions; the heights and widths fill whole tiles, or do not."""
    shape, config = sharded(rng, grid)
    if rng.random() < 0.3:
        shape = (*shape[:2], shape[2] - rng.randrange(0, 31), shape[3] - rng.choice((0, rng.randrange(0, 31))))
    parts = rng.choice((1, 2, 4))
    if shape[2] % (32 * parts) == 0:
        shape = rng.choice(((1, parts, shape[2] // parts, shape[3]), (parts, 1, shape[2] // parts, shape[3]),
                            (parts, shape[2] // parts, shape[3])))
    dims = some_dims(rng, len(shape)) if rng.random() < 0.7 else rng.choice((-1, -2, [-2, -1], None))
    return row([spec(shape, rng.choice(("bfloat16", "bfloat16", "float32", "bfloat8_b")), "TILE", config)],
               {"dim": dims, "keepdim": rng.random() < 0.5},
               rng.choice((None, None, DRAM, L1, config)))


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


def transpose_of_row_major_shards(rng, grid):
    shape, config = sharded(rng, grid, ("HEIGHT_SHARDED",))
    dims = rng.choice(((-2, -1), (1, 2), (-2, -1)))
    return row([spec(shape, rng.choice(("bfloat16", "float32")), "ROW_MAJOR", config)], {"dim0": dims[0], "dim1": dims[1]},
               rng.choice((None, DRAM, L1)))


def untilize_of_padded_shards(rng, grid):
    shape, config = sharded(rng, grid)
    shape = (*shape[:2], shape[2] - rng.randrange(0, 31), shape[3] - rng.choice((0, 0, rng.randrange(0, 31))))
    return row([spec(shape, rng.choice(("bfloat16", "float32", "bfloat8_b")), "TILE", config)], {"to": "ROW_MAJOR"},
               rng.choice((None, None, DRAM, L1)))


CONFIGURATIONS = {
    "layer_norm:program": (norm_in_shards, call_norm("layer_norm")),
    "rms_norm:program": (norm_in_shards, call_norm("rms_norm")),
    "layer_norm:kernels": (with_kernels(norm, norm, norm_in_shards), call_norm("layer_norm")),
    "rms_norm:kernels": (with_kernels(norm, norm, norm_in_shards), call_norm("rms_norm")),
    "softmax:kernels": (with_kernels(softmax, softmax, sharded_softmax), call_softmax_with_kernels),
    "softmax:others": (softmax_over_others, call_softmax),
    **{name + ":others": (reduce_over_others, call_reduce(name)) for name in ("sum", "mean", "max")},
    **{name + ":any": (reduce_any, call_reduce(name)) for name in ("sum", "mean", "max", "min")},
    **{name + ":any_shards": (reduce_any_of_shards, call_reduce(name)) for name in ("sum", "mean", "max", "min")},
    "permute:sharded": (permute_of_shards, lambda ttnn, i, args, out: ttnn.permute(i[0], args["dims"], memory_config=out)),
    "reshape:shards": (reshape_of_shards, lambda ttnn, i, args, out: ttnn.reshape(i[0], args["shape"])),
    "transpose:row_major_shards": (transpose_of_row_major_shards, call_transpose),
    "to_layout:padded_shards": (untilize_of_padded_shards, lambda ttnn, i, args, out: ttnn.to_layout(
        i[0], ttnn.ROW_MAJOR_LAYOUT, memory_config=out)),
}
