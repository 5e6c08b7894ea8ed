# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Falcon: attention and MLP side by side, one key for all heads, weights in bfloat8_b."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
L1 = ttnn.L1_MEMORY_CONFIG


def tensor(*shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, memory_config=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.from_torch(torch.randn(*shape), dtype=dtype, layout=layout, device=device, memory_config=memory_config)


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


d, h, s = 256, 4, 128
lnw, lnb = tensor(1, d), tensor(1, d)
wqkv, wo = tensor(d, d + 2 * 64), tensor(d, d)
w1, w2 = tensor(d, 4 * d, dtype=ttnn.bfloat8_b), tensor(4 * d, d, dtype=ttnn.bfloat8_b)
x = tensor(1, 1, s, d)
begin()
y = ttnn.layer_norm(x, weight=lnw, bias=lnb, epsilon=1e-5, memory_config=L1)
qkv = ttnn.linear(y, wqkv, memory_config=L1, dtype=ttnn.bfloat16)
q, k, v = ttnn.experimental.nlp_create_qkv_heads(qkv, num_heads=4, num_kv_heads=1, transpose_k_heads=True)
ttnn.deallocate(qkv)
sc = ttnn.matmul(q, k, memory_config=L1)
sc = ttnn.mul(sc, 0.125, memory_config=L1)
sc = ttnn.softmax_in_place(sc)
at = ttnn.matmul(sc, v, memory_config=L1)
ttnn.deallocate(sc)
at = ttnn.experimental.nlp_concat_heads(at)
at = ttnn.linear(at, wo, memory_config=L1)
m = ttnn.linear(y, w1, activation="gelu", memory_config=L1, dtype=ttnn.bfloat8_b)
m = ttnn.linear(m, w2, memory_config=L1, dtype=ttnn.bfloat16)
r = ttnn.add(at, m, memory_config=L1)
ttnn.deallocate(at)
ttnn.deallocate(m)
r = ttnn.add_(r, x)
end()
ttnn.close_device(device)
