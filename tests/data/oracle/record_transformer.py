# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Records what TT-NN does for random calls of the operations of transformers, as rows of the oracle tables.

Runs under the real TT-NN, on a mock board:  record_transformer.py BOARD SEED COUNT OUT.jsonl [OPERATION...]
COUNT calls of each operation. Rows with an error keep its text; rows whose inputs don't fit on the board are left out.
"""
import json
import random
import sys

import ttnn

GRAPH, TRANSFORMER, EXPERIMENTAL = ttnn.graph, ttnn.transformer, ttnn.experimental
BOARD, SEED, COUNT, OUT = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
R = random.Random(SEED)
CHOOSE, CHANCE = R.choice, R.random
device = ttnn.open_device(device_id=0)
size = device.compute_with_storage_grid_size()
GRID_X, GRID_Y = size.x, size.y
DTYPES = {"bfloat16": ttnn.bfloat16, "float32": ttnn.float32, "bfloat8_b": ttnn.bfloat8_b, "bfloat4_b": ttnn.bfloat4_b,
          "int32": ttnn.int32, "uint32": ttnn.uint32}
DTYPE_NAMES = {value: key for key, value in DTYPES.items()}
DRAM = {"memory_layout": "INTERLEAVED", "buffer_type": "DRAM"}
L1 = {"memory_layout": "INTERLEAVED", "buffer_type": "L1"}
PIECES = {"circular_buffer_allocate": "cbs", "dataflow_buffer_allocate": "dfbs", "scratchpad_allocate": "scratchpads"}
LENGTHS = [32, 64, 96, 128, 128, 256, 384, 512, 1024, 2048, 17, 100, 33, 1]


def height_sharded(cores, rows, columns):
    full, rest = divmod(cores, GRID_X)
    grid = ([[0, 0, GRID_X - 1, full - 1]] if full else []) + ([[0, full, rest - 1, full]] if rest else [])
    return {"memory_layout": "HEIGHT_SHARDED", "buffer_type": "L1", "shard_grid": grid, "shard_shape": [rows, columns]}


def memory_config(text):
    if text is None:
        return None
    layout = getattr(ttnn.TensorMemoryLayout, text["memory_layout"])
    kind = getattr(ttnn.BufferType, text["buffer_type"])
    if "shard_shape" not in text:
        return ttnn.MemoryConfig(layout, kind)
    grid = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(a, b), ttnn.CoreCoord(c, d))
                              for a, b, c, d in text["shard_grid"]})
    orientation = getattr(ttnn.ShardOrientation, text.get("orientation", "ROW_MAJOR"))
    return ttnn.MemoryConfig(layout, kind, ttnn.ShardSpec(grid, text["shard_shape"], orientation))


def spec(shape, dtype="bfloat16", layout="TILE", config=None):
    return {"shape": list(shape), "dtype": dtype, "layout": layout, "memory_config": config or DRAM}


def make(text):
    layout = ttnn.TILE_LAYOUT if text["layout"] == "TILE" else ttnn.ROW_MAJOR_LAYOUT
    return ttnn.allocate_tensor_on_device(ttnn.Shape(text["shape"]), DTYPES[text["dtype"]], layout, device,
                                          memory_config(text["memory_config"]))


def reduced(graph):
    trace, programs, buffers, factories = [], [], [], []
    scopes = []
    for node in graph:
        kind, params = node["node_type"], node["params"] or {}
        if kind == "function_start":
            trace.append(params["name"])
            scopes.append(params["name"])
            if "program_factory_type" in params:
                factories.append(params["program_factory_type"])
        elif kind == "function_end":
            scopes.pop()
        elif kind == "circular_buffer_deallocate_all":
            programs.append({"device_op": scopes[-1], "cbs": [], "dfbs": [], "scratchpads": []})
        elif kind in PIECES:
            piece = {"size": int(params["size"]), "cores": params["core_range_set"], "address": int(params["address"])}
            if kind.startswith("circular"):
                piece["ga"] = str(params.get("globally_allocated", "0"))
            elif kind.startswith("dataflow"):
                piece["bm"] = str(params.get("borrows_memory", "0"))
            programs[-1][PIECES[kind]].append(piece)
        elif kind in ("buffer_allocate", "buffer_deallocate"):
            buffers.append({"ev": "alloc" if kind == "buffer_allocate" else "free", "type": params["type"]} |
                           {key: int(params[key])
                            for key in ("address", "size", "page_size", "num_cores", "max_size_per_bank")})
    for program, factory in zip(programs, factories):
        program["factory"] = factory
    return {"calltrace": trace, "programs": programs, "buffers": buffers}


def record(operation, inputs, call, arguments, out=None):
    row = {"board": BOARD, "op": operation, "inputs": inputs, "out_mem": out, "args": arguments}
    tensors = []
    try:
        tensors = [make(text) for text in inputs]
    except RuntimeError:
        row = None
    try:
        # NORMAL first: only a program that is not cached lists its circular buffers there.
        for mode in ("NORMAL", "NO_DISPATCH") if row else ():
            GRAPH.begin_graph_capture(getattr(GRAPH.RunMode, mode))
            try:
                result = call(*tensors)
            finally:
                graph = GRAPH.end_graph_capture()
            row[mode.lower()] = reduced(graph)
            if mode == "NORMAL":
                row["input_buffers"] = [{"address": tensor.buffer_address()} for tensor in tensors]
                first = result[0] if isinstance(result, (list, tuple)) else result
                row["normal"]["output"] = {
                    "shape": list(first.shape), "dtype": DTYPE_NAMES[first.dtype], "address": first.buffer_address(),
                    "layout": "TILE" if first.layout == ttnn.TILE_LAYOUT else "ROW_MAJOR"}
                del first
            del result
    except RuntimeError as error:
        row["error"] = str(error).split("info:\n")[-1].strip()[:600]
        row.pop("normal", None)
        row.pop("no_dispatch", None)
    for tensor in tensors:
        tensor.deallocate(True)
    return row


def interleaved():
    return CHOOSE([DRAM, DRAM, L1])


def dtype():
    return CHOOSE(["bfloat16"] * 4 + ["bfloat8_b", "float32"])


def nlp_create_qkv_heads(three=False):
    heads, kv_heads = CHOOSE([1, 2, 4, 8, 10, 12, 16, 32, 71]), CHOOSE([None, 1, 2, 4, 8])
    width, batch, length = CHOOSE([32, 64, 64, 96, 128, 128, 256]), CHOOSE([1, 1, 1, 2, 3, 8]), CHOOSE(LENGTHS)
    kv, transpose, apart, kind = kv_heads or heads, CHANCE() < 0.5, CHANCE() < 0.25, dtype()
    lead = [batch] if three else [batch, 1]
    inputs = [spec(lead + [length, (heads if apart else heads + 2 * kv) * width], kind, config=interleaved())]
    if apart:
        inputs.append(spec(lead + [length, 2 * kv * width], kind, config=interleaved()))
    out = CHOOSE([None, DRAM, L1])
    optional = {} if kv_heads is None else {"num_kv_heads": kv_heads}
    flag = "transpose_key" if three else "transpose_k_heads"
    function = TRANSFORMER.split_query_key_value_and_split_heads if three else EXPERIMENTAL.nlp_create_qkv_heads
    return inputs, lambda *x: function(*x, num_heads=heads, memory_config=memory_config(out), **{flag: transpose},
                                       **optional), {"num_heads": heads, "num_kv_heads": kv_heads, flag: transpose}, out


def split_query_key_value_and_split_heads():
    return nlp_create_qkv_heads(three=True)


def nlp_concat_heads(function=EXPERIMENTAL.nlp_concat_heads):
    shape = [CHOOSE([1, 1, 2, 3, 8]), CHOOSE([1, 2, 4, 8, 10, 12, 16, 32]), CHOOSE(LENGTHS), CHOOSE([32, 64, 64, 96, 128])]
    out = CHOOSE([None, DRAM, L1])
    return ([spec(shape, dtype(), config=interleaved())], lambda x: function(x, memory_config=memory_config(out)), {}, out)


def concatenate_heads():
    return nlp_concat_heads(TRANSFORMER.concatenate_heads)


def rotary_embedding():
    width, token = CHOOSE([32, 64, 64, 128, 192, 256, 512]), CHOOSE([None, None, 0, 5, 37, 100])
    length, heads = CHOOSE(LENGTHS), CHOOSE([1, 4, 8, 16, 32, 71])
    shape = [CHOOSE([1, 2, 4]), heads, length, width] if token is None else [1, heads, CHOOSE([1, 8, 32, 64]), width]
    kind = dtype()
    angles = spec([1, 1, CHOOSE([length, 2048]) if token is None else 128, width], CHOOSE([kind, "bfloat16"]))
    out = CHOOSE([None, DRAM, L1])
    return ([spec(shape, kind, config=interleaved()), angles, angles],
            lambda x, c, s: EXPERIMENTAL.rotary_embedding(x, c, s, token, memory_config=memory_config(out)),
            {"token_index": token}, out)


def rotary_embedding_llama():
    width, heads = CHOOSE([32, 64, 64, 128, 128, 96, 256]), CHOOSE([1, 4, 8, 16, 32])
    if CHANCE() < 0.4:
        users = CHOOSE([1, 2, 4, 8, 16, 32, 40])
        config = height_sharded(users, 32, width)
        angles = spec([1, users, 1, width], config=config)
        matrix = spec([1, 1, 32 * users, 32], config=height_sharded(users, 32, 32))
        return ([spec([1, users, heads, width], config=config), angles, angles, matrix],
                lambda *x: EXPERIMENTAL.rotary_embedding_llama(*x, is_decode_mode=True), {"is_decode_mode": True}, None)
    length = CHOOSE(LENGTHS)
    angles = spec([1, CHOOSE([1, 1, heads]), CHOOSE([length, 2048]), width])
    out = CHOOSE([None, DRAM, L1])
    return ([spec([CHOOSE([1, 1, 2, 4]), heads, length, width], config=interleaved()), angles, angles,
             spec([1, 1, 32, 32])],
            lambda *x: EXPERIMENTAL.rotary_embedding_llama(*x, memory_config=memory_config(out)),
            {"is_decode_mode": False}, out)


def cache_and(shape_of_input, kind_of_input):
    batch, heads = CHOOSE([1, 1, 4, 8, 32, 33]), CHOOSE([1, 2, 4, 8, 32])
    length, width, kind = CHOOSE([32, 64, 128, 1024, 2048]), CHOOSE([32, 64, 128, 256]), dtype()
    return [spec([batch, heads, length, width], kind, config=interleaved()),
            spec([1, heads, shape_of_input(batch, length), width], kind_of_input(kind), config=interleaved())]


def fill_cache(function=ttnn.fill_cache):
    inputs = cache_and(lambda _, length: CHOOSE([n for n in LENGTHS if n <= length]), lambda kind: kind)
    user, at = CHOOSE([0, inputs[0]["shape"][0] - 1]), CHOOSE([0, 0, 32])
    return inputs, lambda c, x: function(c, x, user, update_idx=at), {"batch_index": user, "update_idx": at}, None


def fill_cache_for_user_():
    return fill_cache(ttnn.kv_cache.fill_cache_for_user_)


def update_cache(function=ttnn.update_cache):
    inputs = cache_and(lambda batch, _: CHOOSE([32, 32, batch]), lambda kind: CHOOSE([kind, dtype()]))
    at, offset = CHOOSE([0, 5, inputs[0]["shape"][2] - 1]), CHOOSE([0, 0, 0, 8])
    return inputs, lambda c, x: function(c, x, at, batch_offset=offset), {"update_index": at, "batch_offset": offset}, None


def update_cache_for_token_():
    return update_cache(ttnn.kv_cache.update_cache_for_token_)


def masked_input():
    batch, heads, rows = CHOOSE([1, 2, 3, 8]), CHOOSE([1, 2, 4, 12, 16]), CHOOSE([32, 64, 128, 384, 17, 100])
    columns, kind = CHOOSE([32, 64, 128, 384, 512, 1024, 4096, 6000, 10240, 17, 100, 77]), dtype()
    inputs = [spec([batch, heads, rows, columns], kind, config=interleaved())]
    if CHANCE() < 0.75:
        inputs.append(spec([batch, 1, CHOOSE([1, 32, rows]), columns], CHOOSE(["bfloat16", kind]), config=interleaved()))
    return inputs


def attention_softmax(in_place=False):
    inputs, width, out = masked_input(), CHOOSE([None, 64, 128]), CHOOSE([None, DRAM, L1])
    optional = {} if width is None else {"head_size": width}
    mask = lambda rest: rest[0] if rest else None
    if in_place:
        return (inputs, lambda x, *m: TRANSFORMER.attention_softmax_(x, attention_mask=mask(m), **optional),
                {"head_size": width}, None)
    return (inputs, lambda x, *m: TRANSFORMER.attention_softmax(
        x, attention_mask=mask(m), memory_config=memory_config(out), **optional), {"head_size": width}, out)


def attention_softmax_():
    return attention_softmax(in_place=True)


def scale_mask_softmax(in_place=False):
    inputs, out, stable = masked_input(), CHOOSE([None, DRAM, L1]), CHANCE() < 0.5
    scale = CHOOSE([None, 0.125]) if len(inputs) > 1 else None
    mask = lambda rest: rest[0] if rest else None
    arguments = {"scale": scale, "numeric_stable": stable}
    if in_place:
        return (inputs, lambda x, *m: ttnn.scale_mask_softmax_in_place(x, scale, mask(m), numeric_stable=stable),
                arguments, None)
    return (inputs, lambda x, *m: ttnn.scale_mask_softmax(
        x, scale, mask(m), memory_config=memory_config(out), numeric_stable=stable), arguments, out)


def scale_mask_softmax_in_place():
    return scale_mask_softmax(in_place=True)


def attention_options(arguments, chunks_q, chunks_k):
    options = {}
    if CHANCE() < 0.6:
        config = {"grid": [CHOOSE([GRID_X, GRID_X, 4, 7]), CHOOSE([GRID_Y, GRID_Y, 4, 3])],
                  "q_chunk_size": CHOOSE(chunks_q), "k_chunk_size": CHOOSE(chunks_k),
                  "max_cores_per_head_batch": CHOOSE([16, 16, 8, 1])}
        arguments["program_config"] = config
        options["program_config"] = ttnn.SDPAProgramConfig(
            compute_with_storage_grid_size=tuple(config["grid"]), q_chunk_size=config["q_chunk_size"],
            k_chunk_size=config["k_chunk_size"], max_cores_per_head_batch=config["max_cores_per_head_batch"])
    if CHANCE() < 0.2:
        arguments["fp32_dest_acc_en"] = True
        options["compute_kernel_config"] = ttnn.init_device_compute_kernel_config(
            device.arch(), math_fidelity=ttnn.MathFidelity.HiFi2, math_approx_mode=True, fp32_dest_acc_en=True,
            packer_l1_acc=False)
    if CHANCE() < 0.2:
        arguments["sliding_window_size"] = options["sliding_window_size"] = CHOOSE([32, 64, 100])
    if CHANCE() < 0.2:
        arguments["scale"] = options["scale"] = 0.25
    return options


def scaled_dot_product_attention():
    batch, kv_heads, width = CHOOSE([1, 1, 1, 2, 3, 8]), CHOOSE([1, 2, 4, 8, 16, 5]), CHOOSE([32, 64, 64, 96, 128, 160, 256])
    heads, causal = kv_heads * CHOOSE([1, 1, 1, 2, 4, 3]), CHANCE() < 0.5
    rows = CHOOSE([32, 64, 96, 128, 128, 256, 384, 512, 1024, 2048, 17, 100, 200, 33])
    columns = rows if causal or CHANCE() < 0.5 else CHOOSE([32, 64, 128, 256, 100, 512, 1024, 77])
    kinds = [CHOOSE(["bfloat16", "bfloat16", "bfloat16", "bfloat8_b"])] * 3
    arguments = {"is_causal": causal}
    inputs = [spec([batch, heads, rows, width], kinds[0], config=interleaved())]
    inputs += [spec([batch, kv_heads, columns, width], kind, config=interleaved()) for kind in kinds[1:]]
    chunks = [32, 64, 96, 128, 160, 224, 256, 512]
    options = attention_options(arguments, chunks, chunks)
    names = []
    if not causal and "sliding_window_size" not in arguments and CHANCE() < 0.5:
        arguments["mask"] = True
        names.append("attn_mask")
        inputs.append(spec([CHOOSE([1, batch]), CHOOSE([1, heads]), rows, columns], CHOOSE(["bfloat16", "bfloat8_b"])))
    if CHANCE() < 0.1:
        arguments["sink"] = True
        names.append("attention_sink")
        inputs.append(spec([1, heads, 1, 1]))
    out = CHOOSE([None, None, DRAM, L1])
    return (inputs, lambda q, k, v, *rest: TRANSFORMER.scaled_dot_product_attention(
        q, k, v, is_causal=causal, memory_config=memory_config(out), **options, **dict(zip(names, rest))), arguments, out)


def scaled_dot_product_attention_decode():
    users, kv_heads = CHOOSE([1, 1, 2, 4, 8, 16, 32]), CHOOSE([1, 1, 2, 4, 8])
    heads, width = kv_heads * CHOOSE([1, 4, 8, 16]), CHOOSE([32, 64, 64, 128, 128])
    length, causal = CHOOSE([32, 64, 128, 256, 1024, 2048, 2048, 4096]), CHANCE() < 0.75
    sharded = height_sharded(users, -(-heads // 32) * 32, width)
    kind = CHOOSE(["bfloat16", "bfloat16", "bfloat8_b"])
    inputs = [spec([1, users, heads, width], CHOOSE(["bfloat16", "bfloat8_b"]) if kv_heads == 1 else "bfloat16",
                   config=CHOOSE([DRAM, sharded]))]
    inputs += [spec([users, kv_heads, length, width], kind)] * 2
    arguments, names = {"is_causal": causal}, []
    options = attention_options(arguments, [32, 0], [32, 0, min(length, 256)])
    if not causal and CHANCE() < 0.6:
        arguments["mask"] = True
        names.append("attn_mask")
        inputs.append(spec([1, users, heads, length], CHOOSE(["bfloat16", "bfloat8_b"])))
    if CHANCE() < 0.5:
        arguments["cur_pos_tensor"] = True
        names.append("cur_pos_tensor")
        inputs.append(spec([users], "int32", "ROW_MAJOR"))
    else:
        arguments["cur_pos"] = options["cur_pos"] = [CHOOSE([0, 5, length - 1]) for _ in range(users)]
    if CHANCE() < 0.1:
        arguments["sink"] = True
        names.append("attention_sink")
        inputs.append(spec([heads, 32]))
    out = CHOOSE([None, None, DRAM, L1] + ([sharded] if kv_heads == 1 else []))
    return (inputs, lambda q, k, v, *rest: TRANSFORMER.scaled_dot_product_attention_decode(
        q, k, v, is_causal=causal, memory_config=memory_config(out), **options, **dict(zip(names, rest))), arguments, out)


def nlp_create_qkv_heads_decode():
    kv_heads, width = CHOOSE([1, 2, 4, 8, None]), CHOOSE([32, 64, 128])
    heads = CHOOSE([n for n in (1, 4, 8, 16, 32) if n >= (kv_heads or 1)])
    optional = {} if kv_heads is None else {"num_kv_heads": kv_heads}
    return ([spec([1, 1, CHOOSE([1, 8, 16, 32, 32]), (heads + 2 * (kv_heads or heads)) * width], config=interleaved())],
            lambda x: EXPERIMENTAL.nlp_create_qkv_heads_decode(
                x, num_heads=heads, memory_config=ttnn.L1_HEIGHT_SHARDED_MEMORY_CONFIG, **optional),
            {"num_heads": heads, "num_kv_heads": kv_heads}, None)


def nlp_concat_heads_decode():
    users, heads, width = CHOOSE([1, 2, 8, 16, 32]), CHOOSE([1, 4, 8, 16, 32]), CHOOSE([32, 64, 128])
    return ([spec([1, users, heads, width], config=height_sharded(users, 32, width))],
            lambda x: EXPERIMENTAL.nlp_concat_heads_decode(x, num_heads=heads), {"num_heads": heads}, None)


def paged_update_cache():
    users, heads, width = CHOOSE([1, 2, 8, 16, 32]), CHOOSE([1, 2, 4, 8]), CHOOSE([32, 64, 128])
    kind, paged = CHOOSE(["bfloat16", "bfloat16", "bfloat8_b", "float32"]), CHANCE() < 0.5
    length = CHOOSE([32, 64]) if paged else CHOOSE([64, 128, 1024])
    inputs = [spec([users * 16 if paged else users, heads, length, width], kind),
              spec([1, users, heads, width], CHOOSE(["bfloat16", "float32"]), config=height_sharded(users, 32, width))]
    if paged:
        inputs += [spec([users], "int32", "ROW_MAJOR"), spec([users, CHOOSE([4, 8, 16])], "int32", "ROW_MAJOR")]
        return inputs, lambda c, x, at, table: EXPERIMENTAL.paged_update_cache(
            c, x, update_idxs_tensor=at, page_table=table), {}, None
    at = [CHOOSE([0, 5, length - 1]) for _ in range(users)]
    return inputs, lambda c, x: EXPERIMENTAL.paged_update_cache(c, x, update_idxs=at), {"update_idxs": at}, None


def paged_fill_cache():
    heads, width, length = CHOOSE([1, 2, 4, 8]), CHOOSE([32, 64, 128]), CHOOSE([32, 64, 128])
    kind = CHOOSE(["bfloat16", "bfloat16", "bfloat8_b"])
    return ([spec([64, heads, length, width], kind),
             spec([1, heads, CHOOSE([32, 64, 128, 200, 256]), width], kind, config=interleaved()),
             spec([CHOOSE([1, 4]), CHOOSE([8, 16, 64, 20])], "int32", "ROW_MAJOR")],
            lambda c, x, table: EXPERIMENTAL.paged_fill_cache(c, x, table, batch_idx=0), {"batch_idx": 0}, None)


def record_all(functions, default):
    """COUNT calls of each operation named on the command line, or of all in `default`; `functions` by name."""
    with open(OUT, "w", encoding="utf-8") as out_file:
        for name in sys.argv[5:] or default:
            for _ in range(COUNT):
                inputs, call, arguments, out = functions[name]()
                row = record(name.split(":")[0], inputs, call, arguments, out)
                # The number of a program that does not fit is the process's, not the operation's.
                if row and "in program" not in row.get("error", ""):
                    out_file.write(json.dumps(row, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    record_all(globals(), [
        "nlp_create_qkv_heads", "split_query_key_value_and_split_heads", "nlp_concat_heads", "concatenate_heads",
        "rotary_embedding", "rotary_embedding_llama", "fill_cache", "fill_cache_for_user_", "update_cache",
        "update_cache_for_token_", "attention_softmax", "attention_softmax_", "scale_mask_softmax",
        "scale_mask_softmax_in_place", "scaled_dot_product_attention", "scaled_dot_product_attention_decode",
        "nlp_create_qkv_heads_decode", "nlp_concat_heads_decode", "paged_update_cache", "paged_fill_cache"])
