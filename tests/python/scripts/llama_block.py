# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A block of a llama: RMS norms, grouped queries, rotary embedding by hand, swiglu."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
hidden, heads, kv_heads, rows, inner = 512, 8, 2, 128, 1408
size = hidden // heads
L1 = ttnn.L1_MEMORY_CONFIG


def random(*shape, dtype=ttnn.bfloat16):
    return ttnn.from_torch(torch.randn(*shape) * 0.05, dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device)


def weight(*shape):
    return random(*shape, dtype=ttnn.bfloat8_b)


wqkv, wo = weight(hidden, hidden + 2 * kv_heads * size), weight(hidden, hidden)
w1, w2, w3 = weight(hidden, inner), weight(inner, hidden), weight(hidden, inner)
gamma, cos, sin, x = random(1, 1, 1, hidden), random(1, 1, rows, size), random(1, 1, rows, size), random(1, 1, rows, hidden)


def rotate(t):
    a, b = ttnn.split(t, size // 2, dim=-1)
    turned = ttnn.concat([ttnn.neg(b), a], dim=-1)
    return ttnn.add(ttnn.mul(t, cos, memory_config=L1), ttnn.mul(turned, sin, memory_config=L1), memory_config=L1)


ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
n = ttnn.rms_norm(x, weight=gamma, epsilon=1e-5, memory_config=L1)
qkv = ttnn.linear(n, wqkv, memory_config=L1, dtype=ttnn.bfloat16)
ttnn.deallocate(n)
q, k, v = ttnn.experimental.nlp_create_qkv_heads(
    qkv, num_heads=heads, num_kv_heads=kv_heads, transpose_k_heads=False, memory_config=L1
)
ttnn.deallocate(qkv)
q, k = rotate(q), rotate(k)
attended = ttnn.transformer.scaled_dot_product_attention(q, k, v, is_causal=True, scale=size**-0.5)
merged = ttnn.experimental.nlp_concat_heads(attended, memory_config=L1)
y = ttnn.add(x, ttnn.linear(merged, wo, memory_config=L1), memory_config=L1)
z = ttnn.rms_norm(y, weight=gamma, epsilon=1e-5)
f = ttnn.mul(ttnn.silu(ttnn.linear(z, w1)), ttnn.linear(z, w3))
out = ttnn.add(y, ttnn.linear(f, w2))
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
