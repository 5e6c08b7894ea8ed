# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A mixture of experts: topk, thresholds, where."""

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


t, d, e, f = 64, 128, 8, 256
x = tensor(1, 1, t, d)
gate = tensor(d, 64)
w1, w2, w3 = ([tensor(d, f, dtype=ttnn.bfloat8_b) for _ in range(2)] for _ in range(3))
wo = [tensor(f, d, dtype=ttnn.bfloat8_b) for _ in range(2)]
begin()
logits = ttnn.linear(x, gate, dtype=ttnn.bfloat16)
vals, idx = ttnn.topk(logits, 32, dim=-1)
top2 = ttnn.slice(vals, [0, 0, 0, 0], [1, 1, t, 2])
wts = ttnn.softmax(top2, dim=-1)
thr = ttnn.slice(vals, [0, 0, 0, 1], [1, 1, t, 2])
m = ttnn.ge(logits, thr)
masked = ttnn.where(m, logits, -1e9)
p = ttnn.softmax(masked, dim=-1)
acc = None
for i in range(2):
    g = ttnn.linear(x, w1[i], activation="silu")
    u = ttnn.linear(x, w3[i])
    y = ttnn.linear(ttnn.mul(g, u), wo[i])
    wi = ttnn.slice(p, [0, 0, 0, i], [1, 1, t, i + 1])
    y = ttnn.mul(y, wi)
    acc = y if acc is None else ttnn.add(acc, y)
s = ttnn.sum(p, dim=-1, keepdim=True)
end()
ttnn.close_device(device)
