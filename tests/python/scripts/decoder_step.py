# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""One step of a decoder with its key and value cache."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
heads, head, hidden, longest, batch = 8, 64, 512, 256, 32


def tensor(*shape, dtype=ttnn.bfloat16, memory_config=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.from_torch(torch.randn(*shape), dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device,
                           memory_config=memory_config)


x = tensor(1, 1, 128, hidden)
qkv, out = tensor(hidden, 3 * hidden), tensor(hidden, hidden)
norm = tensor(1, hidden)
keys, values = tensor(1, heads, longest, head), tensor(1, heads, longest, head)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
n = ttnn.rms_norm(x, epsilon=1e-5, weight=norm)
fused = ttnn.linear(n, qkv, memory_config=ttnn.L1_MEMORY_CONFIG)
ttnn.deallocate(n)
q, k, v = ttnn.experimental.nlp_create_qkv_heads(
    fused, num_heads=heads, num_kv_heads=heads, transpose_k_heads=False, memory_config=ttnn.DRAM_MEMORY_CONFIG
)
ttnn.deallocate(fused)
ttnn.fill_cache(keys, k, 0)
ttnn.fill_cache(values, v, 0)
context = ttnn.transformer.scaled_dot_product_attention(q, k, v, is_causal=True, scale=head**-0.5)
for t in (q, k, v):
    ttnn.deallocate(t)
merged = ttnn.experimental.nlp_concat_heads(context, memory_config=ttnn.L1_MEMORY_CONFIG)
ttnn.deallocate(context)
y = ttnn.linear(merged, out)
ttnn.deallocate(merged)
z = ttnn.add(x, y)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
