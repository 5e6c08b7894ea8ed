# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Operators of tensors, broadcasts, numbers, activations, comparisons."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def tiles(*shape, memory_config=ttnn.L1_MEMORY_CONFIG, dtype=ttnn.bfloat16):
    return ttnn.from_torch(torch.rand(*shape) + 0.5, dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device,
                           memory_config=memory_config)


a, b = tiles(2, 3, 64, 96), tiles(2, 3, 64, 96)
row, column, number = tiles(1, 1, 1, 96), tiles(2, 3, 64, 1), tiles(1, 1, 1, 1)
wide = tiles(1, 1, 64, 96, dtype=ttnn.float32, memory_config=ttnn.DRAM_MEMORY_CONFIG)
small = tiles(1, 1, 64, 96, dtype=ttnn.bfloat8_b)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
c = a + b
d = c * 2.0
e = d - a
f = e / b
g = ttnn.add(f, row)
h = ttnn.multiply(g, column, memory_config=ttnn.DRAM_MEMORY_CONFIG)
i = ttnn.subtract(h, number)
j = ttnn.add(i, i, dtype=ttnn.float32)
k = ttnn.exp(ttnn.neg(a))
m = ttnn.sqrt(ttnn.abs(k), memory_config=ttnn.DRAM_MEMORY_CONFIG)
n = ttnn.gelu(m, fast_and_approximate_mode=True)
o = ttnn.silu(a)
p = ttnn.sigmoid(o)
q = ttnn.tanh(wide)
r = ttnn.relu(small)
s = ttnn.gt(a, b)
t = ttnn.where(s, a, b)
u = ttnn.clamp(t, min=0.0, max=1.0)
v = ttnn.pow(u, 2.0)
w = ttnn.rsqrt(v)
x = ttnn.reciprocal(w)
y = ttnn.add(a, b)
ttnn.multiply_(y, 0.5)
z = ttnn.maximum(a, b)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
