# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random configurations of scaled dot-product attention in its forms; a part of the family transformer."""

from .tensor_specs import DRAM, L1, given, height_shards, mostly_dram, row, spec

# Tensors that may follow query, key, value and page table, in this order: argument of the row, parameter.
OPERANDS = {"mask": "attn_mask", "cur_pos_tensor": "cur_pos_tensor", "sink": "attention_sink", "windows": "cu_window_seqlens"}


def attention_args(rng, grid, args, chunks_q, chunks_k):
    """Adds program config, kernel config, sliding window and scale, or some of them."""
    if rng.random() < 0.6:
        args["program_config"] = {"grid": [rng.choice([grid[0], grid[0], 4, 7]), rng.choice([grid[1], grid[1], 4, 3])],
                                  "q_chunk_size": rng.choice(chunks_q), "k_chunk_size": rng.choice(chunks_k),
                                  "max_cores_per_head_batch": rng.choice([16, 16, 8, 1])}
    if rng.random() < 0.2:
        args["fp32_dest_acc_en"] = True
    if rng.random() < 0.2:
        args["sliding_window_size"] = rng.choice([32, 64, 100])
    if rng.random() < 0.2:
        args["scale"] = 0.25


def attention_keywords(ttnn, inputs, args, operands=()):
    keywords = given(args, "sliding_window_size", "scale", "cur_pos")
    if "program_config" in args:
        config = dict(args["program_config"])
        keywords["program_config"] = ttnn.SDPAProgramConfig(compute_with_storage_grid_size=tuple(config.pop("grid")), **config)
    if args.get("fp32_dest_acc_en"):
        keywords["compute_kernel_config"] = ttnn.init_device_compute_kernel_config(
            inputs[0].device().arch(), math_fidelity=ttnn.MathFidelity.HiFi2, math_approx_mode=True, fp32_dest_acc_en=True,
            packer_l1_acc=False)
    return keywords | dict(zip([name for key, name in OPERANDS.items() if args.get(key)], operands))


def scaled_dot_product_attention(rng, grid):
    batch, kv_heads = rng.choice([1, 1, 1, 2, 3, 8]), rng.choice([1, 2, 4, 8, 16, 5])
    width = rng.choice([32, 64, 64, 96, 128, 160, 256])
    heads, causal = kv_heads * rng.choice([1, 1, 1, 2, 4, 3]), rng.random() < 0.5
    rows = rng.choice([32, 64, 96, 128, 128, 256, 384, 512, 1024, 2048, 17, 100, 200, 33])
    columns = rows if causal or rng.random() < 0.5 else rng.choice([32, 64, 128, 256, 100, 512, 1024, 77])
    kind, args = rng.choice(["bfloat16", "bfloat16", "bfloat16", "bfloat8_b"]), {"is_causal": causal}
    inputs = [spec([batch, heads, rows, width], kind, memory=mostly_dram(rng))]
    inputs += [spec([batch, kv_heads, columns, width], kind, memory=mostly_dram(rng)) for _ in range(2)]
    chunks = [32, 64, 96, 128, 160, 224, 256, 512]
    attention_args(rng, grid, args, chunks, chunks)
    if not causal and "sliding_window_size" not in args and rng.random() < 0.5:
        args["mask"] = True
        shape = [rng.choice([1, batch]), rng.choice([1, heads]), rows, columns]
        inputs.append(spec(shape, rng.choice(["bfloat16", "bfloat8_b"])))
    if rng.random() < 0.1:
        args["sink"] = True
        inputs.append(spec([1, heads, 1, 1]))
    return row(inputs, args, rng.choice([None, None, DRAM, L1]))


def scaled_dot_product_attention_in_windows(rng, grid):
    """Windows by cumulative lengths; head sizes that are no multiple of 32."""
    batch, kv_heads, width = rng.choice([1, 1, 2]), rng.choice([1, 2, 4, 16]), rng.choice([32, 64, 64, 96, 128, 72])
    heads, causal = kv_heads * rng.choice([1, 1, 2, 4]), rng.random() < 0.4
    rows, args = rng.choice([32, 64, 128, 256, 384, 1024, 100, 200]), {"is_causal": causal}
    windows = not causal and rng.random() < 0.8
    shapes = [[batch, heads, rows, width]] + [[batch, kv_heads, rows, width]] * 2
    inputs = [spec(shape, rng.choice(["bfloat16", "bfloat16", "bfloat8_b"]), memory=mostly_dram(rng)) for shape in shapes]
    chunks = [32, 64, 128, 256]
    attention_args(rng, grid, args, chunks, chunks)
    if windows:
        args.pop("sliding_window_size", None)
        args["windows"] = True
        inputs.append(spec([rng.choice([2, 3, 5, 9, 20, 33, 65])], rng.choice(["uint32", "uint32", "int32"]), "ROW_MAJOR"))
    elif not causal and "sliding_window_size" not in args and rng.random() < 0.4:
        args["mask"] = True
        shape = [rng.choice([1, batch]), rng.choice([1, heads]), rows, rows]
        inputs.append(spec(shape, rng.choice(["bfloat16", "bfloat8_b"])))
    return row(inputs, args, rng.choice([None, None, DRAM, L1]))


