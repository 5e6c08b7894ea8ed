# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""As record_transformer.py, of tensors in shards: record_transformer_shards.py BOARD SEED COUNT OUT.jsonl [OPERATION...]"""
import ttnn

from record_transformer import (CHANCE, CHOOSE, DRAM, EXPERIMENTAL, GRID_X, GRID_Y, L1, LENGTHS, R, TRANSFORMER, dtype,
                                height_sharded, interleaved, memory_config, record_all, spec)

HEIGHT, WIDTH, BLOCK = ({"memory_layout": f"{kind}_SHARDED", "buffer_type": "L1"} for kind in ("HEIGHT", "WIDTH", "BLOCK"))


def width_sharded(cores, rows, columns):
    return height_sharded(cores, rows, columns) | {"memory_layout": "WIDTH_SHARDED"}


def block_sharded(x, y, rows, columns, orientation="ROW_MAJOR"):
    text = {"memory_layout": "BLOCK_SHARDED", "buffer_type": "L1", "shard_grid": [[0, 0, x - 1, y - 1]],
            "shard_shape": [rows, columns]}
    return text if orientation == "ROW_MAJOR" else text | {"orientation": orientation}


def divisors(number, most):
    return [n for n in range(1, most + 1) if number % n == 0]


def qkv_width_sharded(rows, width, kind, unit=32):
    cores = CHOOSE(divisors(width // unit, GRID_X * GRID_Y) or [1])
    return spec([1, 1, rows, width], kind, config=width_sharded(cores, -(-rows // 32) * 32, width // cores))


def nlp_create_qkv_heads():
    heads, kv_heads, width = CHOOSE([1, 2, 4, 8, 16, 32]), CHOOSE([None, 1, 2, 4, 8]), CHOOSE([32, 64, 64, 128, 96])
    kv, kind, apart = kv_heads or heads, dtype(), CHANCE() < 0.3
    transpose, rows, batch = CHANCE() < 0.2, CHOOSE([32, 32, 32, 64, 128]), 1
    if CHANCE() < 0.7:  # whole groups of heads to a core
        groups = CHOOSE([kv, kv, kv, CHOOSE(divisors(kv, GRID_X * GRID_Y))])
        per = (heads if apart else heads + 2 * kv) * width // groups
        first = spec([1, 1, rows, per * groups], kind, config=width_sharded(groups, rows, per))
    else:
        first = qkv_width_sharded(rows, (heads if apart else heads + 2 * kv) * width, kind)
    inputs = [first]
    if apart:
        groups = CHOOSE([kv, kv, kv, CHOOSE(divisors(kv, GRID_X * GRID_Y))])
        inputs.append(spec([1, 1, rows, 2 * kv * width], kind, config=width_sharded(groups, rows, 2 * kv * width // groups))
                      if CHANCE() < 0.7 else spec([1, 1, rows, 2 * kv * width], kind, config=interleaved()))
    out = CHOOSE([HEIGHT] * 7 + [None, L1, WIDTH])
    optional = {} if kv_heads is None else {"num_kv_heads": kv_heads}
    return (inputs, lambda *x: EXPERIMENTAL.nlp_create_qkv_heads(
        *x, num_heads=heads, transpose_k_heads=transpose, memory_config=memory_config(out), **optional),
            {"num_heads": heads, "num_kv_heads": kv_heads, "transpose_k_heads": transpose}, out)


def grouped_heads(three):
    """Heads interleaved by groups, blocks of rows and groups."""
    kv, ratio, width = CHOOSE([1, 2, 4, 8, 12, 16]), CHOOSE([1, 1, 1, 2, 4]), CHOOSE([32, 64, 64, 128])
    batch, rows, kind = CHOOSE([1, 2, 4, 8, 7]), CHOOSE([32, 64, 128, 384]), dtype()
    return kv * ratio, kv, width, batch, rows, kind, [batch, rows] if three else [batch, 1, rows]


def in_blocks(lead, columns, batch, rows, cores_x, kind):
    cores_y = CHOOSE(divisors(batch, GRID_Y)) if CHANCE() < 0.8 else batch
    orientation = CHOOSE(["ROW_MAJOR", "ROW_MAJOR", "COL_MAJOR"])
    x, y = (cores_x, cores_y) if orientation == "ROW_MAJOR" else (cores_y, cores_x)
    config = block_sharded(x, y, batch * rows // cores_y, columns // cores_x, orientation)
    if CHANCE() < 0.1 and cores_x == 1:
        config = height_sharded(cores_y, batch * rows // cores_y, columns)
    return spec(lead + [columns], kind, config=config)


def create_qkv_heads():
    heads, kv, width, batch, rows, kind, lead = grouped_heads(False)
    cores_x = CHOOSE(divisors(kv, GRID_X))
    inputs = [in_blocks(lead, (heads + 2 * kv) * width, batch, rows, cores_x, kind)]
    transpose, out = CHANCE() < 0.5, CHOOSE([HEIGHT, HEIGHT, HEIGHT, None, L1])
    return (inputs, lambda x: EXPERIMENTAL.create_qkv_heads(
        x, num_heads=heads, num_kv_heads=kv, transpose_k_heads=transpose, memory_config=memory_config(out)),
            {"num_heads": heads, "num_kv_heads": kv, "transpose_k_heads": transpose}, out)


def create_qkv_heads_from_separate_tensors():
    heads, kv, width, batch, rows, kind, lead = grouped_heads(False)
    cores_x = CHOOSE(divisors(kv, GRID_X))
    first = in_blocks(lead, heads * width, batch, rows, cores_x, kind)
    second = in_blocks(lead, 2 * kv * width, batch, rows, cores_x, kind)
    if CHANCE() < 0.8:
        config = first["memory_config"]
        second["memory_config"] = config | {"shard_shape": [config["shard_shape"][0], 2 * kv * width // cores_x]}
    transpose, out = CHANCE() < 0.5, CHOOSE([HEIGHT, HEIGHT, HEIGHT, None, L1])
    return ([first, second], lambda x, y: EXPERIMENTAL.create_qkv_heads_from_separate_tensors(
        x, y, num_heads=heads, num_kv_heads=kv, transpose_k_heads=transpose, memory_config=memory_config(out)),
            {"num_heads": heads, "num_kv_heads": kv, "transpose_k_heads": transpose}, out)


def split_query_key_value_and_split_heads():
    heads, kv, width, batch, rows, kind, lead = grouped_heads(True)
    apart, cores_x = CHANCE() < 0.3, CHOOSE(divisors(kv, GRID_X))
    inputs = [in_blocks(lead, (heads if apart else heads + 2 * kv) * width, batch, rows, cores_x, kind)]
    if apart:
        config = inputs[0]["memory_config"]
        inputs.append(spec(lead + [2 * kv * width], kind,
                           config=config | {"shard_shape": [config["shard_shape"][0], 2 * kv * width // cores_x]}))
    transpose, out = CHANCE() < 0.5, CHOOSE([HEIGHT, HEIGHT, HEIGHT, None, L1])
    optional = {} if kv == heads else {"num_kv_heads": kv}
    return (inputs, lambda *x: TRANSFORMER.split_query_key_value_and_split_heads(
        *x, num_heads=heads, transpose_key=transpose, memory_config=memory_config(out), **optional),
            {"num_heads": heads, "num_kv_heads": optional.get("num_kv_heads"), "transpose_key": transpose}, out)


def nlp_concat_heads(function=EXPERIMENTAL.nlp_concat_heads):
    batch, heads, width = CHOOSE([1, 1, 2, 4, 8, 7]), CHOOSE([1, 2, 4, 8, 12, 16, 32]), CHOOSE([32, 64, 64, 128, 96])
    rows, kind = CHOOSE([32, 64, 128, 384, 17]), dtype()
    padded = -(-rows // 32) * 32
    cores = CHOOSE(divisors(batch * heads, GRID_X * GRID_Y))
    config = height_sharded(cores, batch * heads // cores * padded, width)
    if GRID_X >= heads and GRID_Y >= batch and CHANCE() < 0.5:
        config = config | {"shard_grid": [[0, 0, heads - 1, batch - 1]], "shard_shape": [padded, width]}
        if CHANCE() < 0.3 and GRID_X >= batch and GRID_Y >= heads:
            config = config | {"shard_grid": [[0, 0, batch - 1, heads - 1]], "orientation": "COL_MAJOR"}
    if CHANCE() < 0.1:
        config = interleaved()
    out = CHOOSE([None, DRAM, L1, BLOCK, BLOCK, WIDTH, HEIGHT])
    return [spec([batch, heads, rows, width], kind, config=config)], \
        lambda x: function(x, memory_config=memory_config(out)), {}, out


def concatenate_heads():
    return nlp_concat_heads(TRANSFORMER.concatenate_heads)


def nlp_create_qkv_heads_decode():
    kv_heads, width, users = CHOOSE([1, 2, 4, 8, None]), CHOOSE([32, 64, 128, 96]), CHOOSE([1, 8, 16, 32, 32])
    heads = CHOOSE([n for n in (1, 4, 8, 16, 32) if n >= (kv_heads or 1)])
    optional = {} if kv_heads is None else {"num_kv_heads": kv_heads}
    overlap = CHOOSE([True, True, False])
    total = (heads + 2 * (kv_heads or heads)) * width
    first = qkv_width_sharded(users, total, CHOOSE(["bfloat16", "bfloat16", "float32", "bfloat8_b"]),
                              CHOOSE([32, 64, width]))
    if CHANCE() < 0.15:
        first = spec([1, 1, users, total], config=interleaved())
    return ([first], lambda x: EXPERIMENTAL.nlp_create_qkv_heads_decode(
        x, num_heads=heads, overlap_qk_coregrid=overlap, memory_config=ttnn.L1_HEIGHT_SHARDED_MEMORY_CONFIG, **optional),
            {"num_heads": heads, "num_kv_heads": kv_heads, "overlap_qk_coregrid": overlap}, HEIGHT)


def rotary_embedding():
    width, token = CHOOSE([32, 64, 64, 128, 256]), CHOOSE([None, None, 0, 5, 37, 100])
    length, heads, batch = CHOOSE([32, 64, 128, 256, 17]), CHOOSE([1, 2, 4, 8, 16, 32, 64]), CHOOSE([1, 1, 2, 4])
    kind = dtype()
    shape = [batch, heads, length, width] if token is None else [1, heads, CHOOSE([1, 8, 32, 64]), width]
    rows = shape[0] * shape[1] * (-(-shape[2] // 32))
    cores = CHOOSE(divisors(rows, GRID_X * GRID_Y))
    config = height_sharded(cores, rows // cores * 32, width)
    angles = spec([1, 1, CHOOSE([length, 2048]) if token is None else 128, width], CHOOSE([kind, "bfloat16"]),
                  config=interleaved())
    if CHANCE() < 0.15:
        config = interleaved()
    layouts = ["TILE"] * 3
    if CHANCE() < 0.3:
        layouts = [CHOOSE(["TILE", "ROW_MAJOR"]) for _ in range(3)]
        layouts[2] = CHOOSE([layouts[1], layouts[2]])
        kind = "bfloat16"
        angles["dtype"] = kind
    out = CHOOSE([None, None, HEIGHT, DRAM, L1, config])
    return ([spec(shape, kind, layouts[0], config), angles | {"layout": layouts[1]}, angles | {"layout": layouts[2]}],
            lambda x, c, s: EXPERIMENTAL.rotary_embedding(x, c, s, token, memory_config=memory_config(out)),
            {"token_index": token}, out)


def rotary_embedding_hf():
    width, heads, kind = CHOOSE([32, 64, 64, 128, 128, 96, 256]), CHOOSE([1, 4, 8, 16, 32, 48]), dtype()
    if CHANCE() < 0.5:
        users = CHOOSE([1, 2, 4, 8, 16, 32, 40])
        config = height_sharded(users, -(-heads // 32) * 32, width)
        angles = spec([1, users, 1, width], CHOOSE([kind, "bfloat16"]), config=height_sharded(users, 32, width))
        if CHANCE() < 0.1:
            config = interleaved()
        return ([spec([1, users, heads, width], kind, config=config), angles, angles],
                lambda *x: EXPERIMENTAL.rotary_embedding_hf(*x, is_decode_mode=True), {"is_decode_mode": True}, None)
    length, batch = CHOOSE(LENGTHS), CHOOSE([1, 1, 1, 2])
    angles = spec([1, 1, CHOOSE([length, 2048]), width], CHOOSE([kind, "bfloat16"]))
    out, config = CHOOSE([None, DRAM, L1]), interleaved()
    if CHANCE() < 0.3 and length <= 256:
        rows = batch * heads * (-(-length // 32))
        cores = CHOOSE(divisors(rows, GRID_X * GRID_Y))
        config, out = height_sharded(cores, rows // cores * 32, width), CHOOSE([None, DRAM, L1, HEIGHT])
    return ([spec([batch, heads, length, width], kind, config=config), angles, angles],
            lambda *x: EXPERIMENTAL.rotary_embedding_hf(*x, memory_config=memory_config(out)),
            {"is_decode_mode": False}, out)


def rotary_embedding_llama():
    width, heads = CHOOSE([32, 64, 64, 128, 128, 96, 256]), CHOOSE([1, 4, 8, 16, 32, 48])
    layout = CHOOSE(["TILE", "ROW_MAJOR"])
    users = CHOOSE([1, 2, 4, 8, 16, 32, 40])
    rows = 32 if layout == "TILE" else CHOOSE([1, heads])
    config = height_sharded(users, rows if layout == "ROW_MAJOR" else -(-heads // 32) * 32, width)
    angles = spec([1, users, 1, width], layout=layout, config=height_sharded(users, 32 if layout == "TILE" else 1, width))
    matrix = spec([1, 1, 32 * users, 32], config=height_sharded(users, 32, 32))
    return ([spec([1, users, heads if layout == "TILE" else rows, width], layout=layout, config=config), angles, angles, matrix],
            lambda *x: EXPERIMENTAL.rotary_embedding_llama(*x, is_decode_mode=True), {"is_decode_mode": True}, None)


def rotary_embedding_llama_fused_qk():
    width, heads, kv = CHOOSE([32, 64, 64, 128, 96, 256]), CHOOSE([1, 4, 8, 16, 32]), CHOOSE([1, 2, 4, 8])
    users = CHOOSE([1, 2, 4, 8, 16, 32, 6])
    def after(first, count, rows):
        cores = [[(first + i) % GRID_X, (first + i) // GRID_X] for i in range(count)]
        return {"memory_layout": "HEIGHT_SHARDED", "buffer_type": "L1", "shard_grid": [c + c for c in cores],
                "shard_shape": [rows, width]}
    q, k = height_sharded(users, 32, width), after(users, users, 32)
    if users % GRID_X == 0:
        k = k | {"shard_grid": [[0, users // GRID_X, GRID_X - 1, 2 * users // GRID_X - 1]]}
    angles = spec([1, 2 * users, 1, width], config=height_sharded(2 * users, 32, width))
    matrix = spec([1, 1, 64 * users, 32], config=height_sharded(2 * users, 32, 32))
    return ([spec([1, users, heads, width], config=q), spec([1, users, kv, width], config=k), angles, angles, matrix],
            lambda *x: EXPERIMENTAL.rotary_embedding_llama_fused_qk(*x), {}, None)


def cache_of(batches):
    batch, heads = CHOOSE(batches), CHOOSE([1, 2, 4, 8])
    return spec([batch, heads, CHOOSE([32, 64, 128, 1024, 2048]), CHOOSE([32, 64, 128, 256])], dtype(), config=interleaved())


def update_cache():
    cache = cache_of([1, 4, 8, 32, 32])
    batch, heads, length, width = cache["shape"]
    rows = CHOOSE([32, 32, batch])
    padded = -(-rows // 32) * 32
    cores = CHOOSE(divisors(heads * padded // 32, GRID_X * GRID_Y))
    value = spec([1, heads, rows, width], CHOOSE([cache["dtype"], dtype()]),
                 config=height_sharded(cores, heads * padded // cores, width))
    at, offset = CHOOSE([0, 5, length - 1]), CHOOSE([0, 0, 0, 8])
    return ([cache, value], lambda c, x: ttnn.update_cache(c, x, at, batch_offset=offset),
            {"update_index": at, "batch_offset": offset}, None)


def fill_cache():
    cache = cache_of([1, 4, 8])
    _, heads, length, width = cache["shape"]
    rows = CHOOSE([n for n in (32, 64, 128, 17) if n <= length])
    tiles = heads * (-(-rows // 32))
    cores = CHOOSE(divisors(tiles, GRID_X * GRID_Y))
    value = spec([1, heads, rows, width], cache["dtype"], config=height_sharded(cores, tiles // cores * 32, width))
    return [cache, value], lambda c, x: ttnn.fill_cache(c, x, 0, update_idx=0), {"batch_index": 0, "update_idx": 0}, None


def paged(function, pairs):
    users, heads, width = CHOOSE([1, 2, 8, 16, 32]), CHOOSE([1, 2, 4, 8]), CHOOSE([32, 64, 128, 96])
    kind, with_pages, share = CHOOSE(["bfloat16", "bfloat16", "bfloat8_b", "bfloat4_b", "float32"]), CHANCE() < 0.5, False
    length = CHOOSE([32, 64, 128]) if with_pages else CHOOSE([64, 128, 1024])
    share = not with_pages and CHANCE() < 0.15
    layout = "ROW_MAJOR" if CHANCE() < 0.25 else "TILE"
    if layout == "ROW_MAJOR" and pairs == 2 and CHANCE() < 0.8:
        heads, width = CHOOSE([1, 8]), 128
    cache = spec([users * 16 if with_pages else 1 if share else users, heads, length, width], kind, config=interleaved())
    rows = 32 if layout == "TILE" else CHOOSE([heads, 8])
    value_kind, inputs = CHOOSE(["bfloat16", "bfloat16", "float32"]), []
    first = 0
    for _ in range(pairs):
        full = [[(first + i) % GRID_X, (first + i) // GRID_X] * 2 for i in range(users)]
        config = height_sharded(users, rows, width) if first == 0 else {
            "memory_layout": "HEIGHT_SHARDED", "buffer_type": "L1", "shard_grid": full, "shard_shape": [rows, width]}
        inputs += [cache, spec([1, users, heads if layout == "TILE" else rows, width], value_kind, layout, config)]
        first += users
    arguments, names, options = {"share_cache": share}, [], {"share_cache": share} if share else {}
    if with_pages or CHANCE() < 0.5:
        names.append("update_idxs_tensor")
        inputs.append(spec([users], "int32", "ROW_MAJOR"))
    else:
        arguments["update_idxs"] = options["update_idxs"] = [CHOOSE([0, 5, length - 1]) for _ in range(users)]
    if with_pages:
        names.append("page_table")
        inputs.append(spec([users, CHOOSE([4, 8, 16])], "int32", "ROW_MAJOR"))
    arguments["tensors"] = names
    return (inputs, lambda *x: function(*x[:2 * pairs], **options, **dict(zip(names, x[2 * pairs:]))), arguments, None)


def paged_update_cache():
    return paged(EXPERIMENTAL.paged_update_cache, 1)


def paged_fused_update_cache():
    return paged(EXPERIMENTAL.paged_fused_update_cache, 2)


def paged_fill_cache():
    heads, width, length = CHOOSE([1, 2, 4, 8]), CHOOSE([32, 64, 128]), CHOOSE([32, 64, 128])
    kind, by_tensor, batch = CHOOSE(["bfloat16", "bfloat8_b", "float32"]), CHANCE() < 0.4, 1
    if by_tensor:
        batch = CHOOSE([1, 1, 2, 4])
    inputs = [spec([64, heads, length, width], kind), spec([batch, heads, CHOOSE([32, 64, 128, 200]), width], kind,
                                                           config=interleaved()),
              spec([CHOOSE([1, 4, 8]), CHOOSE([8, 16, 64, 20])], "int32", "ROW_MAJOR")]
    if by_tensor:
        inputs.append(spec([batch], CHOOSE(["int32", "uint32"]), "ROW_MAJOR"))
        return (inputs, lambda c, x, t, b: EXPERIMENTAL.paged_fill_cache(c, x, t, batch_idx_tensor=b),
                {"batch_idx": 0, "batch_idx_tensor": True}, None)
    return inputs, lambda c, x, t: EXPERIMENTAL.paged_fill_cache(c, x, t, batch_idx=0), {"batch_idx": 0}, None


def softmax_in_shards(call, masks):
    batch, heads = CHOOSE([1, 2, 4, 8]), CHOOSE([1, 2, 4, 8, 16])
    rows, columns, kind = CHOOSE([32, 64, 128, 384]), CHOOSE([32, 64, 128, 384, 512, 1024, 100]), dtype()
    padded = -(-columns // 32) * 32
    total = batch * heads * rows
    kinds = CHOOSE(["height", "height", "block"])
    if kinds == "height":
        cores = CHOOSE(divisors(total // 32, GRID_X * GRID_Y))
        x, y = (GRID_X, cores // GRID_X) if cores % GRID_X == 0 else (cores, 1) if cores <= GRID_X else (0, 0)
        config = height_sharded(cores, total // cores, padded)
    else:
        x, y = CHOOSE(divisors(heads, GRID_X)), CHOOSE(divisors(batch * rows // 32, GRID_Y))
        config = block_sharded(x, y, total // (x * y), padded)
        config = config | {"memory_layout": "BLOCK_SHARDED"} if x == 1 else config | {"memory_layout": "HEIGHT_SHARDED"}
    per_core = config["shard_shape"][0] // 32
    width = padded // 32
    sub = CHOOSE(divisors(width, 8))
    grid = (x, y) if x else (GRID_X, GRID_Y)
    wrong = CHANCE() < 0.1
    chosen = {"grid": list(grid), "subblock_w": sub, "block_h": per_core * (2 if wrong else 1), "block_w": width}
    program = ttnn.SoftmaxShardedMultiCoreProgramConfig(
        compute_with_storage_grid_size=grid, subblock_w=sub, block_h=chosen["block_h"], block_w=width)
    arguments = {"program_config": chosen}
    if CHANCE() < 0.15:
        arguments.pop("program_config")
        program = ttnn.SoftmaxDefaultProgramConfig()
    inputs = [spec([batch, heads, rows, columns], kind, config=config)]
    if masks and CHANCE() < 0.8:
        mask = masks(batch, heads, rows, columns, config, CHOOSE(["bfloat16", kind]))
        arguments["causal_mask"] = mask.pop("causal", False)
        inputs.append(mask)
    return call(inputs, arguments, program)


def some_mask(batch, heads, rows, columns, config, kind):
    choice = CHANCE()
    if choice < 0.45:
        return spec([batch, 1, CHOOSE([1, 32, 32]), columns], kind, config=interleaved())
    if choice < 0.65:
        return spec([batch, CHOOSE([1, heads]), rows, columns], kind, config=interleaved()) | {"causal": True}
    if choice < 0.85:
        return spec([batch, heads, rows, columns], kind, config=config) | {"causal": True}
    return spec([batch, 1, CHOOSE([32, rows]), columns], kind, config=interleaved())


def call_scale_mask(inputs, arguments, program):
    arguments |= {"scale": CHOOSE([None, 0.125]) if len(inputs) > 1 else None, "numeric_stable": CHANCE() < 0.5}
    return (inputs, lambda x, *m: ttnn.scale_mask_softmax_in_place(
        x, arguments["scale"], m[0] if m else None, program_config=program, numeric_stable=arguments["numeric_stable"],
        is_causal_mask=arguments.get("causal_mask", False)), arguments, None)


def scale_mask_softmax_in_place():
    return softmax_in_shards(call_scale_mask, some_mask)


def call_causal_hw(inputs, arguments, program):
    arguments |= {"scale": CHOOSE([None, 0.125]), "numeric_stable": CHANCE() < 0.5}
    arguments.pop("causal_mask", None)
    return (inputs, lambda x, *m: ttnn.scale_causal_mask_hw_dims_softmax_in_place(
        x, arguments["scale"], m[0] if m else None, program_config=program,
        numeric_stable=arguments["numeric_stable"]), arguments, None)


def hw_mask(batch, heads, rows, columns, config, kind):
    return spec([1, 1, CHOOSE([rows, rows, 32]), columns], kind, config=interleaved())


def scale_causal_mask_hw_dims_softmax_in_place():
    return softmax_in_shards(call_causal_hw, hw_mask)


def call_attention(inputs, arguments, program):
    arguments["head_size"] = width = CHOOSE([None, 64])
    optional = {} if width is None else {"head_size": width}
    return (inputs, lambda x, *m: TRANSFORMER.attention_softmax_(
        x, attention_mask=m[0] if m else None, program_config=program, causal_mask=arguments.get("causal_mask", False),
        **optional), arguments, None)


def attention_softmax_():
    return softmax_in_shards(call_attention, some_mask)


def call_softmax(inputs, arguments, program):
    arguments["numeric_stable"] = CHANCE() < 0.5
    return (inputs, lambda x: ttnn.softmax_in_place(x, program_config=program, numeric_stable=arguments["numeric_stable"]),
            arguments, None)


def softmax_in_place():
    return softmax_in_shards(call_softmax, None)


if __name__ == "__main__":
    record_all(globals(), [
        "nlp_create_qkv_heads", "create_qkv_heads", "create_qkv_heads_from_separate_tensors",
        "split_query_key_value_and_split_heads", "nlp_concat_heads", "concatenate_heads", "nlp_create_qkv_heads_decode",
        "rotary_embedding", "rotary_embedding_hf", "rotary_embedding_llama", "rotary_embedding_llama_fused_qk",
        "update_cache", "fill_cache", "paged_update_cache", "paged_fused_update_cache", "paged_fill_cache",
        "scale_mask_softmax_in_place", "scale_causal_mask_hw_dims_softmax_in_place", "attention_softmax_",
        "softmax_in_place"])
