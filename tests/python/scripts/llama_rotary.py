# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Llama: rotations by halves, repeated keys and values, gated MLP."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def tensor(*shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, memory_config=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.from_torch(torch.randn(*shape), dtype=dtype, layout=layout, device=device, memory_config=memory_config)


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


d, h, kvh, hd, s = 512, 8, 2, 64, 128
cos, sin = tensor(1, 1, s, hd), tensor(1, 1, s, hd)
wqkv, wo, nw = tensor(d, (h + 2 * kvh) * hd), tensor(d, d), tensor(1, 1, 1, d)
wg, wu, wd = tensor(d, 1024), tensor(d, 1024), tensor(1024, d)
x = tensor(1, 1, s, d)


def rotate_half(t):
    half = hd // 2
    a = ttnn.slice(t, [0, 0, 0, 0], [t.shape[0], t.shape[1], t.shape[2], half])
    b = ttnn.slice(t, [0, 0, 0, half], [t.shape[0], t.shape[1], t.shape[2], hd])
    return ttnn.concat([ttnn.neg(b), a], dim=-1)


begin()
y = ttnn.rms_norm(x, weight=nw, epsilon=1e-6)
qkv = ttnn.linear(y, wqkv, dtype=ttnn.bfloat16)
q, k, v = ttnn.experimental.nlp_create_qkv_heads(qkv, num_heads=h, num_kv_heads=kvh, transpose_k_heads=False)
q = ttnn.add(ttnn.mul(q, cos), ttnn.mul(rotate_half(q), sin))
k = k * cos + rotate_half(k) * sin
k = ttnn.repeat_interleave(k, h // kvh, dim=1)
v = ttnn.repeat_interleave(v, h // kvh, dim=1)
a = ttnn.transformer.scaled_dot_product_attention(q, k, v, is_causal=True)
a = ttnn.experimental.nlp_concat_heads(a)
x = x + ttnn.linear(a, wo)
y = ttnn.rms_norm(x, weight=nw, epsilon=1e-6)
g = ttnn.silu(ttnn.linear(y, wg))
u = ttnn.linear(y, wu)
x = x + ttnn.linear(g * u, wd)
end()
ttnn.close_device(device)
