# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Operators with numbers on either side, comparisons, in-place forms."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
L1, DRAM = ttnn.L1_MEMORY_CONFIG, ttnn.DRAM_MEMORY_CONFIG


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


x = ttnn.ones([1, 1, 64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
begin()
a = 2 * x + 1
b = 1 - a
c = (a - b) / 4
d = a @ c
e = x > 0.5
f = (x == x) * d
g = ttnn.where(e, f, 0.0)
h = ttnn.rsub(g, 3.0)
x += h
ttnn.multiply_(h, 2.0)
ttnn.add_(h, x)
i = ttnn.relu(h, output_tensor=h)
j = h <= 3
k = 4.0 / a
end()

ttnn.close_device(device)
