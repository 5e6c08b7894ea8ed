# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Stable Diffusion: attention across text, gated feed forward."""

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


c, n, s, ctx = 320, 8, 256, 96
x = tensor(1, 1, s, c)
text = tensor(1, 1, ctx, 768)
wq, wk, wv, wo, bo = tensor(c, c), tensor(768, c), tensor(768, c), tensor(c, c), tensor(1, c)
lw, lb = tensor(1, c), tensor(1, c)
g, gb = tensor(c, 8 * c), tensor(1, 8 * c)
o2 = tensor(4 * c, c)
begin()
y = ttnn.layer_norm(x, weight=lw, bias=lb, epsilon=1e-5)
q, k, v = ttnn.linear(y, wq), ttnn.linear(text, wk), ttnn.linear(text, wv)


def split(t, m):
    t = ttnn.reshape(t, (1, m, n, c // n))
    return ttnn.transpose(t, 1, 2)


q, k, v = split(q, s), split(k, ctx), split(v, ctx)
a = ttnn.matmul(q, ttnn.transpose(k, 2, 3)) * (c // n) ** -0.5
a = ttnn.softmax(a, dim=-1)
a = ttnn.matmul(a, v)
a = ttnn.reshape(ttnn.transpose(a, 1, 2), (1, 1, s, c))
x = ttnn.linear(a, wo, bias=bo) + x
h = ttnn.linear(x, g, bias=gb)
u, gate = ttnn.split(h, 4 * c, dim=3)
h = ttnn.mul(u, ttnn.gelu(gate))
x = x + ttnn.linear(h, o2)
gg = ttnn.geglu(ttnn.linear(x, g))
end()
ttnn.close_device(device)
