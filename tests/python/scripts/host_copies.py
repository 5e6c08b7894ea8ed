# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Tensors allocated first and filled afterwards."""

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
place = ttnn.allocate_tensor_on_device(ttnn.Shape([1, 1, 64, 96]), ttnn.bfloat16, ttnn.TILE_LAYOUT, device, L1)
host = ttnn.from_torch(torch.ones(1, 1, 64, 96, dtype=torch.bfloat16), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT)
ttnn.copy_host_to_device_tensor(host, place)
other = ttnn.to_device(host, device)
near = ttnn.to_device(host, device, memory_config=L1)
moved = ttnn.to_memory_config(other, L1)
result = ttnn.add(near, moved)
down = ttnn.from_device(result)
ttnn.deallocate(near)
near = ttnn.to_memory_config(result, DRAM)
place = ttnn.reallocate(place)
up = ttnn.to_layout(ttnn.to_device(ttnn.to_layout(host, ttnn.ROW_MAJOR_LAYOUT), device), ttnn.TILE_LAYOUT)
end()

ttnn.close_device(device)
