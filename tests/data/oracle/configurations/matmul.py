# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random matrix products, among them those with a program config (its sizes in tiles)."""

from . import matmul_shards
from .tensor_specs import (DRAM, FLOATS, L1, batches, height, interleaved, interleaved_or_default, kernels, rectangle,
                           row, shard_config, spec, up)

SIZES = (1, 1, 2, 2, 3, 4, 4, 6, 8, 8, 12, 16, 24, 32)
ACTIVATIONS = {"gelu": "GELU", "relu": "RELU", "silu": "SILU"}


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


def call_matmul(ttnn, inputs, args, out):
    grid = ttnn.CoreGrid(x=args["core_grid"][0], y=args["core_grid"][1]) if "core_grid" in args else None
    return ttnn.matmul(inputs[0], inputs[1], transpose_a=args.get("transpose_a", False),
                       transpose_b=args.get("transpose_b", False), memory_config=out, core_grid=grid, compute_kernel_config=kernels(ttnn, args))


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


def call_linear(ttnn, inputs, args, out):
    return ttnn.linear(inputs[0], inputs[1], bias=inputs[2] if args.get("bias") else None,
                       transpose_b=args.get("transpose_b", False), activation=args.get("activation"), memory_config=out,
                       compute_kernel_config=kernels(ttnn, args))


def linear_with_rows_of_bias(rng, grid):
    """A bias for each row, of one row of tiles or more, and some that fit nothing."""
    found = linear(rng, grid)
    inputs, args = found["inputs"][:2], {**found["args"], "bias": True}
    m = rng.choice((32, 32, rng.randrange(1, 33), 64))
    inputs[0]["shape"][-2] = m
    n = inputs[1]["shape"][-2 if args.get("transpose_b") else -1]
    rows = rng.choice((m, m, m, 32))
    shape = rng.choice(((rows, n), (1, 1, rows, n), (1, 1, rows, n), (inputs[0]["shape"][0], 1, rows, n)))
    inputs.append(spec(shape, inputs[0]["dtype"], "TILE", rng.choice((inputs[0]["memory_config"], DRAM))))
    return row(inputs, args, found["out_mem"])


def addmm(rng, grid):
    m, k, n = height(rng, 500), up(height(rng, 300)), height(rng, 500)
    dtype = rng.choice(("bfloat16", "bfloat16", "float32"))
    return row([spec(each, dtype, "TILE", interleaved(rng)) for each in ((m, n), (m, k), (k, n))],
               {"alpha": rng.choice((1.0, 0.5)), "beta": rng.choice((1.0, 2.0))}, interleaved_or_default(rng))


def divisor(rng, number, most):
    return rng.choice([n for n in range(1, min(number, most) + 1) if number % n == 0])


def shards(kind, x, y, rows, columns):
    return shard_config(kind, (32 * rows, 32 * columns), rectangle(x, y))


