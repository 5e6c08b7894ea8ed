# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""As record_transformer.py, of attention on paged caches, in chunks, joint, windowed, and of odd head sizes:
record_attention.py BOARD SEED COUNT OUT.jsonl [OPERATION...]"""
from record_transformer import (CHANCE, CHOOSE, DRAM, L1, TRANSFORMER, attention_options, height_sharded, interleaved,
                                memory_config, record_all, spec)


def scaled_dot_product_attention():
    """Head sizes that are no multiple of 32; windows by cumulative lengths."""
    batch, kv_heads, width = CHOOSE([1, 1, 2]), CHOOSE([1, 2, 4, 16]), CHOOSE([32, 64, 64, 96, 128, 72])
    heads, causal, rows = kv_heads * CHOOSE([1, 1, 2, 4]), CHANCE() < 0.4, CHOOSE([32, 64, 128, 256, 384, 1024, 100, 200])
    arguments, windows = {"is_causal": causal}, not causal and CHANCE() < 0.8
    shapes = [[batch, heads, rows, width]] + [[batch, kv_heads, rows, width]] * 2
    inputs = [spec(shape, CHOOSE(["bfloat16", "bfloat16", "bfloat8_b"]), config=interleaved()) for shape in shapes]
    chunks = [32, 64, 128, 256]
    options, names = attention_options(arguments, chunks, chunks), []
    if windows:
        for each in (arguments, options):
            each.pop("sliding_window_size", None)
        arguments["windows"] = True
        names.append("cu_window_seqlens")
        inputs.append(spec([CHOOSE([2, 3, 5, 9, 20, 33, 65])], CHOOSE(["uint32", "uint32", "int32"]), "ROW_MAJOR"))
    elif not causal and "sliding_window_size" not in arguments and CHANCE() < 0.4:
        arguments["mask"] = True
        names.append("attn_mask")
        inputs.append(spec([CHOOSE([1, batch]), CHOOSE([1, heads]), rows, rows], CHOOSE(["bfloat16", "bfloat8_b"])))
    out = CHOOSE([None, None, DRAM, L1])
    return (inputs, lambda q, k, v, *rest: TRANSFORMER.scaled_dot_product_attention(
        q, k, v, is_causal=causal, memory_config=memory_config(out), **options, **dict(zip(names, rest))), arguments, out)


def paged_scaled_dot_product_attention_decode():
    users, kv_heads, width = CHOOSE([1, 1, 2, 4, 8, 16, 32]), CHOOSE([1, 1, 2, 4, 8]), CHOOSE([32, 64, 64, 128, 128])
    heads, block = kv_heads * CHOOSE([1, 4, 8, 16]), CHOOSE([32, 32, 64, 128])
    blocks, causal = CHOOSE([4, 8, 16, 32, 20]), CHANCE() < 0.75
    sharded = height_sharded(users, -(-heads // 32) * 32, width)
    kind = CHOOSE(["bfloat16", "bfloat16", "bfloat8_b", "bfloat4_b"])
    inputs = [spec([1, users, heads, width], CHOOSE(["bfloat16", "bfloat8_b"]) if kv_heads == 1 else "bfloat16",
                   config=CHOOSE([DRAM, sharded]))]
    inputs += [spec([CHOOSE([users * blocks, 64, 256]), kv_heads, block, width], kind)] * 2
    inputs += [spec([users, blocks], "int32", "ROW_MAJOR")]
    arguments, names = {"is_causal": causal}, []
    options = attention_options(arguments, [32, 0], [32, 0, 64, min(block * blocks, 256)])
    if not causal and CHANCE() < 0.6:
        arguments["mask"] = True
        names.append("attn_mask")
        inputs.append(spec([users, 1, heads, block * blocks], CHOOSE(["bfloat16", "bfloat8_b"])))
    if causal or CHANCE() < 0.3:
        arguments["cur_pos_tensor"] = True
        names.append("cur_pos_tensor")
        inputs.append(spec([users], "int32", "ROW_MAJOR"))
    if CHANCE() < 0.1:
        arguments["sink"] = True
        names.append("attention_sink")
        inputs.append(spec([heads, 32]))
    out = CHOOSE([None, None, DRAM, L1] + ([sharded] if kv_heads == 1 else []))
    return (inputs, lambda q, k, v, table, *rest: TRANSFORMER.paged_scaled_dot_product_attention_decode(
        q, k, v, table, is_causal=causal, memory_config=memory_config(out), **options, **dict(zip(names, rest))),
            arguments, out)


def chunked_scaled_dot_product_attention():
    kv_heads, width, block = CHOOSE([1, 1, 2, 4, 8]), CHOOSE([32, 64, 64, 128, 96]), CHOOSE([32, 32, 64, 128])
    heads, rows, blocks = kv_heads * CHOOSE([1, 1, 2, 4]), CHOOSE([32, 64, 128, 256, 512, 1024, 100]), CHOOSE([16, 32, 64])
    kind = CHOOSE(["bfloat16", "bfloat16", "bfloat8_b"])
    batch = CHOOSE([1, 1, 2])
    inputs = [spec([batch, heads, rows, width], CHOOSE(["bfloat16", "bfloat16", "bfloat8_b"]), config=interleaved())]
    inputs += [spec([CHOOSE([64, 128]), kv_heads, block, width], kind)] * 2
    inputs += [spec([batch, blocks], "int32", "ROW_MAJOR")]
    start = CHOOSE([0, 0, 128, 256, 512])
    arguments = {"chunk_start_idx": start}
    options = attention_options(arguments, [32, 64, 128, 256], [32, 64, 128, 256])
    for each in (arguments, options):
        if CHANCE() < 0.7:
            each.pop("sliding_window_size", None)
    arguments["sliding_window_size"] = options.get("sliding_window_size")
    out = CHOOSE([None, None, DRAM, L1])
    return (inputs, lambda q, k, v, table: TRANSFORMER.chunked_scaled_dot_product_attention(
        q, k, v, table, start, memory_config=memory_config(out), **options), arguments, out)


def joint_scaled_dot_product_attention():
    batch, heads, width = CHOOSE([1, 1, 2]), CHOOSE([1, 2, 4, 10, 24]), CHOOSE([32, 64, 64, 128])
    rows, joint = CHOOSE([32, 64, 128, 256, 1024, 100]), CHOOSE([32, 64, 128, 333, 17, 0])
    kind = CHOOSE(["bfloat16", "bfloat16", "bfloat8_b"])
    inputs = [spec([batch, heads, n, width], kind, config=CHOOSE([DRAM] * 15 + [L1])) for n in [rows] * 3 + [joint or 32] * 3]
    arguments = {}
    options = {}
    while "program_config" not in options:
        arguments.clear()
        options = attention_options(arguments, [32, 64, 128, 256], [32, 64, 128, 256])
    for each in (arguments, options):
        each.pop("sliding_window_size", None)
    return (inputs, lambda *x: TRANSFORMER.joint_scaled_dot_product_attention(*x, joint_strategy="rear", **options),
            arguments, None)


if __name__ == "__main__":
    record_all(globals(), [
        "scaled_dot_product_attention", "paged_scaled_dot_product_attention_decode",
        "chunked_scaled_dot_product_attention", "joint_scaled_dot_product_attention"])
