# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Tensors made on the device in every way."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
L1, DRAM = ttnn.L1_MEMORY_CONFIG, ttnn.DRAM_MEMORY_CONFIG


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


begin()
a = ttnn.zeros((1, 1, 64, 64), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
b = ttnn.ones(ttnn.Shape([64, 64]), dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=device, memory_config=L1)
c = ttnn.full((3, 5), 2.5, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
d = ttnn.full([64], fill_value=7, dtype=ttnn.int32, layout=ttnn.ROW_MAJOR_LAYOUT, device=device)
e = ttnn.empty([1, 2, 32, 32], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device, memory_config=L1)
f = ttnn.zeros_like(a)
g = ttnn.ones_like(b, memory_config=DRAM)
h = ttnn.full_like(a, 3.0)
i = ttnn.empty_like(a)
j = ttnn.arange(0, 64, 1, dtype=ttnn.bfloat16, device=device)
k = ttnn.rand((1, 1, 64, 64), device=device, dtype=ttnn.bfloat16)
k2 = [ttnn.rand((30, 64), device=device, dtype=each) for each in (ttnn.bfloat8_b, ttnn.uint16, ttnn.int32)]
k3 = ttnn.rand((64, 64), device=device, dtype=ttnn.int32, layout=ttnn.ROW_MAJOR_LAYOUT)
m = ttnn.zeros([2, 2])
n = ttnn.from_buffer([1.0, 2.0, 3.0, 4.0], [2, 2], ttnn.float32, device)
end()

ttnn.close_device(device)
