# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random configurations of the operations of transformers: heads, rotary embedding, caches, embedding."""

from . import transformer_attention
from .tensor_specs import (DRAM, L1, block_shards, divisors, given, height_shards, interleaved, mostly_bfloat16,
                           mostly_dram, row, spec, width_shards)

LENGTHS = [32, 64, 96, 128, 128, 256, 384, 512, 1024, 2048, 17, 100, 33, 1]
# Memory configs that leave the shards to the operation.
HEIGHT, WIDTH, BLOCK = ({"memory_layout": f"{kind}_SHARDED", "buffer_type": "L1"} for kind in ("HEIGHT", "WIDTH", "BLOCK"))


# --- heads


def split_heads(transpose, three=False):
    """Into query, key and value; `transpose`: the parameter that transposes the key; `three`: of three dimensions."""
    def generate(rng, grid):
        heads, kv_heads = rng.choice([1, 2, 4, 8, 10, 12, 16, 32, 71]), rng.choice([None, 1, 2, 4, 8])
        width, batch = rng.choice([32, 64, 64, 96, 128, 128, 256]), rng.choice([1, 1, 1, 2, 3, 8])
        length, kv = rng.choice(LENGTHS), kv_heads or heads
        transposed, apart, kind = rng.random() < 0.5, rng.random() < 0.25, mostly_bfloat16(rng)
        lead = [batch] if three else [batch, 1]
        inputs = [spec(lead + [length, (heads if apart else heads + 2 * kv) * width], kind, memory=mostly_dram(rng))]
        if apart:
            inputs.append(spec(lead + [length, 2 * kv * width], kind, memory=mostly_dram(rng)))
        return row(inputs, {"num_heads": heads, "num_kv_heads": kv_heads, transpose: transposed}, rng.choice([None, DRAM, L1]))

    return generate


def call_split_heads(module, name, transpose):
    def call(ttnn, inputs, args, out):
        return getattr(getattr(ttnn, module), name)(
            *inputs, num_heads=args["num_heads"], memory_config=out, **{transpose: args[transpose]}, **given(args, "num_kv_heads"))

    return call


def concatenate_heads(rng, grid):
    shape = [rng.choice([1, 1, 2, 3, 8]), rng.choice([1, 2, 4, 8, 10, 12, 16, 32]), rng.choice(LENGTHS),
             rng.choice([32, 64, 64, 96, 128])]
    out = rng.choice([None, DRAM, L1])
    return row([spec(shape, mostly_bfloat16(rng), memory=mostly_dram(rng))], {}, out)


