# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Tensors made of lists, of torch's tensors and in other layouts on the host; the text of what lies there."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
numbers = [1.0] * 1024
for dtype in (ttnn.bfloat16, ttnn.float32, ttnn.uint32):
    values = [1] * 1024 if dtype == ttnn.uint32 else numbers
    for layout in (ttnn.ROW_MAJOR_LAYOUT, ttnn.TILE_LAYOUT):
        host = ttnn.Tensor(values, [1, 1, 32, 32], dtype, layout)
        there = ttnn.Tensor(values, [1, 1, 32, 32], dtype, layout, device)
for dtype in (ttnn.bfloat16, ttnn.float32, ttnn.bfloat8_b):
    host = ttnn.Tensor(torch.ones(1, 1, 64, 64), dtype)
    there = ttnn.Tensor(torch.ones(1, 1, 64, 64), dtype, device, ttnn.TILE_LAYOUT, ttnn.L1_MEMORY_CONFIG)
for shape in ([1, 1, 64, 64], [1, 1, 49, 64], [64, 60], [3, 49, 60], [64], [60]):
    rows = ttnn.Tensor(torch.ones(*shape), ttnn.bfloat16)
    assert rows.to(ttnn.TILE_LAYOUT).to(ttnn.ROW_MAJOR_LAYOUT).layout == ttnn.ROW_MAJOR_LAYOUT
for dtype in (ttnn.bfloat16, ttnn.bfloat8_b, ttnn.bfloat4_b):
    text = str(ttnn.from_torch(torch.ones(1, 1, 32, 60), dtype=dtype, layout=ttnn.TILE_LAYOUT))
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
