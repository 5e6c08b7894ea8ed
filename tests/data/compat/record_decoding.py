# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""What the real TT-NN records of tests/compat/programs.cpp's `decoding`: run by it on a mock n150, with the file to write."""

import json
import sys

import ttnn

device = ttnn.open_device(device_id=0, l1_small_size=32768)
DRAM, L1 = ttnn.DRAM_MEMORY_CONFIG, ttnn.L1_MEMORY_CONFIG


def given(shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT):
    return ttnn.to_device(ttnn.ones(shape, dtype=dtype, layout=layout), device, memory_config=DRAM)


def decoding():
    x, weight = given([1, 1, 32, 128]), given([128, 128])
    keys, values = given([8, 2, 32, 64]), given([8, 2, 32, 64])
    pages = given([2, 4], ttnn.int32, ttnn.ROW_MAJOR_LAYOUT)
    positions = given([2], ttnn.int32, ttnn.ROW_MAJOR_LAYOUT)
    rows = ttnn.MemoryConfig(
        ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.BufferType.L1,
        ttnn.ShardSpec(ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(1, 0))}), [32, 64],
                       ttnn.ShardOrientation.ROW_MAJOR),
    )
    new = ttnn.to_memory_config(given([1, 2, 2, 64]), rows)
    ttnn.experimental.paged_update_cache(keys, new, update_idxs_tensor=positions, page_table=pages)
    ttnn.experimental.paged_update_cache(values, new, update_idxs_tensor=positions, page_table=pages)
    ttnn.deallocate(new, False)
    query = ttnn.linear(x, weight, memory_config=L1, dtype=ttnn.bfloat16)
    heads = ttnn.reshape(query, [1, 2, 32, 64], memory_config=DRAM)
    ttnn.deallocate(query, False)
    seen = ttnn.transformer.paged_scaled_dot_product_attention_decode(
        heads, keys, values, pages, is_causal=True, cur_pos_tensor=positions, scale=0.125, memory_config=DRAM
    )
    ttnn.deallocate(heads, False)
    joined = ttnn.reshape(seen, [1, 1, 32, 128], memory_config=L1)
    ttnn.deallocate(seen, False)
    result = ttnn.linear(joined, weight, memory_config=DRAM, dtype=ttnn.bfloat16)
    ttnn.deallocate(joined, False)
    return result


def captured(mode):
    ttnn.graph.begin_graph_capture(mode)
    decoding()
    return ttnn.graph.end_graph_capture()


normal = captured(ttnn.graph.RunMode.NORMAL)
allocations = [
    [node["params"]["type"], int(node["params"]["size"]), int(node["params"]["address"])]
    for node in normal if node["node_type"] == "buffer_allocate"
]
device.disable_and_clear_program_cache()
programs, inside = [], []
for node in captured(ttnn.graph.RunMode.NO_DISPATCH):
    kind, fields = node["node_type"], node["params"]
    if kind == "function_start":
        inside.append(fields["name"])
    elif kind == "function_end" and inside:
        inside.pop()
    elif kind in ("circular_buffer_allocate", "dataflow_buffer_allocate", "scratchpad_allocate"):
        programs.append([kind, inside[-1] if inside else "", int(fields["size"]), fields["core_range_set"]])
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump({"allocations": allocations, "programs": programs}, file)
