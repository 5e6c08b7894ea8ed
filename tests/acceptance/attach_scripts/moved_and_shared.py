# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Tensors that move, share memory, are written in place, sharded and looked at by views."""

import os
import sys

import ttnn

L1, DRAM = ttnn.L1_MEMORY_CONFIG, ttnn.DRAM_MEMORY_CONFIG


def begin(mode=None):
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, mode or sys.argv[2]))


def end(name=None):
    ttnn.graph.end_graph_capture_to_file(os.path.join(os.path.dirname(sys.argv[1]), name) if name else sys.argv[1])


def tiles(*shape, device, dtype=ttnn.bfloat16, memory_config=L1):
    return ttnn.ones(list(shape), dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device, memory_config=memory_config)


import torch

device = ttnn.open_device(device_id=0)
grid = ttnn.CoreGrid(y=2, x=2)
sharded = ttnn.create_sharded_memory_config((1, 1, 128, 64), grid, ttnn.ShardStrategy.BLOCK)
gaps = [tiles(1, 1, 128, 64, device=device) for _ in range(4)]
begin()
del gaps[::2]
moved = ttnn.move(gaps.pop())
moved = ttnn.reallocate(moved)
x = ttnn.to_memory_config(moved, sharded)
y = ttnn.add(x, x, memory_config=sharded)
z = ttnn.add_(y, x)
ttnn.multiply(x, 2.0, output_tensor=y)
view = ttnn.unsqueeze_to_4D(ttnn.reshape(moved, (1, 128, 64)))
rows = ttnn.experimental.view(view, (1, 1, 64, 128))
low = ttnn.typecast(moved, ttnn.bfloat8_b, memory_config=L1)
parts = ttnn.split(moved, 32, dim=3)
whole = ttnn.concat(parts, dim=3, memory_config=L1)
back = ttnn.sharded_to_interleaved(z, L1)
x = ttnn.interleaved_to_sharded(back, sharded)
ttnn.copy(back, whole)
torch_tensor = ttnn.to_torch(whole)
again = ttnn.from_torch(torch_tensor, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=device, memory_config=L1)
ttnn.assign(again, memory_config=DRAM)
ttnn.deallocate(view)
ttnn.deallocate(x, force=True)
end()
ttnn.close_device(device)
