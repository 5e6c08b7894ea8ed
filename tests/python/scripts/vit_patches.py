# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""ViT: patches by reshape and permute, a class token, 17 tokens."""

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


d, p, img = 192, 16, 64
x = ttnn.from_torch(torch.randn(1, 3, img, img), dtype=ttnn.bfloat16, layout=ttnn.ROW_MAJOR_LAYOUT, device=device)
we, be = tensor(3 * p * p, d), tensor(1, d)
cls = tensor(1, 1, d)
pos = tensor(1, 17, d)
wq, wk, wv = tensor(d, d), tensor(d, d), tensor(d, d)
lw, lb = tensor(1, d), tensor(1, d)
begin()
n = img // p
t = ttnn.permute(x, (0, 2, 3, 1))
t = ttnn.reshape(t, (1, n, p, n, p * 3))
t = ttnn.permute(t, (0, 1, 3, 2, 4))
t = ttnn.reshape(t, (1, n * n, p * p * 3))
t = ttnn.to_layout(t, ttnn.TILE_LAYOUT)
e = ttnn.linear(t, we, bias=be)
e = ttnn.concat([cls, e], dim=1)
e = ttnn.add(e, pos)
y = ttnn.layer_norm(e, weight=lw, bias=lb)
q, k, v = ttnn.linear(y, wq), ttnn.linear(y, wk), ttnn.linear(y, wv)
q = ttnn.reshape(q, (1, 17, 3, 64))
q = ttnn.transpose(q, 1, 2)
k = ttnn.transpose(ttnn.reshape(k, (1, 17, 3, 64)), 1, 2)
v = ttnn.transpose(ttnn.reshape(v, (1, 17, 3, 64)), 1, 2)
a = ttnn.matmul(q, k, transpose_b=True)
a = ttnn.softmax(ttnn.mul(a, 0.125), dim=-1)
a = ttnn.transpose(ttnn.matmul(a, v), 1, 2)
a = ttnn.reshape(a, (1, 17, d))
head = ttnn.slice(a, [0, 0, 0], [1, 1, d])
m = ttnn.mean(a, dim=1, keepdim=True)
end()
ttnn.close_device(device)
