# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""One step of Llama's decoder: heads of a token, paged caches, attention of one token."""

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


b, h, kvh, hd, d = 32, 8, 2, 64, 512
x = tensor(1, 1, b, d)
nw = tensor(1, 1, 1, d)
wqkv, wo = tensor(d, (h + 2 * kvh) * hd), tensor(d, d)
kc, vc = tensor(b, kvh, 128, hd), tensor(b, kvh, 128, hd)
wg, wu, wd = tensor(d, 1024, dtype=ttnn.bfloat4_b), tensor(d, 1024, dtype=ttnn.bfloat4_b), tensor(1024, d, dtype=ttnn.bfloat8_b)
pos = ttnn.from_torch(torch.zeros(b, dtype=torch.int32), dtype=ttnn.int32, device=device)
begin()
n = ttnn.rms_norm(x, weight=nw, epsilon=1e-5)
qkv = ttnn.linear(n, wqkv, memory_config=L1)
q, k, v = ttnn.experimental.nlp_create_qkv_heads_decode(qkv, num_heads=h, num_kv_heads=kvh, memory_config=ttnn.L1_HEIGHT_SHARDED_MEMORY_CONFIG)
ttnn.deallocate(qkv)
ttnn.experimental.paged_update_cache(kc, k, update_idxs_tensor=pos)
ttnn.experimental.paged_update_cache(vc, v, update_idxs_tensor=pos)
a = ttnn.transformer.scaled_dot_product_attention_decode(q, kc, vc, cur_pos_tensor=pos, scale=0.125, memory_config=L1)
a = ttnn.reshape(a, (1, 1, b, h * hd)) if a.shape[2] == h else a
o = ttnn.linear(a, wo, memory_config=L1)
x = ttnn.add(x, o, memory_config=L1)
n = ttnn.rms_norm(x, weight=nw, epsilon=1e-5)
g = ttnn.linear(n, wg, memory_config=L1)
u = ttnn.linear(n, wu, memory_config=L1)
m = ttnn.mul(g, u, input_tensor_a_activations=[ttnn.UnaryOpType.SILU], memory_config=L1)
y = ttnn.linear(m, wd, memory_config=L1)
x = ttnn.add(x, y)
end()
ttnn.close_device(device)
