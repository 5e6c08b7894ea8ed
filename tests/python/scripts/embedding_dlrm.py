# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""DLRM: bags of embeddings, pairwise products, a tower of linear layers."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def tensor(*shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, memory_config=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.from_torch(torch.randn(*shape), dtype=dtype, layout=layout, device=device, memory_config=memory_config)


def indices(high, *shape, layout=ttnn.ROW_MAJOR_LAYOUT):
    return ttnn.from_torch(torch.randint(0, high, shape), dtype=ttnn.uint32, layout=layout, device=device)


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


b, d = 32, 64
tables = [tensor(256, d, layout=ttnn.ROW_MAJOR_LAYOUT) for _ in range(3)]
ids = [indices(256, b, 4) for _ in range(3)]
dense = tensor(b, 13)
w1, b1, w2, b2 = tensor(13, 128), tensor(1, 128), tensor(128, d), tensor(1, d)
t1, t2 = tensor(d + 16, 64), tensor(64, 1)
begin()
z = ttnn.relu(ttnn.linear(dense, w1, bias=b1))
z = ttnn.linear(z, w2, bias=b2, activation="relu")
bags = [z]
for tab, i in zip(tables, ids):
    e = ttnn.embedding(i, tab, layout=ttnn.TILE_LAYOUT)
    bags.append(ttnn.sum(e, dim=1))
T = ttnn.concat([ttnn.reshape(v, (b, 1, d)) for v in bags], dim=1)
inter = ttnn.matmul(T, ttnn.transpose(T, 1, 2))
flat = ttnn.reshape(inter, (b, 16))
top = ttnn.concat([z, flat], dim=-1)
y = ttnn.sigmoid(ttnn.linear(ttnn.relu(ttnn.matmul(top, t1)), t2))
end()
ttnn.close_device(device)
