# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Every way between host and device: layouts, element types, keywords of from_torch."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
values = torch.randn(1, 2, 50, 70)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
a = ttnn.from_torch(values)
b = ttnn.from_torch(values, ttnn.bfloat16, layout=ttnn.TILE_LAYOUT)
c = ttnn.to_device(b, device)
d = ttnn.to_device(a, device, memory_config=ttnn.L1_MEMORY_CONFIG)
e = ttnn.from_torch(values, dtype=ttnn.bfloat8_b, layout=ttnn.TILE_LAYOUT, device=device)
f = ttnn.from_torch(torch.arange(128, dtype=torch.int32).reshape(1, 128), dtype=ttnn.uint32, device=device)
g = ttnn.from_torch(values, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=device,
                    memory_config=ttnn.MemoryConfig(ttnn.TensorMemoryLayout.INTERLEAVED, ttnn.BufferType.L1))
h = ttnn.from_torch(values, spec=ttnn.TensorSpec((1, 2, 50, 70), ttnn.bfloat16, ttnn.TILE_LAYOUT), device=device)
i = ttnn.to_layout(c, ttnn.ROW_MAJOR_LAYOUT)
j = ttnn.to_layout(ttnn.to_device(ttnn.from_torch(values.to(torch.bfloat16)), device), ttnn.TILE_LAYOUT)
k = ttnn.typecast(c, ttnn.float32)
m = ttnn.from_device(c)
n = ttnn.to_torch(i)
o = ttnn.to_torch(m)
p = c.cpu()
q = p.to(device)
r = c.to_torch()
s = ttnn.to_memory_config(c, ttnn.L1_MEMORY_CONFIG)
t = ttnn.zeros((1, 1, 32, 64), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
u = ttnn.ones_like(t)
v = ttnn.full((1, 1, 32, 64), 3.0, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=device)
w = ttnn.empty((1, 1, 32, 64), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device,
               memory_config=ttnn.L1_MEMORY_CONFIG)
x = ttnn.arange(0, 64, 1, device=device)
ttnn.synchronize_device(device)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