def subblocks(rng, m, n):
    h = divisor(rng, m, 4)
    return h, divisor(rng, n, 4 // h)


def finish(rng, args, in0, in1, out, width):
    """Types, bias, activation and result of a product [.., M, N]."""
    kinds = [rng.choice(("bfloat16", "bfloat16", "bfloat8_b", "float32")), rng.choice(("bfloat16", "bfloat8_b", "bfloat4_b"))]
    if rng.random() < 0.5:
        args["dtype"] = rng.choice(("bfloat16", "bfloat8_b", "float32"))
    if rng.random() < 0.4:
        args["kernels"] = [rng.random() < 0.5, rng.random() < 0.5]
    inputs = [spec(in0[0], kinds[0], "TILE", in0[1]), spec(in1[0], kinds[1], "TILE", in1[1])]
    if rng.random() < 0.3 and len(in1[0]) == 4 and in1[0][0] * in1[0][1] == 1:
        inputs.append(spec((1, 1, 1, width), rng.choice(("bfloat16", "bfloat8_b")), "TILE", DRAM))
        args["bias"] = True
    return row(inputs, args, out)


def in_two_dimensions(rng, grid):
    x, y = rng.randrange(1, grid[0] + 1), rng.randrange(1, grid[1] + 1)
    per_m, per_n, k = rng.choice(SIZES[:9]), rng.choice(SIZES[:9]), rng.choice(SIZES)
    in_blocks = rng.random() < 0.4
    if in_blocks:
        k = x * rng.choice((1, 1, 2, 3))
    m, n = per_m * y - (0 if in_blocks else rng.randrange(0, per_m)), per_n * x - (0 if in_blocks else rng.randrange(0, per_n))
    h, w = subblocks(rng, per_m, per_n)
    args = {"program": {"kind": "MultiCast", "compute_with_storage_grid_size": [x, y],
                        "in0_block_w": divisor(rng, k // x if in_blocks else k, 8), "out_subblock_h": h, "out_subblock_w": w,
                        "per_core_M": per_m, "per_core_N": per_n, "transpose_mcast": False,
                        "fused_activation": rng.choice((None, None, "gelu", "relu"))}}
    first = shards("BLOCK_SHARDED", x, y, per_m, k // x) if in_blocks else interleaved(rng)
    out = rng.choice((DRAM, L1, None)) if not in_blocks else rng.choice(
        (DRAM, shards("BLOCK_SHARDED", x, y, per_m, per_n), shards("BLOCK_SHARDED", x, y, per_m, per_n)))
    return finish(rng, args, ((1, 1, 32 * m, 32 * k), first), ((1, 1, 32 * k, 32 * n), interleaved(rng)), out, 32 * n)


def along_columns(rng, grid):
    """mcast_in0."""
    x, y = rng.randrange(1, grid[0] + 1), rng.randrange(1, grid[1] + 1)
    cores, m, per_n, k = x * y, rng.choice((1, 1, 1, 2, 4)), rng.choice(SIZES[:7]), rng.choice(SIZES)
    in_shards = rng.random() < 0.5
    if in_shards:
        k = cores * rng.choice((1, 1, 2, 4))
    n = per_n * cores - (0 if in_shards else rng.randrange(0, per_n))
    h, w = subblocks(rng, m, per_n)
    args = {"program": {"kind": "MultiCast1D", "compute_with_storage_grid_size": [x, y],
                        "in0_block_w": divisor(rng, k // cores if in_shards else k, 8), "out_subblock_h": h, "out_subblock_w": w,
                        "per_core_M": m, "per_core_N": per_n, "fuse_batch": True,
                        "fused_activation": rng.choice((None, None, "gelu", "silu")), "mcast_in0": True}}
    first = shards("WIDTH_SHARDED", x, y, m, k // cores) if in_shards else interleaved(rng)
    out = rng.choice((DRAM, L1, None)) if not in_shards else rng.choice(
        (DRAM, shards("WIDTH_SHARDED", x, y, m, per_n), shards("WIDTH_SHARDED", x, y, m, per_n)))
    return finish(rng, args, ((1, 1, 32 * m, 32 * k), first), ((1, 1, 32 * k, 32 * n), interleaved(rng)), out, 32 * n)


def along_rows(rng, grid):
    """not mcast_in0."""
    x, y = rng.randrange(1, grid[0] + 1), rng.randrange(1, grid[1] + 1)
    cores, n, per_m, k = x * y, rng.choice((1, 1, 2, 4, 8)), rng.choice(SIZES[:7]), rng.choice(SIZES[:10])
    in_shards = rng.random() < 0.5
    m = per_m * cores - (0 if in_shards else rng.randrange(0, per_m))
    h, w = subblocks(rng, per_m, n)
    args = {"program": {"kind": "MultiCast1D", "compute_with_storage_grid_size": [x, y], "in0_block_w": divisor(rng, k, 8),
                        "out_subblock_h": h, "out_subblock_w": w, "per_core_M": per_m, "per_core_N": n, "fuse_batch": True,
                        "fused_activation": rng.choice((None, None, "gelu")), "mcast_in0": False}}
    first = shards("HEIGHT_SHARDED", x, y, per_m, k) if in_shards else interleaved(rng)
    if in_shards:
        args["program"]["in0_block_w"] = rng.choice((k, divisor(rng, k, 8)))
    out = rng.choice((DRAM, L1, None)) if not in_shards else rng.choice(
        (DRAM, shards("HEIGHT_SHARDED", x, y, per_m, n), shards("HEIGHT_SHARDED", x, y, per_m, n)))
    return finish(rng, args, ((1, 1, 32 * m, 32 * k), first), ((1, 1, 32 * k, 32 * n), interleaved(rng)), out, 32 * n)


def batched(rng, grid):
    """Reuse: each core makes products of its own."""
    batch, heads, m, k, n = rng.choice((1, 2, 4)), rng.choice((1, 2, 4, 8)), *(rng.choice(SIZES[:9]) for _ in range(3))
    per_m = divisor(rng, m, m) if rng.random() < 0.5 else m
    h, w = subblocks(rng, per_m, n)
    args = {"program": {"kind": "", "compute_with_storage_grid_size": list(grid), "in0_block_w": divisor(rng, k, 8),
                        "out_subblock_h": h, "out_subblock_w": w, "per_core_M": per_m, "per_core_N": n}}
    return finish(rng, args, ((batch, heads, 32 * m, 32 * k), interleaved(rng)),
                  ((batch, heads, 32 * k, 32 * n), interleaved(rng)), rng.choice((DRAM, L1, None)), 32 * n)


def from_dram_shards(rng, grid):
    """in1 in one shard per bank of DRAM, in0 in shards of one row of tiles (seldom more)."""
    banks = 12 if grid[0] == 8 else 8
    x, y = rng.choice(((8, 1), (8, 2), (8, 4), (4, 2), (2, 2), (8, 8), (rng.randrange(1, grid[0] + 1), rng.randrange(1, grid[1] + 1)),
                       (1, 1)))
    cores, m = x * y, 1 if rng.random() < 0.95 else 2
    k, per_n = cores * rng.choice((1, 2, 3, 4)), rng.choice((1, 2, 3, 4, 6, 8))
    n = per_n * cores - (0 if rng.random() < 0.6 else rng.randrange(0, per_n))
    in_bank = -(-n // banks)
    args = {"program": {"kind": "MultiCastDRAMSharded", "in0_block_w": divisor(rng, k // cores, 8), "per_core_M": m,
                        "per_core_N": per_n, "fused_activation": rng.choice((None, None, "silu"))}}
    if rng.random() < 0.15:
        args["program"]["num_workers_per_dram_bank"] = rng.choice((2, 3))
    weights = {"memory_layout": "WIDTH_SHARDED", "buffer_type": "DRAM", "shard_shape": [32 * k, 32 * in_bank],
               "shard_grid": [[0, 0, banks - 1, 0]], "orientation": "ROW_MAJOR"}
    out = shards("WIDTH_SHARDED", x, y, m, per_n) if rng.random() < 0.5 else {"memory_layout": "WIDTH_SHARDED", "buffer_type": "L1"}
    if rng.random() < 0.05:
        out = rng.choice((DRAM, L1, None))
    return finish(rng, args, ((1, 1, 32 * m, 32 * k), shards("WIDTH_SHARDED", x, y, m, k // cores)),
                  ((1, 1, 32 * k, 32 * n), weights), out, 32 * n)


def call_with_program(ttnn, inputs, args, out):
    program = dict(args["program"])
    kind = program.pop("kind")
    activation = program.get("fused_activation")
    if activation:
        op = getattr(ttnn.UnaryOpType, ACTIVATIONS[activation])
        program["fused_activation"] = ttnn.UnaryWithParam(op, 1.0) if activation == "gelu" else ttnn.UnaryWithParam(op)
    config = getattr(ttnn, f"MatmulMultiCoreReuse{kind}ProgramConfig")(**program)
    named = {"memory_config": out, "program_config": config, "compute_kernel_config": kernels(ttnn, args)}
    if "dtype" in args:
        named["dtype"] = getattr(ttnn, args["dtype"])
    if args.get("bias"):
        return ttnn.linear(inputs[0], inputs[1], bias=inputs[2], **named)
    return ttnn.matmul(inputs[0], inputs[1], **named)


def sparse_matmul(rng, grid):
    """Products of some batches only: of all pairs of batches, of the batches of one operand or of those of both."""
    x, y = rng.randrange(1, grid[0] + 1), rng.randrange(1, grid[1] + 1)
    m, k = rng.choice((1, 1, 2, 3)), rng.choice(SIZES[:9])
    per_n = rng.choice((1, 1, 2, 4))
    n = per_n * x * y - (0 if rng.random() < 0.7 else rng.randrange(0, x * y))
    b, s, experts = rng.choice((1, 1, 2)), rng.choice((1, 2, 4)), rng.choice((1, 4, 8))
    a_is, b_is = rng.choice(((False, True), (False, True), (True, True), (True, False)))
    a = (1, experts, 32 * m, 32 * k) if a_is and b_is else (b * s, experts, 32 * m, 32 * k) if a_is else (b, s, 32 * m, 32 * k)
    pairs = (1, 1, 1, experts) if a_is and b_is else (1, 1, b * s, experts) if a_is else (b, s, 1, experts)
    if rng.random() < 0.1:
        pairs = (1, 1, 1, experts + 1)
    h, w = subblocks(rng, m, per_n)
    block_h, block_w = h * divisor(rng, m // h, 4), w * divisor(rng, per_n // w, 4)
    args = {"is_input_a_sparse": a_is, "is_input_b_sparse": b_is, "program": {
        "kind": "MultiCast1D", "compute_with_storage_grid_size": [x, y], "in0_block_w": divisor(rng, k, 8), "out_subblock_h": h,
        "out_subblock_w": w, "out_block_h": block_h, "out_block_w": block_w, "per_core_M": m, "per_core_N": per_n,
        "fuse_batch": False, "mcast_in0": rng.random() < 0.95}}
    if rng.random() < 0.4:
        args["nnz"] = rng.randrange(1, experts + 2)
    if rng.random() < 0.4:
        args["kernels"] = [rng.choice((True, False)), rng.choice((True, False))]
    if rng.random() < 0.3:
        args["dtype"] = rng.choice(("float32", "bfloat8_b"))
    return row([spec(a, rng.choice(("bfloat16", "bfloat16", "float32", "bfloat8_b")), "TILE", interleaved(rng)),
                spec((1, experts, 32 * k, 32 * n), rng.choice(("bfloat16", "bfloat8_b", "bfloat4_b")), "TILE", DRAM),
                spec(pairs, "bfloat16", "ROW_MAJOR", interleaved(rng))], args, interleaved_or_default(rng))


def call_sparse_matmul(ttnn, inputs, args, out):
    program = {name: value for name, value in args["program"].items() if name != "kind"}
    named = {name: args[name] for name in ("nnz", "is_input_a_sparse", "is_input_b_sparse") if name in args}
    if "dtype" in args:
        named["dtype"] = getattr(ttnn, args["dtype"])
    return ttnn.sparse_matmul(inputs[0], inputs[1], sparsity=inputs[2], memory_config=out, compute_kernel_config=kernels(ttnn, args),
                              program_config=ttnn.MatmulMultiCoreReuseMultiCast1DProgramConfig(**program), **named)


CONFIGURATIONS = {
    "matmul": (matmul, call_matmul),
    **{f"matmul:{name}": (generate, call_with_program) for name, generate in (
        ("two_dimensions", in_two_dimensions), ("columns", along_columns), ("rows", along_rows), ("batched", batched),
        ("dram_shards", from_dram_shards))},
    "linear": (linear, call_linear),
    "linear:rows_of_bias": (linear_with_rows_of_bias, call_linear),
    **matmul_shards.CONFIGURATIONS,
    "sparse_matmul": (sparse_matmul, call_sparse_matmul),
    "addmm": (addmm, lambda ttnn, i, args, out: ttnn.addmm(
        i[0], i[1], i[2], alpha=args["alpha"], beta=args["beta"], memory_config=out)),
}
