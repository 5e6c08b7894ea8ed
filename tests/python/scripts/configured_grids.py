# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Sharding helpers and grids, as tests of models spell them."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
L1, DRAM = ttnn.L1_MEMORY_CONFIG, ttnn.DRAM_MEMORY_CONFIG


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


grid = device.compute_with_storage_grid_size()
cores = ttnn.num_cores_to_corerangeset(16, grid, row_wise=True)
spec = ttnn.ShardSpec(cores, [32, 128], ttnn.ShardOrientation.ROW_MAJOR)
height = ttnn.MemoryConfig(ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.BufferType.L1, spec)
x = ttnn.from_torch(torch.randn(1, 1, 512, 128, dtype=torch.bfloat16), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
begin()
a = ttnn.to_memory_config(x, height)
b = ttnn.relu(a)
c = ttnn.add(a, b, memory_config=height)
block = ttnn.create_sharded_memory_config((1, 1, 512, 128), core_grid=ttnn.CoreGrid(y=4, x=4), strategy=ttnn.ShardStrategy.BLOCK)
d = ttnn.interleaved_to_sharded(x, block)
e = ttnn.sharded_to_interleaved(d, L1)
f = ttnn.to_memory_config(c, DRAM)
wide = ttnn.create_sharded_memory_config(
    (512, 32), core_grid=ttnn.num_cores_to_corerangeset(4, grid), strategy=ttnn.ShardStrategy.WIDTH,
    use_height_and_width_as_shard_shape=True)
g = ttnn.to_memory_config(x, wide)
h = ttnn.exp(g)
split = ttnn.split_work_to_cores(grid, 16, True)
i = ttnn.to_memory_config(x, ttnn.MemoryConfig(
    ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.BufferType.L1, ttnn.ShardSpec(split[1], (32, 128), ttnn.ShardOrientation.ROW_MAJOR)))
end()

ttnn.close_device(device)