def qkv_in_width_shards(rng, grid, rows, width, kind, unit=32):
    cores = rng.choice(divisors(width // unit, grid[0] * grid[1]) or [1])
    return spec([1, 1, rows, width], kind, memory=width_shards(grid, cores, -(-rows // 32) * 32, width // cores))


def nlp_create_qkv_heads_of_shards(rng, grid):
    heads, kv_heads = rng.choice([1, 2, 4, 8, 16, 32]), rng.choice([None, 1, 2, 4, 8])
    width = rng.choice([32, 64, 64, 128, 96])
    kv, kind, apart, cores = kv_heads or heads, mostly_bfloat16(rng), rng.random() < 0.3, grid[0] * grid[1]
    transpose, rows = rng.random() < 0.2, rng.choice([32, 32, 32, 64, 128])
    if rng.random() < 0.7:  # whole groups of heads to a core
        groups = rng.choice([kv, kv, kv, rng.choice(divisors(kv, cores))])
        per = (heads if apart else heads + 2 * kv) * width // groups
        first = spec([1, 1, rows, per * groups], kind, memory=width_shards(grid, groups, rows, per))
    else:
        first = qkv_in_width_shards(rng, grid, rows, (heads if apart else heads + 2 * kv) * width, kind)
    inputs = [first]
    if apart:
        groups = rng.choice([kv, kv, kv, rng.choice(divisors(kv, cores))])
        shards = width_shards(grid, groups, rows, 2 * kv * width // groups) if rng.random() < 0.7 else mostly_dram(rng)
        inputs.append(spec([1, 1, rows, 2 * kv * width], kind, memory=shards))
    return row(inputs, {"num_heads": heads, "num_kv_heads": kv_heads, "transpose_k_heads": transpose},
               rng.choice([HEIGHT] * 7 + [None, L1, WIDTH]))


def grouped_heads(rng, three):
    """Heads interleaved by groups, blocks of rows and groups."""
    kv, ratio, width = rng.choice([1, 2, 4, 8, 12, 16]), rng.choice([1, 1, 1, 2, 4]), rng.choice([32, 64, 64, 128])
    batch, rows, kind = rng.choice([1, 2, 4, 8, 7]), rng.choice([32, 64, 128, 384]), mostly_bfloat16(rng)
    return kv * ratio, kv, width, batch, rows, kind, [batch, rows] if three else [batch, 1, rows]


def in_blocks(rng, grid, lead, columns, batch, rows, cores_x, kind):
    cores_y = rng.choice(divisors(batch, grid[1])) if rng.random() < 0.8 else batch
    orientation = rng.choice(["ROW_MAJOR", "ROW_MAJOR", "COL_MAJOR"])
    x, y = (cores_x, cores_y) if orientation == "ROW_MAJOR" else (cores_y, cores_x)
    memory = block_shards(x, y, batch * rows // cores_y, columns // cores_x, orientation)
    if rng.random() < 0.1 and cores_x == 1:
        memory = height_shards(grid, cores_y, batch * rows // cores_y, columns)
    return spec(lead + [columns], kind, memory=memory)


def out_of_groups(rng, heads, kv, transpose, kv_argument):
    transposed, out = rng.random() < 0.5, rng.choice([HEIGHT, HEIGHT, HEIGHT, None, L1])
    return {"num_heads": heads, "num_kv_heads": kv_argument, transpose: transposed}, out


def create_qkv_heads(rng, grid):
    heads, kv, width, batch, rows, kind, lead = grouped_heads(rng, False)
    cores_x = rng.choice(divisors(kv, grid[0]))
    inputs = [in_blocks(rng, grid, lead, (heads + 2 * kv) * width, batch, rows, cores_x, kind)]
    return row(inputs, *out_of_groups(rng, heads, kv, "transpose_k_heads", kv))


def create_qkv_heads_from_separate_tensors(rng, grid):
    heads, kv, width, batch, rows, kind, lead = grouped_heads(rng, False)
    cores_x = rng.choice(divisors(kv, grid[0]))
    first = in_blocks(rng, grid, lead, heads * width, batch, rows, cores_x, kind)
    second = in_blocks(rng, grid, lead, 2 * kv * width, batch, rows, cores_x, kind)
    if rng.random() < 0.8:
        memory = first["memory_config"]
        second["memory_config"] = memory | {"shard_shape": [memory["shard_shape"][0], 2 * kv * width // cores_x]}
    return row([first, second], *out_of_groups(rng, heads, kv, "transpose_k_heads", kv))


def split_grouped_heads(rng, grid):
    heads, kv, width, batch, rows, kind, lead = grouped_heads(rng, True)
    apart, cores_x = rng.random() < 0.3, rng.choice(divisors(kv, grid[0]))
    inputs = [in_blocks(rng, grid, lead, (heads if apart else heads + 2 * kv) * width, batch, rows, cores_x, kind)]
    if apart:
        memory = inputs[0]["memory_config"]
        inputs.append(spec(lead + [2 * kv * width], kind,
                           memory=memory | {"shard_shape": [memory["shard_shape"][0], 2 * kv * width // cores_x]}))
    return row(inputs, *out_of_groups(rng, heads, kv, "transpose_key", None if kv == heads else kv))


def concatenate_heads_of_shards(rng, grid):
    batch, heads, width = rng.choice([1, 1, 2, 4, 8, 7]), rng.choice([1, 2, 4, 8, 12, 16, 32]), rng.choice([32, 64, 64, 128, 96])
    rows, kind = rng.choice([32, 64, 128, 384, 17]), mostly_bfloat16(rng)
    padded = -(-rows // 32) * 32
    cores = rng.choice(divisors(batch * heads, grid[0] * grid[1]))
    memory = height_shards(grid, cores, batch * heads // cores * padded, width)
    if grid[0] >= heads and grid[1] >= batch and rng.random() < 0.5:
        memory = memory | {"shard_grid": [[0, 0, heads - 1, batch - 1]], "shard_shape": [padded, width]}
        if rng.random() < 0.3 and grid[0] >= batch and grid[1] >= heads:
            memory = memory | {"shard_grid": [[0, 0, batch - 1, heads - 1]], "orientation": "COL_MAJOR"}
    if rng.random() < 0.1:
        memory = mostly_dram(rng)
    return row([spec([batch, heads, rows, width], kind, memory=memory)], {},
               rng.choice([None, DRAM, L1, BLOCK, BLOCK, WIDTH, HEIGHT]))


def call_concatenate_heads(module, name):
    return lambda ttnn, inputs, args, out: getattr(getattr(ttnn, module), name)(inputs[0], memory_config=out)


def nlp_create_qkv_heads_decode(rng, grid):
    kv_heads, width = rng.choice([1, 2, 4, 8, None]), rng.choice([32, 64, 128])
    heads = rng.choice([n for n in (1, 4, 8, 16, 32) if n >= (kv_heads or 1)])
    return row([spec([1, 1, rng.choice([1, 8, 16, 32, 32]), (heads + 2 * (kv_heads or heads)) * width], memory=mostly_dram(rng))],
               {"num_heads": heads, "num_kv_heads": kv_heads})


def nlp_create_qkv_heads_decode_of_shards(rng, grid):
    kv_heads, width, users = rng.choice([1, 2, 4, 8, None]), rng.choice([32, 64, 128, 96]), rng.choice([1, 8, 16, 32, 32])
    heads = rng.choice([n for n in (1, 4, 8, 16, 32) if n >= (kv_heads or 1)])
    overlap, total = rng.choice([True, True, False]), (heads + 2 * (kv_heads or heads)) * width
    kind, unit = rng.choice(["bfloat16", "bfloat16", "float32", "bfloat8_b"]), rng.choice([32, 64, width])
    first = qkv_in_width_shards(rng, grid, users, total, kind, unit)
    if rng.random() < 0.15:
        first = spec([1, 1, users, total], memory=mostly_dram(rng))
    return row([first], {"num_heads": heads, "num_kv_heads": kv_heads, "overlap_qk_coregrid": overlap}, HEIGHT)


def call_nlp_create_qkv_heads_decode(ttnn, inputs, args, out):
    """Always into shards of heights, whatever the row's out_mem."""
    return ttnn.experimental.nlp_create_qkv_heads_decode(
        inputs[0], num_heads=args["num_heads"], memory_config=ttnn.L1_HEIGHT_SHARDED_MEMORY_CONFIG,
        **given(args, "num_kv_heads", "overlap_qk_coregrid"))


def nlp_concat_heads_decode(rng, grid):
    users, heads, width = rng.choice([1, 2, 8, 16, 32]), rng.choice([1, 4, 8, 16, 32]), rng.choice([32, 64, 128])
    return row([spec([1, users, heads, width], memory=height_shards(grid, users, 32, width))], {"num_heads": heads})


# --- rotary embedding


def rotary_embedding(rng, grid):
    width, token = rng.choice([32, 64, 64, 128, 192, 256, 512]), rng.choice([None, None, 0, 5, 37, 100])
    length, heads = rng.choice(LENGTHS), rng.choice([1, 4, 8, 16, 32, 71])
    shape = [rng.choice([1, 2, 4]), heads, length, width] if token is None else [1, heads, rng.choice([1, 8, 32, 64]), width]
    kind = mostly_bfloat16(rng)
    angles = spec([1, 1, rng.choice([length, 2048]) if token is None else 128, width], rng.choice([kind, "bfloat16"]))
    out = rng.choice([None, DRAM, L1])
    return row([spec(shape, kind, memory=mostly_dram(rng)), angles, angles], {"token_index": token}, out)


def rotary_embedding_of_shards(rng, grid):
    width, token = rng.choice([32, 64, 64, 128, 256]), rng.choice([None, None, 0, 5, 37, 100])
    length, heads = rng.choice([32, 64, 128, 256, 17]), rng.choice([1, 2, 4, 8, 16, 32, 64])
    batch, kind = rng.choice([1, 1, 2, 4]), mostly_bfloat16(rng)
    shape = [batch, heads, length, width] if token is None else [1, heads, rng.choice([1, 8, 32, 64]), width]
    rows = shape[0] * shape[1] * (-(-shape[2] // 32))
    cores = rng.choice(divisors(rows, grid[0] * grid[1]))
    memory = height_shards(grid, cores, rows // cores * 32, width)
    angles = spec([1, 1, rng.choice([length, 2048]) if token is None else 128, width], rng.choice([kind, "bfloat16"]),
                  memory=mostly_dram(rng))
    if rng.random() < 0.15:
        memory = mostly_dram(rng)
    layouts = ["TILE"] * 3
    if rng.random() < 0.3:
        layouts = [rng.choice(["TILE", "ROW_MAJOR"]) for _ in range(3)]
        layouts[2] = rng.choice([layouts[1], layouts[2]])
        kind = "bfloat16"
        angles["dtype"] = kind
    out = rng.choice([None, None, HEIGHT, DRAM, L1, memory])
    return row([spec(shape, kind, layouts[0], memory), angles | {"layout": layouts[1]}, angles | {"layout": layouts[2]}],
               {"token_index": token}, out)


def call_rotary_embedding(ttnn, inputs, args, out):
    return ttnn.experimental.rotary_embedding(*inputs, args["token_index"], memory_config=out)


def rotary_embedding_hf(rng, grid):
    width, heads = rng.choice([32, 64, 64, 128, 128, 96, 256]), rng.choice([1, 4, 8, 16, 32, 48])
    kind = mostly_bfloat16(rng)
    if rng.random() < 0.5:
        users = rng.choice([1, 2, 4, 8, 16, 32, 40])
        memory = height_shards(grid, users, -(-heads // 32) * 32, width)
        angles = spec([1, users, 1, width], rng.choice([kind, "bfloat16"]), memory=height_shards(grid, users, 32, width))
        if rng.random() < 0.1:
            memory = mostly_dram(rng)
        return row([spec([1, users, heads, width], kind, memory=memory), angles, angles], {"is_decode_mode": True})
    length, batch = rng.choice(LENGTHS), rng.choice([1, 1, 1, 2])
    angles = spec([1, 1, rng.choice([length, 2048]), width], rng.choice([kind, "bfloat16"]))
    out, memory = rng.choice([None, DRAM, L1]), mostly_dram(rng)
    if rng.random() < 0.3 and length <= 256:
        rows = batch * heads * (-(-length // 32))
        cores = rng.choice(divisors(rows, grid[0] * grid[1]))
        memory, out = height_shards(grid, cores, rows // cores * 32, width), rng.choice([None, DRAM, L1, HEIGHT])
    return row([spec([batch, heads, length, width], kind, memory=memory), angles, angles], {"is_decode_mode": False}, out)


def rotary_embedding_llama(rng, grid):
    width, heads = rng.choice([32, 64, 64, 128, 128, 96, 256]), rng.choice([1, 4, 8, 16, 32])
    if rng.random() < 0.4:
        users = rng.choice([1, 2, 4, 8, 16, 32, 40])
        memory = height_shards(grid, users, 32, width)
        angles = spec([1, users, 1, width], memory=memory)
        matrix = spec([1, 1, 32 * users, 32], memory=height_shards(grid, users, 32, 32))
        return row([spec([1, users, heads, width], memory=memory), angles, angles, matrix], {"is_decode_mode": True})
    length = rng.choice(LENGTHS)
    angles = spec([1, rng.choice([1, 1, heads]), rng.choice([length, 2048]), width])
    out = rng.choice([None, DRAM, L1])
    return row([spec([rng.choice([1, 1, 2, 4]), heads, length, width], memory=mostly_dram(rng)), angles, angles,
                spec([1, 1, 32, 32])], {"is_decode_mode": False}, out)


def rotary_embedding_llama_of_shards(rng, grid):
    width, heads = rng.choice([32, 64, 64, 128, 128, 96, 256]), rng.choice([1, 4, 8, 16, 32, 48])
    layout = rng.choice(["TILE", "ROW_MAJOR"])
    users = rng.choice([1, 2, 4, 8, 16, 32, 40])
    rows = 32 if layout == "TILE" else rng.choice([1, heads])
    memory = height_shards(grid, users, rows if layout == "ROW_MAJOR" else -(-heads // 32) * 32, width)
    angles = spec([1, users, 1, width], layout=layout, memory=height_shards(grid, users, 32 if layout == "TILE" else 1, width))
    matrix = spec([1, 1, 32 * users, 32], memory=height_shards(grid, users, 32, 32))
    shape = [1, users, heads if layout == "TILE" else rows, width]
    return row([spec(shape, layout=layout, memory=memory), angles, angles, matrix], {"is_decode_mode": True})


def call_rotary_embedding_of_mode(name):
    def call(ttnn, inputs, args, out):
        named = {"is_decode_mode": True} if args["is_decode_mode"] else {"memory_config": out}
        return getattr(ttnn.experimental, name)(*inputs, **named)

    return call


def rotary_embedding_llama_fused_qk(rng, grid):
    width, heads = rng.choice([32, 64, 64, 128, 96, 256]), rng.choice([1, 4, 8, 16, 32])
    kv, users = rng.choice([1, 2, 4, 8]), rng.choice([1, 2, 4, 8, 16, 32, 6])
    q, k = height_shards(grid, users, 32, width), shards_after(grid, users, users, 32, width)
    if users % grid[0] == 0:
        k = k | {"shard_grid": [[0, users // grid[0], grid[0] - 1, 2 * users // grid[0] - 1]]}
    angles = spec([1, 2 * users, 1, width], memory=height_shards(grid, 2 * users, 32, width))
    matrix = spec([1, 1, 64 * users, 32], memory=height_shards(grid, 2 * users, 32, 32))
    return row([spec([1, users, heads, width], memory=q), spec([1, users, kv, width], memory=k), angles, angles, matrix])


def shards_after(grid, first, count, rows, columns):
    """Heights in shards on `count` cores after the first ones, each core a range of its own."""
    cores = [[(first + i) % grid[0], (first + i) // grid[0]] * 2 for i in range(count)]
    return HEIGHT | {"shard_grid": cores, "shard_shape": [rows, columns]}


# --- caches of keys and values


def cache_and_values(rng, values_length, values_dtype):
    batch, heads = rng.choice([1, 1, 4, 8, 32, 33]), rng.choice([1, 2, 4, 8, 32])
    length, width, kind = rng.choice([32, 64, 128, 1024, 2048]), rng.choice([32, 64, 128, 256]), mostly_bfloat16(rng)
    cache = spec([batch, heads, length, width], kind, memory=mostly_dram(rng))
    shape = [1, heads, values_length(batch, length), width]
    return [cache, spec(shape, values_dtype(kind), memory=mostly_dram(rng))]


def fill_cache(rng, grid):
    inputs = cache_and_values(rng, lambda _, length: rng.choice([n for n in LENGTHS if n <= length]), lambda kind: kind)
    user, at = rng.choice([0, inputs[0]["shape"][0] - 1]), rng.choice([0, 0, 32])
    return row(inputs, {"batch_index": user, "update_idx": at})


def update_cache(rng, grid):
    inputs = cache_and_values(rng, lambda batch, _: rng.choice([32, 32, batch]),
                              lambda kind: rng.choice([kind, mostly_bfloat16(rng)]))
    at, offset = rng.choice([0, 5, inputs[0]["shape"][2] - 1]), rng.choice([0, 0, 0, 8])
    return row(inputs, {"update_index": at, "batch_offset": offset})


def cache_of(rng, batches):
    batch, heads = rng.choice(batches), rng.choice([1, 2, 4, 8])
    shape = [batch, heads, rng.choice([32, 64, 128, 1024, 2048]), rng.choice([32, 64, 128, 256])]
    return spec(shape, mostly_bfloat16(rng), memory=mostly_dram(rng))


def update_cache_by_shards(rng, grid):
    cache = cache_of(rng, [1, 4, 8, 32, 32])
    batch, heads, length, width = cache["shape"]
    rows = rng.choice([32, 32, batch])
    padded = -(-rows // 32) * 32
    cores = rng.choice(divisors(heads * padded // 32, grid[0] * grid[1]))
    values = spec([1, heads, rows, width], rng.choice([cache["dtype"], mostly_bfloat16(rng)]),
                  memory=height_shards(grid, cores, heads * padded // cores, width))
    at, offset = rng.choice([0, 5, length - 1]), rng.choice([0, 0, 0, 8])
    return row([cache, values], {"update_index": at, "batch_offset": offset})


def fill_cache_by_shards(rng, grid):
    cache = cache_of(rng, [1, 4, 8])
    _, heads, length, width = cache["shape"]
    rows = rng.choice([n for n in (32, 64, 128, 17) if n <= length])
    tiles = heads * (-(-rows // 32))
    cores = rng.choice(divisors(tiles, grid[0] * grid[1]))
    values = spec([1, heads, rows, width], cache["dtype"], memory=height_shards(grid, cores, tiles // cores * 32, width))
    return row([cache, values], {"batch_index": 0, "update_idx": 0})


def call_fill_cache(function):
    return lambda ttnn, inputs, args, out: function(ttnn)(*inputs, args["batch_index"], update_idx=args["update_idx"])


def call_update_cache(function):
    return lambda ttnn, inputs, args, out: function(ttnn)(*inputs, args["update_index"], batch_offset=args["batch_offset"])


def paged_update_cache(rng, grid):
    users, heads, width = rng.choice([1, 2, 8, 16, 32]), rng.choice([1, 2, 4, 8]), rng.choice([32, 64, 128])
    kind, paged = rng.choice(["bfloat16", "bfloat16", "bfloat8_b", "float32"]), rng.random() < 0.5
    length = rng.choice([32, 64]) if paged else rng.choice([64, 128, 1024])
    inputs = [spec([users * 16 if paged else users, heads, length, width], kind),
              spec([1, users, heads, width], rng.choice(["bfloat16", "float32"]), memory=height_shards(grid, users, 32, width))]
    if paged:
        inputs += [spec([users], "int32", "ROW_MAJOR"), spec([users, rng.choice([4, 8, 16])], "int32", "ROW_MAJOR")]
        return row(inputs)
    return row(inputs, {"update_idxs": [rng.choice([0, 5, length - 1]) for _ in range(users)]})


def paged_updates(pairs):
    """So many caches, each with what is written to it; args["tensors"]: which tensors follow."""
    def generate(rng, grid):
        users, heads, width = rng.choice([1, 2, 8, 16, 32]), rng.choice([1, 2, 4, 8]), rng.choice([32, 64, 128, 96])
        kind, paged = rng.choice(["bfloat16", "bfloat16", "bfloat8_b", "bfloat4_b", "float32"]), rng.random() < 0.5
        length = rng.choice([32, 64, 128]) if paged else rng.choice([64, 128, 1024])
        share = not paged and rng.random() < 0.15
        layout = "ROW_MAJOR" if rng.random() < 0.25 else "TILE"
        if layout == "ROW_MAJOR" and pairs == 2 and rng.random() < 0.8:
            heads, width = rng.choice([1, 8]), 128
        cache = spec([users * 16 if paged else 1 if share else users, heads, length, width], kind, memory=mostly_dram(rng))
        rows = 32 if layout == "TILE" else rng.choice([heads, 8])
        values_dtype, inputs = rng.choice(["bfloat16", "bfloat16", "float32"]), []
        shape = [1, users, heads if layout == "TILE" else rows, width]
        for first in range(0, pairs * users, users):
            memory = shards_after(grid, first, users, rows, width) if first else height_shards(grid, users, rows, width)
            inputs += [cache, spec(shape, values_dtype, layout, memory)]
        args = {"share_cache": share, "tensors": []}
        if paged or rng.random() < 0.5:
            args["tensors"].append("update_idxs_tensor")
            inputs.append(spec([users], "int32", "ROW_MAJOR"))
        else:
            args["update_idxs"] = [rng.choice([0, 5, length - 1]) for _ in range(users)]
        if paged:
            args["tensors"].append("page_table")
            inputs.append(spec([users, rng.choice([4, 8, 16])], "int32", "ROW_MAJOR"))
        return row(inputs, args)

    return generate


def call_paged_updates(name, pairs):
    def call(ttnn, inputs, args, out):
        names = args.get("tensors", ("update_idxs_tensor", "page_table"))
        share = {"share_cache": True} if args.get("share_cache") else {}
        return getattr(ttnn.experimental, name)(*inputs[:2 * pairs], **share, **given(args, "update_idxs"),
                                                **dict(zip(names, inputs[2 * pairs:])))

    return call


def paged_fill_cache(rng, grid):
    heads, width, length = rng.choice([1, 2, 4, 8]), rng.choice([32, 64, 128]), rng.choice([32, 64, 128])
    kind = rng.choice(["bfloat16", "bfloat16", "bfloat8_b"])
    values = [1, heads, rng.choice([32, 64, 128, 200, 256]), width]
    return row([spec([64, heads, length, width], kind), spec(values, kind, memory=mostly_dram(rng)),
                spec([rng.choice([1, 4]), rng.choice([8, 16, 64, 20])], "int32", "ROW_MAJOR")], {"batch_idx": 0})


def paged_fill_cache_of_batches(rng, grid):
    """The batch as a number, or as a tensor."""
    heads, width, length = rng.choice([1, 2, 4, 8]), rng.choice([32, 64, 128]), rng.choice([32, 64, 128])
    kind, by_tensor = rng.choice(["bfloat16", "bfloat8_b", "float32"]), rng.random() < 0.4
    batch = rng.choice([1, 1, 2, 4]) if by_tensor else 1
    values = [batch, heads, rng.choice([32, 64, 128, 200]), width]
    inputs = [spec([64, heads, length, width], kind), spec(values, kind, memory=mostly_dram(rng)),
              spec([rng.choice([1, 4, 8]), rng.choice([8, 16, 64, 20])], "int32", "ROW_MAJOR")]
    if not by_tensor:
        return row(inputs, {"batch_idx": 0})
    inputs.append(spec([batch], rng.choice(["int32", "uint32"]), "ROW_MAJOR"))
    return row(inputs, {"batch_idx": 0, "batch_idx_tensor": True})


def call_paged_fill_cache(ttnn, inputs, args, out):
    batch = {"batch_idx_tensor": inputs[3]} if args.get("batch_idx_tensor") else {"batch_idx": args["batch_idx"]}
    return ttnn.experimental.paged_fill_cache(*inputs[:3], **batch)


# --- embedding


def embedding(rng, grid):
    ids = (rng.randrange(1, 9), rng.choice((rng.randrange(1, 200), 32 * rng.randrange(1, 17))))
    table = (rng.randrange(2, 3000), rng.choice((32 * rng.randrange(1, 64), rng.randrange(1, 500) * 2)))
    memory = interleaved(rng)
    layout = rng.choice(("TILE", "ROW_MAJOR"))
    return row([spec(ids, "uint32", "ROW_MAJOR", memory), spec(table, "bfloat16", "ROW_MAJOR", memory)], {"out_layout": layout},
               interleaved(rng))


def call_embedding(ttnn, inputs, args, out):
    layout = ttnn.TILE_LAYOUT if args["out_layout"] == "TILE" else ttnn.ROW_MAJOR_LAYOUT
    return ttnn.embedding(inputs[0], inputs[1], layout=layout, memory_config=out)


def embedding_gradient(rng, grid):
    """Indices, the table, of which only the height counts, and the gradient of the rows."""
    batch, length = rng.choice([1, 1, 2, 3, 8]), 32 * rng.randrange(1, 9)
    height = rng.choice([32, 1000, 30522, rng.randrange(1, 3000)])
    width = rng.choice([32 * rng.randrange(1, 300), rng.randrange(1, 9000)])
    kind, indices = rng.choice(["bfloat16", "bfloat16", "bfloat8_b"]), rng.choice(["uint32", "uint32", "bfloat16"])
    shape, rows = [[batch, length], [batch, 1, 1, length]][rng.random() < 0.3], batch * length
    if rng.random() < 0.15:  # refused
        wrong = rng.choice(["length", "rows", "float32", "uint16"])
        shape[-1] += 5 if wrong == "length" else 0
        rows += 32 if wrong == "rows" else 0
        kind, indices = "float32" if wrong == "float32" else kind, "uint16" if wrong == "uint16" else indices
    return row([spec(shape, indices, "ROW_MAJOR", interleaved(rng)),
                spec([height, 32], "bfloat16", "ROW_MAJOR", mostly_dram(rng)),
                spec([1, 1, rows, width], kind, memory=mostly_dram(rng))], {}, rng.choice([None, DRAM, DRAM, L1]))


CALL_NLP_HEADS = call_split_heads("experimental", "nlp_create_qkv_heads", "transpose_k_heads")
CALL_SPLIT_HEADS = call_split_heads("transformer", "split_query_key_value_and_split_heads", "transpose_key")
CALL_NLP_CONCAT = call_concatenate_heads("experimental", "nlp_concat_heads")
CALL_CONCATENATE = call_concatenate_heads("transformer", "concatenate_heads")
def nlp_create_qkv_heads_segformer(rng, grid):
    batch, rows, width = rng.choice([1, 1, 2, 3]), rng.choice(LENGTHS), 32 * rng.choice([1, 2, 5, 8, 5, 24])
    return row([spec([batch, 1, rows, width], mostly_bfloat16(rng), rng.choice(["TILE"] * 9 + ["ROW_MAJOR"]), mostly_dram(rng))],
               {}, rng.choice([None, DRAM, L1]))


# The heads that BERT's large form and its kin split and join: batches of 7 to 9, or blocks.
def split_fused_heads(rng, grid):
    heads, rows, batch = rng.choice([16, 16, 12, 8]), rng.choice([384, 384, 256, 128, 64]), rng.choice([7, 8, 8, 9, 2])
    return row([spec([batch, 1, rows, 3 * heads * 64], rng.choice(["bfloat16", "bfloat8_b", "bfloat8_b", "float32"]),
                     memory=mostly_dram(rng))],
               {"compute_with_storage_grid_size": list(grid), "num_heads": heads}, rng.choice([None, DRAM, L1]))


def split_fused_heads_of_blocks(rng, grid):
    heads, rows, batch = rng.choice([16, 16, 12, 8]), rng.choice([384, 384, 256, 128, 64]), rng.choice([1, 2, 4, 7, 8, 8])
    across = rng.choice([heads // 2] * 4 + divisors(heads, grid[0]))
    if across > min(grid) or batch > min(grid):
        across, batch = 4, 2
    orientation = rng.choice(["ROW_MAJOR", "COL_MAJOR"])
    x, y = (across, batch) if orientation == "ROW_MAJOR" else (batch, across)
    memory = block_shards(x, y, rows, 3 * heads * 64 // across, orientation)
    return row([spec([batch, 1, rows, 3 * heads * 64], rng.choice(["bfloat16", "bfloat8_b"]), memory=memory)],
               {"compute_with_storage_grid_size": list(grid), "num_heads": heads}, HEIGHT)


def call_split_fused_heads(ttnn, inputs, args, out):
    return ttnn.experimental.split_query_key_value_and_split_heads(
        inputs[0], ttnn.CoreCoord(*args["compute_with_storage_grid_size"]), memory_config=out, num_heads=args["num_heads"])


def concatenate_fused_heads(rng, grid):
    shape = [rng.choice([7, 8, 9, 9, 2]), 16, rng.choice([384, 384, 384, 256]), 64]
    size = [grid[0] + (rng.random() < 0.1), grid[1]]
    return row([spec(shape, rng.choice(["bfloat16", "bfloat8_b", "bfloat8_b", "float32"]), memory=mostly_dram(rng))],
               {"compute_with_storage_grid_size": size}, rng.choice([None, DRAM, L1]))


# --- state space models


def outer_product_of_states(rng, grid):
    rows, dtypes = rng.choice([32, 64, 96]), ["bfloat16", "bfloat16", "bfloat8_b"]
    widths = rng.choice([(32, 5120), (32, 5120), (32, 32 * 5120), (32 * 5120, 5120), (64, 5120), (32, 1024)])
    args = {"dtype": rng.choice(dtypes)} if rng.random() < 0.3 else {}
    return row([spec([1, 1, rows, width], rng.choice(dtypes), memory=interleaved(rng)) for width in widths], args,
               rng.choice([None, DRAM, L1]))


def sum_of_states(rng, grid):
    width = rng.choice([1024, 2048, 5 * 1024, 64 * 1024, 70 * 1024, 160 * 1024, 96])
    args = {"dtype": rng.choice(["bfloat16", "bfloat8_b"])} if rng.random() < 0.3 else {}
    return row([spec([1, 1, rng.choice([32, 64, 128]), width], rng.choice(["bfloat16", "bfloat8_b", "float32"]), memory=interleaved(rng))],
               args, rng.choice([None, DRAM, L1]))


def scan_of_states(rng, grid):
    """In shards of whole columns."""
    count, rows, along = rng.randrange(1, 3 * grid[0] + 1), rng.choice([32, 32, 64, 128]), rng.choice([1, 2, 5, 32, 40])
    dtype, width = rng.choice(["bfloat16", "bfloat16", "bfloat8_b"]), 32 * along * count

    def shards(height):
        return width_shards(grid, count, height, 32 * along)

    args = {"dtype": rng.choice(["bfloat16", "bfloat8_b", "float32"])} if rng.random() < 0.2 else {}
    return row([spec([1, 1, rows, width], dtype, memory=shards(rows)), spec([1, 1, rows, width], dtype, memory=shards(rows)),
                spec([1, 1, 1, width], "bfloat16", "ROW_MAJOR", shards(1))], args, rng.choice([None, shards(rows)]))


def call_with_dtype(name):
    return lambda ttnn, i, args, out: getattr(ttnn.experimental, name)(
        *i, memory_config=out, dtype=getattr(ttnn, args["dtype"]) if "dtype" in args else None)


CONFIGURATIONS = {
    "repeat_and_interleave_eltwise_mul": (outer_product_of_states, call_with_dtype("repeat_and_interleave_eltwise_mul")),
    "hc_sum_reduce": (sum_of_states, call_with_dtype("hc_sum_reduce")),
    "prefix_scan": (scan_of_states, call_with_dtype("prefix_scan")),
    "embedding": (embedding, call_embedding),
    "embedding_bw": (embedding_gradient, lambda ttnn, i, args, out: ttnn.embedding_bw(*i, memory_config=out)),
    "nlp_create_qkv_heads": (split_heads("transpose_k_heads"), CALL_NLP_HEADS),
    "nlp_create_qkv_heads:sharded": (nlp_create_qkv_heads_of_shards, CALL_NLP_HEADS),
    "create_qkv_heads": (create_qkv_heads, call_split_heads("experimental", "create_qkv_heads", "transpose_k_heads")),
    "create_qkv_heads_from_separate_tensors": (create_qkv_heads_from_separate_tensors, call_split_heads(
        "experimental", "create_qkv_heads_from_separate_tensors", "transpose_k_heads")),
    "split_query_key_value_and_split_heads": (split_heads("transpose_key", three=True), CALL_SPLIT_HEADS),
    "split_query_key_value_and_split_heads:sharded": (split_grouped_heads, CALL_SPLIT_HEADS),
    "nlp_concat_heads": (concatenate_heads, CALL_NLP_CONCAT),
    "nlp_concat_heads:sharded": (concatenate_heads_of_shards, CALL_NLP_CONCAT),
    "concatenate_heads": (concatenate_heads, CALL_CONCATENATE),
    "concatenate_heads:sharded": (concatenate_heads_of_shards, CALL_CONCATENATE),
    "nlp_create_qkv_heads_segformer": (nlp_create_qkv_heads_segformer, lambda ttnn, i, args, out:
                                       ttnn.experimental.nlp_create_qkv_heads_segformer(*i, memory_config=out)),
    "experimental.split_query_key_value_and_split_heads": (split_fused_heads, call_split_fused_heads),
    "experimental.split_query_key_value_and_split_heads:sharded": (split_fused_heads_of_blocks, call_split_fused_heads),
    "experimental.concatenate_heads": (concatenate_fused_heads, lambda ttnn, i, args, out: ttnn.experimental.concatenate_heads(
        *i, ttnn.CoreCoord(*args["compute_with_storage_grid_size"]), memory_config=out)),
    "nlp_create_qkv_heads_decode": (nlp_create_qkv_heads_decode, call_nlp_create_qkv_heads_decode),
    "nlp_create_qkv_heads_decode:sharded": (nlp_create_qkv_heads_decode_of_shards, call_nlp_create_qkv_heads_decode),
    "nlp_concat_heads_decode": (nlp_concat_heads_decode, lambda ttnn, i, args, out: ttnn.experimental.nlp_concat_heads_decode(
        i[0], num_heads=args["num_heads"])),
    "rotary_embedding": (rotary_embedding, call_rotary_embedding),
    "rotary_embedding:sharded": (rotary_embedding_of_shards, call_rotary_embedding),
    "rotary_embedding_hf": (rotary_embedding_hf, call_rotary_embedding_of_mode("rotary_embedding_hf")),
    "rotary_embedding_llama": (rotary_embedding_llama, call_rotary_embedding_of_mode("rotary_embedding_llama")),
    "rotary_embedding_llama:sharded": (rotary_embedding_llama_of_shards, call_rotary_embedding_of_mode("rotary_embedding_llama")),
    "rotary_embedding_llama_fused_qk": (
        rotary_embedding_llama_fused_qk, lambda ttnn, i, args, out: ttnn.experimental.rotary_embedding_llama_fused_qk(*i)),
    "fill_cache": (fill_cache, call_fill_cache(lambda ttnn: ttnn.fill_cache)),
    "fill_cache:sharded": (fill_cache_by_shards, call_fill_cache(lambda ttnn: ttnn.fill_cache)),
    "fill_cache_for_user_": (fill_cache, call_fill_cache(lambda ttnn: ttnn.kv_cache.fill_cache_for_user_)),
    "update_cache": (update_cache, call_update_cache(lambda ttnn: ttnn.update_cache)),
    "update_cache:sharded": (update_cache_by_shards, call_update_cache(lambda ttnn: ttnn.update_cache)),
    "update_cache_for_token_": (update_cache, call_update_cache(lambda ttnn: ttnn.kv_cache.update_cache_for_token_)),
    "paged_update_cache": (paged_update_cache, call_paged_updates("paged_update_cache", 1)),
    "paged_update_cache:sharded": (paged_updates(1), call_paged_updates("paged_update_cache", 1)),
    "paged_fused_update_cache": (paged_updates(2), call_paged_updates("paged_fused_update_cache", 2)),
    "paged_fill_cache": (paged_fill_cache, call_paged_fill_cache),
    "paged_fill_cache:batches": (paged_fill_cache_of_batches, call_paged_fill_cache),
    **transformer_attention.CONFIGURATIONS,
}
