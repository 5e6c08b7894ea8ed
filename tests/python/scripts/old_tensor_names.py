# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Tensors by their constructor and methods, as older scripts make them."""

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
a = ttnn.Tensor(torch.ones(1, 1, 32, 64, dtype=torch.bfloat16), ttnn.bfloat16).to(ttnn.TILE_LAYOUT).to(device)
b = ttnn.Tensor(torch.ones(1, 1, 30, 50, dtype=torch.bfloat16), ttnn.bfloat16).pad_to_tile(0.0).to(ttnn.TILE_LAYOUT).to(device, L1)
c = ttnn.Tensor(torch.ones(1, 1, 64, 32, dtype=torch.bfloat16), ttnn.bfloat16).to(ttnn.TILE_LAYOUT).to(device, DRAM)
d = ttnn.matmul(a, c, memory_config=L1)
back = d.cpu().to(ttnn.ROW_MAJOR_LAYOUT).to_torch()
e = ttnn.relu(b)
host = e.cpu()
rows = host.to(ttnn.ROW_MAJOR_LAYOUT)
again = rows.to(device)
d.deallocate()
e.deallocate(True)
end()

ttnn.close_device(device)
