# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Values that go through torch in the middle."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
L1, DRAM = ttnn.L1_MEMORY_CONFIG, ttnn.DRAM_MEMORY_CONFIG


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


x = ttnn.from_torch(torch.randn(1, 1, 64, 64), dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=device)
begin()
y = ttnn.exp(x)
host = ttnn.to_torch(y)
host = torch.nn.functional.interpolate(host, scale_factor=2)
z = ttnn.from_torch(host, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=device, memory_config=L1)
w = ttnn.from_torch(host.to(torch.bfloat16), layout=ttnn.TILE_LAYOUT, device=device)
v = ttnn.from_torch(torch.arange(64).reshape(1, 64), dtype=ttnn.uint32, device=device)
u = ttnn.from_torch(torch.ones(1, 64, dtype=torch.int32), layout=ttnn.TILE_LAYOUT, device=device)
h = ttnn.from_torch(host, dtype=ttnn.bfloat16)
q = ttnn.from_torch(host, dtype=ttnn.bfloat8_b, layout=ttnn.TILE_LAYOUT)
on = ttnn.to_device(q, device)
s = ttnn.typecast(on, ttnn.bfloat16)
flat = ttnn.to_torch(ttnn.reshape(s, (1, 1, 1, 16384)))
end()

ttnn.close_device(device)
