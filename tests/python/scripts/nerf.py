# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""NeRF: frequencies, a skip connection, transmittance by cumprod."""

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


n = 1024
pts = tensor(n, 3)
w = [tensor(39, 128), tensor(128, 128), tensor(128 + 39, 128), tensor(128, 4)]
begin()
feats = [pts]
for i in range(6):
    s = ttnn.mul(pts, 2.0**i)
    feats += [ttnn.sin(s), ttnn.cos(s)]
x0 = ttnn.concat(feats, dim=-1)
h = ttnn.relu(ttnn.matmul(x0, w[0]))
h = ttnn.relu(ttnn.matmul(h, w[1]))
h = ttnn.concat([h, x0], dim=-1)
h = ttnn.relu(ttnn.matmul(h, w[2]))
o = ttnn.matmul(h, w[3])
rgb = ttnn.sigmoid(o[:, 0:3])
sigma = ttnn.relu(o[:, 3:4])
alpha = ttnn.rsub(ttnn.exp(ttnn.neg(ttnn.mul(sigma, 0.01))), 1.0)
a = ttnn.reshape(alpha, (n // 64, 64))
trans = ttnn.cumprod(ttnn.add(ttnn.rsub(a, 1.0), 1e-10), dim=-1)
wts = ttnn.mul(a, trans)
c = ttnn.sum(wts, dim=-1)
end()
ttnn.close_device(device)
