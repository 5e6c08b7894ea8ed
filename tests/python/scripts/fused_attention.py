# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Attention with TT-NN's transformer operations, an additive mask and block-float weights."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
batch, rows, heads, size = 2, 128, 8, 64
hidden = heads * size
L1 = ttnn.L1_MEMORY_CONFIG


def random(*shape, dtype=ttnn.bfloat16, memory_config=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.from_torch(torch.randn(*shape), dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device,
                           memory_config=memory_config)


qkv_weight, out_weight = random(hidden, 3 * hidden, dtype=ttnn.bfloat8_b), random(hidden, hidden, dtype=ttnn.bfloat8_b)
mask = random(batch, 1, 1, rows)
x = random(batch, rows, hidden, memory_config=L1)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
qkv = ttnn.matmul(x, qkv_weight, memory_config=L1, dtype=ttnn.bfloat16)
q, k, v = ttnn.transformer.split_query_key_value_and_split_heads(qkv, memory_config=L1, num_heads=heads)
ttnn.deallocate(qkv)
scores = ttnn.matmul(q, k, memory_config=L1)
ttnn.deallocate(q)
ttnn.deallocate(k)
attended = ttnn.transformer.attention_softmax_(scores, attention_mask=mask, head_size=size)
context = ttnn.matmul(attended, v, memory_config=L1)
ttnn.deallocate(attended)
merged = ttnn.transformer.concatenate_heads(context, memory_config=L1)
out = ttnn.linear(merged, out_weight, memory_config=ttnn.DRAM_MEMORY_CONFIG)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
