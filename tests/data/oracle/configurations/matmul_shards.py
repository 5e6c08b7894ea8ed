# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random matrix products of shards without a program config, which TT-NN then chooses; a part of the family matmul."""

from .shard_forms import FLAT, shards_made_by_cores, shards_of
from .tensor_specs import DRAM, FLOATS, interleaved, interleaved_or_default, kernels, row, spec, up

ACTIVATIONS = ("relu", "gelu", "silu")


def left_operand(rng, grid):
    """A shape and its shards, cut from the tensor or the tensor made of them."""
    kinds = FLAT if rng.random() < 0.9 else ("ND_SHARDED",)
    if kinds == FLAT and rng.random() < 0.5:
        return shards_made_by_cores(rng, grid)
    m, k = (32 * rng.choice((1, 2, 3, 4, 6, 8, 12, 16, 24, 32)) - rng.choice((0, 0, 0, 5)) for _ in range(2))
    batch = rng.choice(((1, 1), (1, 1), (1, 1), (1, 2), (1, 4), (2, 3)))
    shape = (*batch, m, k)[-rng.choice((2, 3, 4, 4, 4)):]
    return shape, shards_of(rng, grid, shape, kinds=kinds)


def result(rng, grid, shape, left):
    """The place of the product: no shards, shards as the left operand's or others, whose form TT-NN chooses or the call
    names."""
    if rng.random() < 0.5:
        return interleaved_or_default(rng)
    if rng.random() < 0.7:
        kind = left["memory_layout"] if left["memory_layout"] in FLAT and rng.random() < 0.85 else rng.choice(FLAT)
        return {"memory_layout": kind, "buffer_type": "L1"}
    return shards_of(rng, grid, shape)


def product_of_shards(rng, grid):
    shape, memory = left_operand(rng, grid)
    args = {}
    n = 32 * rng.choice((1, 1, 2, 3, 4, 8, 16, 24)) - rng.choice((0, 0, 0, 7))
    k, m = shape[-1], shape[-2]
    if rng.random() < 0.08:
        args["transpose_a"] = True
        m, k = k, m
    right = (*(shape[:-2] if rng.random() < 0.25 else (1,) * rng.choice((0, len(shape) - 2))), k, n)
    if rng.random() < 0.1:
        args["transpose_b"] = True
        right = (*right[:-2], n, k)
    dtype = rng.choice(FLOATS)
    inputs = [spec(shape, dtype, "TILE", memory)]
    placed = interleaved(rng) if rng.random() < 0.8 else shards_of(rng, grid, right)
    inputs.append(spec(right, dtype if rng.random() < 0.7 else rng.choice(FLOATS), "TILE", placed))
    if rng.random() < 0.12:
        args["core_grid"] = [rng.randrange(1, grid[0] + 1), rng.randrange(1, grid[1] + 1)]
    if rng.random() < 0.15:
        args["kernels"] = [rng.random() < 0.5, rng.random() < 0.5]
    if rng.random() < 0.15:
        args["dtype"] = rng.choice(("bfloat16", "bfloat8_b", "float32"))
    return row(inputs, args, result(rng, grid, (*shape[:-2], m, n), memory))


def product_and_more(rng, grid):
    """With a bias, an activation or both."""
    made = product_of_shards(rng, grid)
    inputs, args = made["inputs"], made["args"]
    n = inputs[1]["shape"][-2 if args.get("transpose_b") else -1]
    if rng.random() < 0.7:
        shape = rng.choice(((1, n), (1, 1, 1, n), (n,)))[-len(inputs[0]["shape"]):]
        inputs.append(spec(shape, inputs[0]["dtype"] if rng.random() < 0.8 else "bfloat16", "TILE", rng.choice((DRAM, interleaved(rng)))))
        args["bias"] = True
    if rng.random() < 0.15:
        args["activation"] = rng.choice(ACTIVATIONS)
    return made


def call_product(name):
    def call(ttnn, inputs, args, out):
        named = {"memory_config": out, "transpose_a": args.get("transpose_a", False), "transpose_b": args.get("transpose_b", False),
                 "compute_kernel_config": kernels(ttnn, args), "activation": args.get("activation")}
        if "core_grid" in args:
            named["core_grid"] = ttnn.CoreGrid(x=args["core_grid"][0], y=args["core_grid"][1])
        if "dtype" in args:
            named["dtype"] = getattr(ttnn, args["dtype"])
        if args.get("bias"):
            named["bias"] = inputs[2]
        return getattr(ttnn, name)(inputs[0], inputs[1], **named)
    return call


CONFIGURATIONS = {
    "matmul:shards": (product_of_shards, call_product("matmul")),
    "linear:shards": (product_and_more, call_product("linear")),
}
