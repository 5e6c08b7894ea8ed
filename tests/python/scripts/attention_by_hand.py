# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Multi-head attention from matmul, permute and softmax, in tiles."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
batch, heads, sequence, head = 2, 8, 128, 64
hidden = heads * head


def to_device(values, memory_config=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.from_torch(values, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device,
                           memory_config=memory_config)


x = to_device(torch.randn(batch, sequence, hidden), ttnn.L1_MEMORY_CONFIG)
weights = [to_device(torch.randn(hidden, hidden)) for _ in range(4)]
mask = to_device(torch.zeros(batch, 1, 1, sequence))


def split(t):
    t = ttnn.reshape(t, (batch, sequence, heads, head))
    return ttnn.permute(t, (0, 2, 1, 3))


ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
q, k, v = (ttnn.linear(x, w, core_grid=ttnn.CoreGrid(y=8, x=8)) for w in weights[:3])
q, k, v = split(q), split(k), split(v)
k = ttnn.permute(k, (0, 1, 3, 2))
scores = ttnn.matmul(q, k, memory_config=ttnn.L1_MEMORY_CONFIG)
scores = scores * (1.0 / head**0.5)
scores = ttnn.add(scores, mask)
probabilities = ttnn.softmax(scores, dim=-1)
ttnn.deallocate(scores)
context = ttnn.matmul(probabilities, v, memory_config=ttnn.L1_MEMORY_CONFIG)
ttnn.deallocate(probabilities)
context = ttnn.permute(context, (0, 2, 1, 3))
context = ttnn.reshape(context, (batch, sequence, hidden))
out = ttnn.linear(context, weights[3])
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
