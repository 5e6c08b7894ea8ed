# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""DistilBERT: core grids, masks by where."""

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


d, s, b, h = 128, 96, 1, 4
x = tensor(b, s, d)
wqkv, bqkv, wo, bo = tensor(d, 3 * d), tensor(3 * d), tensor(d, d), tensor(d)
mask = tensor(b, 1, 1, s)
lw, lb = tensor(d), tensor(d)
grid = ttnn.CoreGrid(y=4, x=4)
begin()
qkv = ttnn.linear(x, wqkv, bias=bqkv, memory_config=L1, core_grid=grid)
q, k, v = ttnn.transformer.split_query_key_value_and_split_heads(qkv, num_heads=h, memory_config=L1)
ttnn.deallocate(qkv)
q = ttnn.div(q, (d // h) ** 0.5)
sc = ttnn.matmul(q, k, memory_config=L1, core_grid=grid)
ttnn.deallocate(q)
ttnn.deallocate(k)
sc = ttnn.where(ttnn.eq(mask, 0.0), -3.4e38, sc)
p = ttnn.softmax(sc, dim=-1)
c = ttnn.matmul(p, v, memory_config=L1, core_grid=grid)
ttnn.deallocate(p)
c = ttnn.transformer.concatenate_heads(c, memory_config=L1)
o = ttnn.linear(c, wo, bias=bo, core_grid=grid)
x = ttnn.layer_norm(x + o, weight=lw, bias=lb, epsilon=1e-12)
end()
ttnn.close_device(device)
