# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Swin: windows shifted by roll, cut by reshape and permute."""

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


n, c = 16, 96
x = tensor(1, n, n, c)
w, b = tensor(1, c), tensor(1, c)
wqkv, wo = tensor(c, 3 * c), tensor(c, c)
begin()
y = ttnn.layer_norm(x, weight=w, bias=b)
y = ttnn.to_layout(y, ttnn.ROW_MAJOR_LAYOUT)
y = ttnn.roll(y, [-4, -4], [1, 2])
y = ttnn.reshape(y, (1, 2, 8, 2, 8, c))
y = ttnn.permute(y, (0, 1, 3, 2, 4, 5))
y = ttnn.reshape(y, (4, 64, c))
y = ttnn.to_layout(y, ttnn.TILE_LAYOUT)
qkv = ttnn.linear(y, wqkv)
q, k, v = ttnn.split(qkv, c, dim=2)
a = ttnn.softmax(ttnn.mul(ttnn.matmul(q, ttnn.permute(k, (0, 2, 1))), c**-0.5), dim=-1)
o = ttnn.linear(ttnn.matmul(a, v), wo)
end()
ttnn.close_device(device)