def scaled_dot_product_attention_decode(rng, grid):
    users, kv_heads = rng.choice([1, 1, 2, 4, 8, 16, 32]), rng.choice([1, 1, 2, 4, 8])
    heads, width = kv_heads * rng.choice([1, 4, 8, 16]), rng.choice([32, 64, 64, 128, 128])
    length, causal = rng.choice([32, 64, 128, 256, 1024, 2048, 2048, 4096]), rng.random() < 0.75
    shards = height_shards(grid, users, -(-heads // 32) * 32, width)
    kind, args = rng.choice(["bfloat16", "bfloat16", "bfloat8_b"]), {"is_causal": causal}
    inputs = [spec([1, users, heads, width], rng.choice(["bfloat16", "bfloat8_b"]) if kv_heads == 1 else "bfloat16",
                   memory=rng.choice([DRAM, shards]))]
    inputs += [spec([users, kv_heads, length, width], kind)] * 2
    attention_args(rng, grid, args, [32, 0], [32, 0, min(length, 256)])
    if not causal and rng.random() < 0.6:
        args["mask"] = True
        inputs.append(spec([1, users, heads, length], rng.choice(["bfloat16", "bfloat8_b"])))
    if rng.random() < 0.5:
        args["cur_pos_tensor"] = True
        inputs.append(spec([users], "int32", "ROW_MAJOR"))
    else:
        args["cur_pos"] = [rng.choice([0, 5, length - 1]) for _ in range(users)]
    if rng.random() < 0.1:
        args["sink"] = True
        inputs.append(spec([heads, 32]))
    return row(inputs, args, rng.choice([None, None, DRAM, L1] + ([shards] if kv_heads == 1 else [])))


def paged_scaled_dot_product_attention_decode(rng, grid):
    users, kv_heads, width = rng.choice([1, 1, 2, 4, 8, 16, 32]), rng.choice([1, 1, 2, 4, 8]), rng.choice([32, 64, 64, 128, 128])
    heads, block = kv_heads * rng.choice([1, 4, 8, 16]), rng.choice([32, 32, 64, 128])
    blocks, causal = rng.choice([4, 8, 16, 32, 20]), rng.random() < 0.75
    shards = height_shards(grid, users, -(-heads // 32) * 32, width)
    kind, args = rng.choice(["bfloat16", "bfloat16", "bfloat8_b", "bfloat4_b"]), {"is_causal": causal}
    inputs = [spec([1, users, heads, width], rng.choice(["bfloat16", "bfloat8_b"]) if kv_heads == 1 else "bfloat16",
                   memory=rng.choice([DRAM, shards]))]
    inputs += [spec([rng.choice([users * blocks, 64, 256]), kv_heads, block, width], kind)] * 2
    inputs += [spec([users, blocks], "int32", "ROW_MAJOR")]
    attention_args(rng, grid, args, [32, 0], [32, 0, 64, min(block * blocks, 256)])
    if not causal and rng.random() < 0.6:
        args["mask"] = True
        inputs.append(spec([users, 1, heads, block * blocks], rng.choice(["bfloat16", "bfloat8_b"])))
    if causal or rng.random() < 0.3:
        args["cur_pos_tensor"] = True
        inputs.append(spec([users], "int32", "ROW_MAJOR"))
    if rng.random() < 0.1:
        args["sink"] = True
        inputs.append(spec([heads, 32]))
    return row(inputs, args, rng.choice([None, None, DRAM, L1] + ([shards] if kv_heads == 1 else [])))


def call_attention(name, first):
    """`first`: how many tensors are given without a name."""
    def call(ttnn, inputs, args, out):
        return getattr(ttnn.transformer, name)(*inputs[:first], is_causal=args["is_causal"], memory_config=out,
                                               **attention_keywords(ttnn, inputs, args, inputs[first:]))

    return call


def chunked_scaled_dot_product_attention(rng, grid):
    kv_heads, width, block = rng.choice([1, 1, 2, 4, 8]), rng.choice([32, 64, 64, 128, 96]), rng.choice([32, 32, 64, 128])
    heads, rows = kv_heads * rng.choice([1, 1, 2, 4]), rng.choice([32, 64, 128, 256, 512, 1024, 100])
    blocks, kind = rng.choice([16, 32, 64]), rng.choice(["bfloat16", "bfloat16", "bfloat8_b"])
    batch = rng.choice([1, 1, 2])
    inputs = [spec([batch, heads, rows, width], rng.choice(["bfloat16", "bfloat16", "bfloat8_b"]), memory=mostly_dram(rng))]
    inputs += [spec([rng.choice([64, 128]), kv_heads, block, width], kind)] * 2
    inputs += [spec([batch, blocks], "int32", "ROW_MAJOR")]
    args = {"chunk_start_idx": rng.choice([0, 0, 128, 256, 512])}
    attention_args(rng, grid, args, [32, 64, 128, 256], [32, 64, 128, 256])
    rng.random()  # a draw without effect: rows recorded before come from the same seeds
    if rng.random() < 0.7:
        args.pop("sliding_window_size", None)
    args.setdefault("sliding_window_size", None)
    return row(inputs, args, rng.choice([None, None, DRAM, L1]))


def call_chunked_attention(ttnn, inputs, args, out):
    return ttnn.transformer.chunked_scaled_dot_product_attention(
        *inputs, args["chunk_start_idx"], memory_config=out, **attention_keywords(ttnn, inputs, args))


def joint_scaled_dot_product_attention(rng, grid):
    batch, heads, width = rng.choice([1, 1, 2]), rng.choice([1, 2, 4, 10, 24]), rng.choice([32, 64, 64, 128])
    rows, joint = rng.choice([32, 64, 128, 256, 1024, 100]), rng.choice([32, 64, 128, 333, 17, 0])
    kind, args = rng.choice(["bfloat16", "bfloat16", "bfloat8_b"]), {}
    inputs = [spec([batch, heads, n, width], kind, memory=rng.choice([DRAM] * 15 + [L1]))
              for n in [rows] * 3 + [joint or 32] * 3]
    while "program_config" not in args:
        args.clear()
        attention_args(rng, grid, args, [32, 64, 128, 256], [32, 64, 128, 256])
    args.pop("sliding_window_size", None)
    return row(inputs, args)


def call_joint_attention(ttnn, inputs, args, out):
    return ttnn.transformer.joint_scaled_dot_product_attention(
        *inputs, joint_strategy="rear", **attention_keywords(ttnn, inputs, args))


def flash_mla_prefill(rng, grid):
    batch, kv_heads, width = rng.choice([1, 1, 2]), rng.choice([1, 1, 1, 2, 4]), rng.choice([64, 96, 192, 320, 576])
    heads, causal = kv_heads * rng.choice([1, 4, 8, 16]), rng.random() < 0.7
    rows = rng.choice([32, 64, 128, 256, 512, 1024, 100])
    columns = rows if causal or rng.random() < 0.5 else rng.choice([64, 128, 256, 77])
    args = {"is_causal": causal, "head_dim_v": rng.choice([32, 64, width - 64, width - 32, width, width - 12, 640])}
    inputs = [spec([batch, heads, rows, width], rng.choice(["bfloat16", "bfloat16", "bfloat8_b"]), memory=mostly_dram(rng)),
              spec([batch, kv_heads, columns, width], rng.choice(["bfloat16", "bfloat16", "bfloat8_b"]), memory=mostly_dram(rng))]
    chunks = [32, 64, 128, 256]
    attention_args(rng, grid, args, chunks, chunks)
    args.pop("sliding_window_size", None)
    if not causal and rng.random() < 0.5:
        args["mask"] = True
        inputs.append(spec([rng.choice([1, batch]), rng.choice([1, heads]), rows, columns], rng.choice(["bfloat16", "bfloat8_b"])))
    return row(inputs, args, rng.choice([None, None, DRAM, L1]))


def call_flash_mla_prefill(ttnn, inputs, args, out):
    return ttnn.transformer.flash_mla_prefill(*inputs[:2], args["head_dim_v"], is_causal=args["is_causal"], memory_config=out,
                                              **attention_keywords(ttnn, inputs, args, inputs[2:]))


def chunked_flash_mla_prefill(rng, grid):
    config = chunked_scaled_dot_product_attention(rng, grid)
    del config["inputs"][2]
    config["args"].pop("sliding_window_size")
    width = config["inputs"][0]["shape"][3]
    config["args"]["head_dim_v"] = min(width, rng.choice([32, 64, width]))
    return config


def call_chunked_flash_mla_prefill(ttnn, inputs, args, out):
    return ttnn.transformer.chunked_flash_mla_prefill(
        *inputs[:2], args["head_dim_v"], inputs[2], args["chunk_start_idx"], memory_config=out,
        **attention_keywords(ttnn, inputs, args))


def latent_decode(rng, grid, users, lengths):
    """Query and cache of one token of each user, in which the cache may be in blocks; the arguments."""
    kv_heads, width = rng.choice([1, 1, 1, 2]), rng.choice([64, 96, 192, 320])
    heads, causal = kv_heads * rng.choice([1, 4, 8, 16, 64]), rng.random() < 0.9
    shards = height_shards(grid, users, -(-heads // 32) * 32, width)
    kind, args = rng.choice(["bfloat16", "bfloat16", "bfloat8_b"]), {"is_causal": causal, "tensors": []}
    args["head_dim_v"] = rng.choice([32, 64, width - 32, width])
    inputs = [spec([1, users, heads, width], rng.choice(["bfloat16", "bfloat8_b"]) if kv_heads == 1 else "bfloat16",
                   memory=rng.choice([DRAM, shards]))]
    inputs += [spec([lengths[0], kv_heads, lengths[1], width], kind)]
    if rng.random() < 0.3:
        args["tensors"].append("input_tensor_v")
        inputs.append(spec([lengths[0], kv_heads, lengths[1], args["head_dim_v"]], rng.choice([kind, "bfloat16"])))
    out = rng.choice([None, None, DRAM, L1])
    return inputs, args, out


def flash_multi_latent_attention_decode(rng, grid):
    users, length = rng.choice([1, 1, 2, 4, 8]), rng.choice([32, 64, 128, 256, 1024])
    inputs, args, out = latent_decode(rng, grid, users, [users, length])
    attention_args(rng, grid, args, [32, 0], [32, 0, min(length, 128)])
    if rng.random() < 0.5:
        args["tensors"].append("cur_pos_tensor")
        inputs.append(spec([users], "int32", "ROW_MAJOR"))
    else:
        args["cur_pos"] = [rng.choice([0, 5, length - 1]) for _ in range(users)]
    if rng.random() < 0.1:
        args["tensors"].append("attention_sink")
        inputs.append(spec([inputs[0]["shape"][2], 32]))
    return row(inputs, args, out)


def paged_flash_multi_latent_attention_decode(rng, grid):
    users, blocks, block = rng.choice([1, 1, 2, 4, 8]), rng.choice([4, 8, 16, 20]), rng.choice([32, 32, 64])
    inputs, args, out = latent_decode(rng, grid, users, [rng.choice([users * blocks, 64]), block])
    inputs.append(spec([users, blocks], "int32", "ROW_MAJOR"))
    attention_args(rng, grid, args, [32, 0], [32, 0, 64])
    if rng.random() < 0.9:
        args["tensors"].append("cur_pos_tensor")
        inputs.append(spec([users], "int32", "ROW_MAJOR"))
    if rng.random() < 0.1:
        args["tensors"].append("attention_sink")
        inputs.append(spec([inputs[0]["shape"][2], 32]))
    return row(inputs, args, out)


def call_latent_decode(name, paged):
    def call(ttnn, inputs, args, out):
        rest = list(inputs[2:])
        value = rest.pop(0) if "input_tensor_v" in args["tensors"] else None
        pages = {"page_table_tensor": rest.pop(0)} if paged else {}
        named = dict(zip([each for each in args["tensors"] if each != "input_tensor_v"], rest))
        return getattr(ttnn.transformer, name)(
            *inputs[:2], value, head_dim_v=args["head_dim_v"], is_causal=args["is_causal"], memory_config=out, **pages, **named,
            **attention_keywords(ttnn, inputs, args))

    return call


def indexer_score_dsa(rng, grid):
    heads, width = rng.choice([1, 4, 8, 16, 64]), rng.choice([32, 64, 128, 128])
    rows, columns = 32 * rng.choice([1, 2, 3, 4, 8, 11, 20, 32]), 32 * rng.choice([1, 3, 4, 8, 17, 32, 64])
    ratio, slots = rng.choice([1, 1, 1, 1, 4, 3]), rng.choice([1, 1, 1, 3])
    config = [rng.choice([32, 32, 64, 128]), rng.choice([32, 32, 64, 256]), rng.choice([1, 1, 0, 2, 4])]
    args = {"key_compression_ratio": ratio, "chunk_start_idx": rng.choice([0, 0, 32, 64, max(columns - rows, 0), 10])}
    if rng.random() < 0.6:
        args["program_config"] = config
    if slots > 1 or rng.random() < 0.1:
        args["cache_batch_idx"] = rng.randrange(slots)
    if rng.random() < 0.2:
        args["kv_len"] = rng.choice([32, columns, columns // 2])
    kinds = rng.choice([["bfloat16"] * 3, ["bfloat16"] * 3, ["bfloat8_b", "bfloat8_b", "bfloat16"], ["bfloat16", "bfloat8_b", "bfloat16"]])
    inputs = [spec([1, heads, rows, width], kinds[0], memory=mostly_dram(rng)), spec([slots, 1, columns, width], kinds[1]),
              spec([1, 1, rows, heads], kinds[2])]
    return row(inputs, args)


def call_indexer_score_dsa(ttnn, inputs, args, out):
    named = given(args, "chunk_start_idx", "key_compression_ratio", "cache_batch_idx", "kv_len")
    if "program_config" in args:
        names = ("q_chunk_size", "k_chunk_size", "head_group_size")
        named["program_config"] = ttnn.IndexerScoreProgramConfig(**dict(zip(names, args["program_config"])))
    return ttnn.experimental.indexer_score_dsa(*inputs, **named)


def chunked_attention_from_tensor(rng, grid):
    """The beginning of a chunk in a tensor, and sinks, which chunks may have."""
    config = chunked_scaled_dot_product_attention(rng, grid)
    table = config["inputs"][3]["shape"]
    table[1] = rng.choice([table[1], table[1], 24, 20])
    config["args"]["tensors"] = []
    if rng.random() < 0.7:
        config["args"].pop("chunk_start_idx")
        config["args"]["tensors"].append("chunk_start_idx_tensor")
        config["inputs"].append(spec([1], "int32", "ROW_MAJOR"))
    if rng.random() < 0.4:
        config["args"]["tensors"].append("attention_sink")
        config["inputs"].append(spec([1, config["inputs"][0]["shape"][1], 1, 1]))
    return config


def call_chunked_attention_from_tensor(ttnn, inputs, args, out):
    named = dict(zip(args["tensors"], inputs[4:]))
    return ttnn.transformer.chunked_scaled_dot_product_attention(
        *inputs[:4], *given(args, "chunk_start_idx").values(), memory_config=out, **named, **attention_keywords(ttnn, inputs, args))


CALL_ATTENTION = call_attention("scaled_dot_product_attention", 3)
CONFIGURATIONS = {
    "scaled_dot_product_attention": (scaled_dot_product_attention, CALL_ATTENTION),
    "scaled_dot_product_attention:windows": (scaled_dot_product_attention_in_windows, CALL_ATTENTION),
    "scaled_dot_product_attention_decode": (
        scaled_dot_product_attention_decode, call_attention("scaled_dot_product_attention_decode", 3)),
    "paged_scaled_dot_product_attention_decode": (
        paged_scaled_dot_product_attention_decode, call_attention("paged_scaled_dot_product_attention_decode", 4)),
    "chunked_scaled_dot_product_attention": (chunked_scaled_dot_product_attention, call_chunked_attention),
    "chunked_scaled_dot_product_attention:from_tensor": (chunked_attention_from_tensor, call_chunked_attention_from_tensor),
    "indexer_score_dsa": (indexer_score_dsa, call_indexer_score_dsa),
    "flash_mla_prefill": (flash_mla_prefill, call_flash_mla_prefill),
    "chunked_flash_mla_prefill": (chunked_flash_mla_prefill, call_chunked_flash_mla_prefill),
    "flash_multi_latent_attention_decode": (
        flash_multi_latent_attention_decode, call_latent_decode("flash_multi_latent_attention_decode", False)),
    "paged_flash_multi_latent_attention_decode": (
        paged_flash_multi_latent_attention_decode, call_latent_decode("paged_flash_multi_latent_attention_decode", True)),
    "joint_scaled_dot_product_attention": (joint_scaled_dot_product_attention, call_joint_attention),
}
